package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// counter is a broker in memory with dead letters of the queue orders.
type counter struct {
	*testing.T
	server *memory.Server
	url    string
	conn   *acemq.Conn
}

func newCounter(t *testing.T) *counter {
	t.Helper()
	name := "command-" + strings.ToLower(t.Name())
	c := &counter{T: t, server: memory.Serve(name), url: "memory://" + name}
	t.Cleanup(c.server.Close)
	var err error
	if c.conn, err = acemq.Dial(t.Context(), c.url); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.conn.Close(context.Background()) })
	queues := topology.New().Queue("orders").Queue("stock")
	if err := c.conn.Declare(t.Context(), queues); err != nil {
		t.Fatal(err)
	}
	return c
}

// letters are what the tests replay: hours old, the type, the region and the error of each.
var letters = []struct {
	hours               int
	kind, region, cause string
}{
	{48, "order.placed", "eu", "exhausted 5 attempts: no such card"},
	{30, "order.placed", "us", "exhausted 5 attempts: payments are down"},
	{20, "order.shipped", "eu", "the handler rejected it: no such courier"},
	{2, "order.placed", "eu", "exhausted 5 attempts: Payments are down"},
	{1, "order.placed", "us", ""},
}

// fill sets the letters aside, under the ids 1 to 5.
func (c *counter) fill() {
	c.Helper()
	for i, l := range letters {
		id := fmt.Sprint(i + 1)
		headers := acemq.Envelope{ID: id, Type: l.kind, Version: 1, Attempt: 5, Error: l.cause,
			FirstSeen: time.Now().Add(-time.Duration(l.hours) * time.Hour)}.Headers(acemq.Headers{
			"x-region": l.region, "x-number": int64(i + 1), "x-raw": []byte(l.region)})
		confirmation, err := c.conn.Republish(c.Context(), transport.Message{Key: "orders.dlq", MessageID: id, Headers: headers})
		if err == nil {
			err = confirmation.Wait(c.Context())
		}
		if err != nil {
			c.Fatal(err)
		}
	}
}

// ids returns the ids of the messages in a queue, and takes them off.
func (c *counter) ids(queue string) string {
	c.Helper()
	var ids []string
	for {
		m, err := acemq.Pull[[]byte](c.Context(), c.conn, queue, acemq.DecodeWith(acemq.Bytes))
		if err != nil {
			c.Fatal(err)
		}
		if m == nil {
			return strings.Join(ids, " ")
		}
		ids = append(ids, m.Envelope.ID)
		if err := m.Accept(c.Context()); err != nil {
			c.Fatal(err)
		}
	}
}

// run runs the command on the broker.
func (c *counter) run(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(slices.Concat([]string{"replay", "-url", c.url}, args), &out, &errs)
	return code, out.String(), errs.String()
}

func TestReplay(t *testing.T) {
	c := newCounter(t)
	tests := []struct {
		args  string
		moved string // from orders.dlq, by id
		into  string
		says  string
	}{
		{"orders.dlq", "1 2 3 4 5", "orders", "5 messages moved from orders.dlq into orders.\n"},
		{"-into stock orders.dlq", "1 2 3 4 5", "stock", "5 messages moved from orders.dlq into stock.\n"},
		{"-limit 2 orders.dlq", "1 2", "orders", "2 messages moved from orders.dlq into orders. That was the limit.\n"},
		{"-limit 9 orders.dlq", "1 2 3 4 5", "orders", "5 messages moved from orders.dlq into orders.\n"},
		{"-type order.shipped orders.dlq", "3", "orders",
			"1 message moved from orders.dlq into orders. 4 messages did not match.\n"},
		{"-error payments orders.dlq", "2 4", "orders", ""},
		{"-older 25h orders.dlq", "1 2", "orders", ""},
		{"-newer 3h orders.dlq", "4 5", "orders", ""},
		{"-older 3h -newer 25h orders.dlq", "3", "orders", ""},
		{"-header x-region=eu orders.dlq", "1 3 4", "orders", ""},
		{"-header x-raw=eu -header x-number=3 orders.dlq", "3", "orders", ""},
		{"-header x-acemq-type=order.shipped orders.dlq", "3", "orders", ""},
		{"-header x-region= orders.dlq", "", "orders", "0 messages moved from orders.dlq into orders. 5 messages did not match.\n"},
		{"-header x-region=eu -type order.placed -error card orders.dlq", "1", "orders", ""},
		{"-id 4 orders.dlq", "4", "orders", ""},
		{"-id 4 -limit 1 orders.dlq", "4", "orders", ""},
		{"-dry-run orders.dlq", "", "orders", "5 of 5 messages would be moved into orders; nothing was.\n"},
		{"-dry-run -limit 2 orders.dlq", "", "orders", "2 of 5 messages would be moved into orders; nothing was.\n"},
		{"-dry-run -error courier orders.dlq", "", "orders", "  attempt 5  the handler rejected it: no such courier\n1 of 5"},
		{"orders.parked", "", "orders", "orders.parked is empty: there is nothing to move.\n"},
	}
	for _, test := range tests {
		c.fill()
		code, stdout, stderr := c.run(strings.Fields(test.args)...)
		if code != exitOK || !strings.Contains(stdout, test.says) || stderr != "" {
			t.Errorf("replay %s: exit code %d, and says\n%s%s", test.args, code, stdout, stderr)
		}
		if got := c.ids(test.into); got != test.moved {
			t.Errorf("replay %s: moved %q, want %q", test.args, got, test.moved)
		}
		left := len(strings.Fields(c.ids("orders.dlq")))
		if want := len(letters) - len(strings.Fields(test.moved)); left != want {
			t.Errorf("replay %s: left %d messages, want %d", test.args, left, want)
		}
	}
}

