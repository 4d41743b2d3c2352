package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/rogpeppe/go-internal/txtar"

	brokerplan "github.com/acemq/acemq-gen/gen/plan"
	"github.com/acemq/acemq-gen/internal/brokertest"
)

// planned is a virtual host of a node, for the flows of the module in the working directory.
type planned struct {
	*testing.T
	node  *brokertest.Server
	vhost string
}

// TestPlan plans and exports the flows of the script export_declared, which have every construct, on a real broker.
func TestPlan(t *testing.T) {
	node := brokertest.Node(t)
	t.Chdir(plannedModule(t))
	for name, test := range map[string]func(planned){
		"empty":     planEmpty,
		"declared":  planDeclared,
		"imported":  planImported,
		"conflicts": planConflicts,
		"solved":    planSolved,
		"unbound":   planUnbound,
		"external":  planExternal,
		"refused":   planRefused,
	} {
		t.Run(name, func(t *testing.T) {
			p := planned{t, node, name}
			p.ctl("add_vhost", name)
			p.ctl("set_permissions", "-p", name, "guest", ".*", ".*", ".*")
			test(p)
		})
	}
}

// plannedModule makes a module of the script's files, with its code generated and a program that declares it.
func plannedModule(t *testing.T) (dir string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	archive, err := txtar.ParseFile(filepath.Join(root, "testdata", "scripts", "export_declared.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(filepath.Join("testdata", "declare.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	archive.Files = append(archive.Files, txtar.File{Name: "declare/main.go", Data: program})
	dir = t.TempDir()
	if err := txtar.Write(archive, dir); err != nil {
		t.Fatal(err)
	}
	if err := module(dir, root); err != nil {
		t.Fatal(err)
	}
	for _, variable := range []string{"GOWORK=off", "GOFLAGS=", "GOPROXY=off"} {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	generate := exec.Command("go", "tool", "acemq-gen", "./...")
	generate.Dir = dir
	if out, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

func (p planned) url() string { return p.node.URL() + p.vhost }

// ctl runs rabbitmqctl.
func (p planned) ctl(args ...string) string {
	p.Helper()
	out, err := p.node.Ctl(p.Context(), args...)
	if err != nil {
		p.Fatal(err)
	}
	return out
}

// definitions returns what the virtual host has, as the broker exports it: of each kind, each object in JSON.
func (p planned) definitions(kinds ...string) []string {
	p.Helper()
	exported := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(p.ctl("export_definitions", "-")), &exported); err != nil {
		p.Fatal(err)
	}
	var own []string
	for _, kind := range kinds {
		var all []map[string]any
		if err := json.Unmarshal(exported[kind], &all); err != nil {
			p.Fatal(err)
		}
		for _, object := range all {
			if text, err := json.Marshal(object); err == nil && object["vhost"] == p.vhost {
				own = append(own, string(text))
			}
		}
	}
	slices.Sort(own)
	return own
}

// objects lists all that the virtual host has.
func (p planned) objects() string {
	p.Helper()
	return strings.Join(p.definitions("exchanges", "queues", "bindings"), "\n")
}

// management serves what the management API says of bindings. It lists them as definitions do.
func (p planned) management() (url string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.EscapedPath() != "/api/bindings/"+p.vhost {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, "[%s]", strings.Join(p.definitions("bindings"), ","))
	}))
	p.Cleanup(server.Close)
	return server.URL
}

// external declares what the flow says that others declare.
func (p planned) external() {
	p.Helper()
	p.do(func(ch *amqp.Channel) error {
		if _, err := ch.QueueDeclare("elsewhere", true, false, false, false, amqp.Table{"x-queue-type": "quorum"}); err != nil {
			return err
		}
		return ch.ExchangeDeclare("upstream", "topic", true, false, false, false, nil)
	})
}

// do makes requests on a channel.
func (p planned) do(request func(*amqp.Channel) error) {
	p.Helper()
	conn, err := amqp.Dial(p.url())
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { conn.Close() })
	ch, err := conn.Channel()
	if err == nil {
		err = request(ch)
	}
	if err != nil {
		p.Fatal(err)
	}
}