// What is wrong is said in one line, and nothing is touched.
func TestReplayMisuse(t *testing.T) {
	c := newCounter(t)
	c.fill()
	tests := []struct{ args, says string }{
		{"", "replay takes one queue, billing.orders.dlq for one, and was given 0"},
		{"orders.dlq orders.parked", "and was given 2"},
		{"orders.dlq -dry-run", "flags come first"},
		{"-limit -1 orders.dlq", "a limit of -1"},
		{"-limit many orders.dlq", `invalid value "many" for flag -limit`},
		{"-older -1h orders.dlq", "an age is negative"},
		{"-older 2d orders.dlq", `invalid value "2d" for flag -older`},
		{"-older 3h -newer 2h orders.dlq", "no message is both older than 3h0m0s and newer than 2h0m0s"},
		{"-header x-region orders.dlq", `invalid value "x-region" for flag -header: say name=value`},
		{"-header =eu orders.dlq", "say name=value"},
		{"-header a=1 -header a=2 orders.dlq", "no message has a=1 too"},
		{"-force orders.dlq", "flag provided but not defined: -force"},
		{"orders", "say the queue to move them into"},
		{"-into orders.dlq orders.dlq", "say another queue"},
		{"missing.dlq", "acemq-gen: queue missing.dlq does not exist\n"},
		{"-into missing orders.dlq", "acemq-gen: queue missing does not exist\n"},
		{"-dry-run -into missing orders.dlq", "acemq-gen: queue missing does not exist\n"},
		{"-url  orders.dlq", "the broker is not said: use -url"},
		{"-url localhost orders.dlq", "the broker's URL has no scheme"},
	}
	for _, test := range tests {
		code, stdout, stderr := c.run(strings.Split(test.args, " ")...)
		if test.args == "" {
			code, stdout, stderr = c.run()
		}
		if code != exitMisuse || stdout != "" || !strings.HasPrefix(stderr, "acemq-gen: ") ||
			strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, test.says) {
			t.Errorf("replay %s: exit code %d, and says\n%s%s", test.args, code, stdout, stderr)
		}
	}
	if got := c.ids("orders.dlq"); got != "1 2 3 4 5" {
		t.Errorf("the messages left are %q", got)
	}
}

// A replay that stops before the end says how far it came, and the rest is where it was.
func TestReplayStopsBeforeTheEnd(t *testing.T) {
	c := newCounter(t)
	c.fill()
	c.server.Inject(memory.Script{Fault: memory.NackPublish, Times: 1000,
		Match: func(m transport.Message) bool { return m.Headers["x-number"] == int64(3) && m.Key == "orders" }})
	code, stdout, stderr := c.run("orders.dlq")
	moved, left := strings.Fields(c.ids("orders")), strings.Fields(c.ids("orders.dlq"))
	says := fmt.Sprintf("%d messages moved from orders.dlq into orders. It stopped before the end", len(moved))
	if code != exitFailed || !strings.HasPrefix(stdout, says) || !strings.Contains(stderr, "refused by the broker") {
		t.Errorf("exit code %d, and says\n%s%s", code, stdout, stderr)
	}
	if left[0] != "3" || len(moved)+len(left) != len(letters) {
		t.Errorf("the messages moved are %q, and those left are %q", moved, left)
	}
}