// declare runs the program that declares and starts all.
func (p planned) declare() {
	p.Helper()
	if out, err := exec.Command("go", "run", "./declare", p.url()).CombinedOutput(); err != nil {
		p.Fatalf("%v: %s", err, out)
	}
}

// plan runs the command, holds that it changed nothing, and returns the plan.
func (p planned) plan(wantCode int, args ...string) *brokerplan.Plan {
	p.Helper()
	before := p.objects()
	var stdout, stderr bytes.Buffer
	args = slices.Concat([]string{"plan", "-json", "-url", p.url()}, args, []string{"./..."})
	if code := run(args, &stdout, &stderr); code != wantCode {
		p.Fatalf("exit code %d, want %d:\n%s%s", code, wantCode, &stdout, &stderr)
	}
	if after := p.objects(); after != before {
		p.Errorf("the broker has\n%s\nand had\n%s", after, before)
	}
	result := &brokerplan.Plan{}
	if err := json.Unmarshal(stdout.Bytes(), result); err != nil {
		p.Fatalf("%v: %s", err, &stdout)
	}
	if result.VHost != p.vhost {
		p.Errorf("the virtual host is %q, want %q", result.VHost, p.vhost)
	}
	return result
}

// only fails where a plan has an object with another action than those.
func (p planned) only(result *brokerplan.Plan, actions ...brokerplan.Action) {
	p.Helper()
	if len(result.Objects) == 0 {
		p.Fatal("the plan is empty")
	}
	for _, o := range result.Objects {
		if !slices.Contains(actions, o.Action) {
			p.Errorf("%s %s: %s, %v", o.Action, o.Object, o.Reason, o.Difference)
		}
	}
}

// object returns an object of a plan.
func (p planned) object(result *brokerplan.Plan, name string) brokerplan.Object {
	p.Helper()
	i := slices.IndexFunc(result.Objects, func(o brokerplan.Object) bool { return o.Object == name })
	if i < 0 {
		p.Fatalf("the plan has no %s", name)
	}
	return result.Objects[i]
}

// On an empty broker everything is to be created, and nothing is, but for what is not the flow's to create.
func planEmpty(p planned) {
	p.external()
	result := p.plan(exitFailed, "-management", p.management())
	if kept := result.Count(brokerplan.Keep); kept != 2 || result.Count(brokerplan.Create) != len(result.Objects)-2 {
		p.Errorf("%d of %d objects are kept, want the two external ones", kept, len(result.Objects))
	}
	p.only(p.plan(exitFailed), brokerplan.Create, brokerplan.Keep)
}

// What Declare and the consumers declared is all there is to declare.
func planDeclared(p planned) {
	p.external()
	p.declare()
	p.only(p.plan(exitOK, "-management", p.management()), brokerplan.Keep)

	result := p.plan(exitOK)
	p.only(result, brokerplan.Keep, brokerplan.Unknown)
	for _, o := range result.Objects {
		if binding := strings.HasPrefix(o.Object, "binding "); binding != (o.Action == brokerplan.Unknown) {
			p.Errorf("%s %s without the management API", o.Action, o.Object)
		}
	}
}

// What was imported is what Declare declares.
func planImported(p planned) {
	p.external()
	var stdout, stderr bytes.Buffer
	if code := run([]string{"export", "-vhost", p.vhost, "-o", "definitions.json", "./..."}, &stdout, &stderr); code != exitOK {
		p.Fatalf("exit code %d: %s", code, &stderr)
	}
	file, err := p.node.Share(p.Context(), "definitions.json")
	if err != nil {
		p.Fatal(err)
	}
	p.ctl("import_definitions", file)
	p.only(p.plan(exitOK, "-management", p.management()), brokerplan.Keep)
	imported := p.objects()
	p.declare()
	if declared := p.objects(); declared != imported {
		p.Errorf("after Declare the broker has\n%s\nand was given\n%s", declared, imported)
	}
}