func TestReplayKeepAttempts(t *testing.T) {
	c := newCounter(t)
	for _, test := range []struct {
		args    []string
		attempt int32
		cause   any
	}{
		{[]string{"orders.dlq"}, 1, nil},
		{[]string{"-keep-attempts", "orders.dlq"}, 5, letters[0].cause},
	} {
		c.fill()
		if code, stdout, stderr := c.run(test.args...); code != exitOK {
			t.Fatalf("exit code %d, and says\n%s%s", code, stdout, stderr)
		}
		headers := c.server.Peek("orders")[0].Headers
		if headers["x-acemq-attempt"] != test.attempt || headers["x-acemq-error"] != test.cause {
			t.Errorf("replay %v: the headers are %v", test.args, headers)
		}
		c.ids("orders")
	}
}

// The broker may be said in the environment, where a password is not seen by others.
func TestReplayEnvironment(t *testing.T) {
	c := newCounter(t)
	c.fill()
	t.Setenv("ACEMQ_URL", c.url)
	var stdout, stderr bytes.Buffer
	if code := run([]string{"replay", "orders.dlq"}, &stdout, &stderr); code != exitOK {
		t.Errorf("exit code %d, and says\n%s%s", code, &stdout, &stderr)
	}
}

// What came from somebody else does nothing to a terminal.
func TestDescribe(t *testing.T) {
	now := time.Now()
	m := &acemq.Message[[]byte]{Envelope: acemq.Envelope{ID: "1\x1b[2J", Type: "order.placed", Attempt: 3,
		FirstSeen: now.Add(-90 * time.Minute), Error: "line one\nline two\u009b" + strings.Repeat("é", 200)},
		Headers: acemq.Headers{"acemq-replay-count": int32(2)}}
	want := "1 [2J  order.placed  1h30m0s old  attempt 3  replayed 2 times  line one line two " + strings.Repeat("é", 102) + "…"
	if got := describe(m, now).String(); got != want {
		t.Errorf("got  %q,\nwant %q", got, want)
	}
	m = &acemq.Message[[]byte]{Envelope: acemq.Envelope{ID: "1", Type: "t", Attempt: 1, FirstSeen: now.Add(time.Hour)}}
	if got, want := describe(m, now).String(), "1  t  0s old  attempt 1  (no error is said)"; got != want {
		t.Errorf("got  %q,\nwant %q", got, want)
	}
}

// With -json each line is an object, and stdout has nothing else.
func TestReplayJSON(t *testing.T) {
	c := newCounter(t)
	c.fill()
	refused := func(m transport.Message) bool { return m.Key == "stock" }
	c.server.Inject(memory.Script{Fault: memory.NackPublish, Times: 1000, Match: refused})
	whole := `{"pending":5,"moved":%d,"skipped":%d,"from":"orders.dlq","into":%q,"stopped":%q}` + "\n"
	for _, test := range []struct {
		args           string
		code           int
		stdout, stderr string // patterns
	}{
		{"-dry-run -id 3", exitOK, `^\{"id":"3","type":"order.shipped","firstSeen":"20[^"]+","attempt":5,"replayed":0,` +
			`"error":"the handler rejected it: no such courier"\}\n\{"pending":5,"matching":1,"into":"orders"\}\n$`, `^$`},
		{"-into stock -limit 1", exitFailed, `^` + fmt.Sprintf(whole, 0, 0, "stock", "failed") + `$`,
			`^\[\n  \{\n    "code": "",\n[^]]*"message": "replay .*refused by the broker"\n  }\n\]\n$`},
		{"-id 9", exitOK, `^` + fmt.Sprintf(whole, 0, 5, "orders", "drained") + `$`, `^$`},
		{"-limit 2", exitOK, `^` + fmt.Sprintf(whole, 2, 0, "orders", "limit") + `$`, `^$`},
		{"-limit -1", exitMisuse, `^\[\n  \{\n    "code": "",\n[^]]*"message": "a limit of -1: [^]]*\n\]\n$`, `^$`},
	} {
		code, stdout, stderr := c.run(append(strings.Fields(test.args), "-json", "orders.dlq")...)
		if code != test.code || !regexp.MustCompile(test.stdout).MatchString(stdout) ||
			!regexp.MustCompile(test.stderr).MatchString(stderr) {
			t.Errorf("replay %s: exit code %d, and says\n%s%s", test.args, code, stdout, stderr)
		}
	}
}