// What is there with other settings is a conflict, with both values.
func planConflicts(p planned) {
	p.external()
	queue := func(name string, durable bool, arguments amqp.Table) {
		p.do(func(ch *amqp.Channel) error {
			_, err := ch.QueueDeclare(name, durable, false, false, false, arguments)
			return err
		})
	}
	queue("stock", true, amqp.Table{"x-dead-letter-exchange": "acemq.dlx", "x-dead-letter-routing-key": "stock.dlq"})
	queue("quotes", true, amqp.Table{"x-queue-type": "quorum", "x-dead-letter-exchange": "graveyard",
		"x-dead-letter-routing-key": "quotes.dlq"})
	queue("stock.parked", true, amqp.Table{"x-message-ttl": int64(5)})
	queue("work.retry.30s", true, amqp.Table{"x-message-ttl": int64(29_000), "x-dead-letter-exchange": "acemq.retry",
		"x-dead-letter-routing-key": "work"})
	queue("plain.dlq", false, nil)
	p.do(func(ch *amqp.Channel) error {
		_, err := ch.QueueDeclare("work", true, false, true, false, nil)
		return err
	})
	p.do(func(ch *amqp.Channel) error {
		return ch.ExchangeDeclare("direct", "fanout", true, false, false, false, nil)
	})
	p.do(func(ch *amqp.Channel) error {
		return ch.ExchangeDeclare("fanout", "fanout", false, false, false, false, nil)
	})

	result := p.plan(exitMisuse)
	if n := result.Count(brokerplan.Conflict); n != 8 {
		p.Errorf("%d conflicts, want 8", n)
	}
	for object, want := range map[string]brokerplan.Difference{
		"queue stock":          {Setting: "x-queue-type", Declared: "quorum", Broker: "classic"},
		"queue quotes":         {Setting: "x-dead-letter-exchange", Declared: "acemq.dlx", Broker: "graveyard"},
		"queue stock.parked":   {Setting: "x-message-ttl", Declared: "none", Broker: "5"},
		"queue work.retry.30s": {Setting: "x-message-ttl", Declared: "30000", Broker: "29000"},
		"queue plain.dlq":      {Setting: "durable", Declared: "true", Broker: "false"},
		"exchange direct":      {Setting: "type", Declared: "direct", Broker: "fanout"},
		"exchange fanout":      {Setting: "durable", Declared: "true", Broker: "false"},
	} {
		o := p.object(result, object)
		if o.Action != brokerplan.Conflict || o.Difference == nil || *o.Difference != want || len(o.Steps) == 0 {
			p.Errorf("%s is %s with the difference %+v, want %+v; the broker says %s", object, o.Action, o.Difference, want,
				o.Reason)
		}
	}
	locked := p.object(result, "queue work")
	if locked.Action != brokerplan.Conflict || !strings.Contains(locked.Reason, "RESOURCE_LOCKED") || len(locked.Steps) == 0 {
		p.Errorf("the queue of another connection is %+v", locked)
	}
}

// The steps for a queue of work solve a conflict, and no message is lost on the way.
func planSolved(p planned) {
	p.external()
	p.declare()
	declare := func(ch *amqp.Channel, queue string, arguments amqp.Table) error {
		_, err := ch.QueueDeclare(queue, true, false, false, false, arguments)
		return errors.Join(err, ch.QueueBind(queue, "reserved", "events", false, nil))
	}
	publish := func(id string) {
		p.Helper()
		p.do(func(ch *amqp.Channel) error {
			return ch.PublishWithContext(p.Context(), "events", "reserved", false, false, amqp.Publishing{MessageId: id})
		})
	}
	p.ctl("delete_queue", "-p", p.vhost, "stock")
	p.do(func(ch *amqp.Channel) error { return declare(ch, "stock", nil) })
	publish("1")
	if o := p.object(p.plan(exitMisuse), "queue stock"); o.Action != brokerplan.Conflict {
		p.Fatalf("the queue of another type is %+v", o)
	}

	p.do(func(ch *amqp.Channel) error { return declare(ch, "stock.hold", nil) })
	publish("2")
	p.do(func(ch *amqp.Channel) error { return ch.QueueUnbind("stock", "reserved", "events", nil) })
	publish("3")
	handled := p.take("stock")
	p.ctl("delete_queue", "-p", p.vhost, "--if-empty", "--if-unused", "stock")
	p.declare()
	publish("4")
	p.do(func(ch *amqp.Channel) error { return ch.QueueUnbind("stock.hold", "reserved", "events", nil) })
	var stdout, stderr bytes.Buffer
	if code := run([]string{"replay", "-url", p.url(), "-into", "stock", "stock.hold"}, &stdout, &stderr); code != exitOK {
		p.Fatalf("exit code %d: %s", code, &stderr)
	}
	p.ctl("delete_queue", "-p", p.vhost, "--if-empty", "stock.hold")

	p.only(p.plan(exitOK), brokerplan.Keep, brokerplan.Unknown)
	if got, want := handled+" then "+p.take("stock"), "1 2 then 2 3 4 4"; got != want {
		p.Errorf("the messages were %s, want %s", got, want)
	}
}

// take takes all messages of a queue off, and returns their ids, sorted.
func (p planned) take(queue string) string {
	p.Helper()
	var ids []string
	p.do(func(ch *amqp.Channel) error {
		for {
			d, more, err := ch.Get(queue, true)
			if !more || err != nil {
				return err
			}
			ids = append(ids, d.MessageId)
		}
	})
	slices.Sort(ids)
	return strings.Join(ids, " ")
}

// A binding that is missing is seen where there is a management API.
func planUnbound(p planned) {
	p.external()
	p.declare()
	const name = `binding of queue work to exchange direct with key "b"`
	p.do(func(ch *amqp.Channel) error { return ch.QueueUnbind("work", "b", "direct", nil) })
	result := p.plan(exitFailed, "-management", p.management())
	if o := p.object(result, name); o.Action != brokerplan.Create || result.Count(brokerplan.Create) != 1 {
		p.Errorf("%s %s, and %d are to be created", o.Action, o.Object, result.Count(brokerplan.Create))
	}
	if o := p.object(p.plan(exitOK), name); o.Action != brokerplan.Unknown {
		p.Errorf("%s %s without the management API", o.Action, o.Object)
	}
}

// What others have to declare and did not is a conflict, for Declare fails.
func planExternal(p planned) {
	result := p.plan(exitMisuse)
	for _, name := range []string{"queue elsewhere", "exchange upstream"} {
		if o := p.object(result, name); o.Action != brokerplan.Conflict || len(o.Steps) == 0 {
			p.Errorf("%s is %+v", name, o)
		}
	}
	p.only(result, brokerplan.Conflict, brokerplan.Create)
}

// What keeps a plan from being made is one line, without the password.
func planRefused(p planned) {
	host := strings.TrimPrefix(p.node.URL(), "amqp://guest:guest@")
	management := p.management()
	for _, test := range []struct{ args, says string }{
		{"-url amqp://guest:secret@" + host, "the broker refuses the user or the password"},
		{"-url " + p.node.URL() + "nowhere", "the broker refuses the connection"},
		{"-url " + p.url() + " -management guest:secret@" + host, "the URL of the management API cannot be read"},
		{"-url " + p.url() + " -management http://guest:secret@127.0.0.1:1", "connection refused"},
		{"-url " + p.url() + " -management " + management + "/secret", "answered 404 Not Found"},
		{"-url " + p.url() + " -management http://guest:secret@" + host, "ask the management API"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(slices.Concat([]string{"plan"}, strings.Fields(test.args), []string{"./..."}), &stdout, &stderr)
		says := stderr.String()
		if code != exitMisuse || stdout.Len() > 0 || strings.Count(says, "\n") != 1 || !strings.Contains(says, test.says) ||
			strings.Contains(says, ":secret") {
			p.Errorf("plan %s: exit code %d, and says\n%s%s", test.args, code, &stdout, says)
		}
	}
}
