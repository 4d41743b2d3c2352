package request

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/internal/brokertest"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// The tests of this file run on a real RabbitMQ, in real time.

// patience is how long a call waits: longer than it takes to restart a node on a busy machine.
const patience = 2 * time.Minute

// TestMain runs the tests, or, in a process that a test started, a server.
func TestMain(m *testing.M) {
	if queue := os.Getenv(childQueue); queue != "" {
		if err := runChild(queue); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// childQueue names the queue that a process serves.
const childQueue = "ACEMQ_TEST_REQUESTS"

// runChild serves until the process is killed, or its parent is gone.
func runChild(queue string) error {
	ctx := context.Background()
	conn, err := acemq.Dial(ctx, os.Getenv(brokertest.URLVariable), acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := Serve(ctx, conn, named(queue), echo); err != nil {
		return err
	}
	fmt.Println("serving")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// child starts a process that serves a queue, and returns once it does.
func child(t *testing.T, queue string) *exec.Cmd {
	t.Helper()
	return brokertest.Process(t, childQueue+"="+queue)
}

// named returns the declaration of the tests on a queue of its own.
func named(queue string) Declaration[question, answer] {
	d := oracle()
	d.Queue.Name = queue
	d.Queue.Prefetch = 100
	d.Timeout = patience
	return d
}

// dialBroker connects, and closes the connection at the end of the test.
func dialBroker(t *testing.T, url string) *acemq.Conn {
	t.Helper()
	conn, err := acemq.Dial(t.Context(), url, acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return conn
}

// requests declares a queue of requests, which is taken off the broker at the end of the test.
func requests(t *testing.T, url string, conn *acemq.Conn) Declaration[question, answer] {
	t.Helper()
	d := named("acemq-requests-" + rand.Text()[:10])
	all := topology.New().Queue(d.Queue.Name)
	if err := conn.Declare(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	brokertest.RemoveAfter(t, url, all)
	return d
}

func serveOn(t *testing.T, conn *acemq.Conn, d Declaration[question, answer], f Func[question, answer]) *Server {
	t.Helper()
	s, err := Serve(t.Context(), conn, d, f)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A thousand calls at once on two connections, each with an answer of its own. With the connections, their queues go.
func TestBroker(t *testing.T) {
	const calls = 1000
	url := brokertest.URL(t)
	serving := dialBroker(t, url)
	d := requests(t, url, serving)
	s := serveOn(t, serving, d, echo)
	asking := []*acemq.Conn{dialBroker(t, url), dialBroker(t, url)}
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() {
			text := fmt.Sprint(i)
			a, err := NewClient(asking[i%2], d).Call(t.Context(), question{text})
			if err != nil || a.Text != "re: "+text {
				t.Errorf("%s was answered %q, %v", text, a.Text, err)
			}
		})
	}
	all.Wait()
	wantEqual(t, "what the server counts", s.Answers(), Answers{Answered: calls})
	for _, conn := range asking {
		wantEqual(t, "what the client counts", CallsOf(conn), Calls{Answered: calls / 2})
		queue := deskOf(conn).box.queue
		if _, err := serving.Inspect(t.Context(), queue); err != nil {
			t.Error(err)
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
		_, err := serving.Inspect(t.Context(), queue)
		wantAs[*acemq.NotFoundError](t, err)
	}
	state, err := serving.Inspect(t.Context(), wire.DeadLetterQueue(d.Queue.Name))
	if err != nil || state.Ready != 0 {
		t.Errorf("the dead letters: %+v, %v", state, err)
	}
}

// The reply queue of a foreign client belongs to its connection alone, and only one of the two addresses is there.
func TestBrokerForeignClients(t *testing.T) {
	url := brokertest.URL(t)
	serving := dialBroker(t, url)
	d := requests(t, url, serving)
	serveOn(t, serving, d, func(ctx context.Context, m *acemq.Message[question]) (answer, error) {
		if m.Payload.Text == "" {
			return answer{}, errBusy
		}
		return echo(ctx, m)
	})
	channel := brokertest.Admin(t, url)
	queue, err := channel.QueueDeclare("acemq-reply-"+rand.Text(), false, true, true, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	replies, err := channel.Consume(queue.Name, "", true, true, false, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, request := range map[string]amqp.Publishing{
		"the property": {MessageId: "1", Body: []byte(`{"Text":"why?"}`), ReplyTo: queue.Name},
		"the header":   {MessageId: "2", Body: []byte(`{"Text":"why?"}`), Headers: amqp.Table{wire.HeaderReplyTo: queue.Name}},
		"a failure":    {MessageId: "3", Body: []byte(`{}`), ReplyTo: queue.Name},
	} {
		if err := channel.PublishWithContext(t.Context(), "", d.Queue.Name, false, false, request); err != nil {
			t.Fatal(err)
		}
		reply := <-replies
		wantEqual(t, name+": the correlation", reply.Headers[wire.HeaderCorrelation], any(request.MessageId))
		wantEqual(t, name+": the causation", reply.Headers[wire.HeaderCausation], any(request.MessageId))
		if name == "a failure" {
			wantEqual(t, name+": the header", reply.Headers[wire.HeaderReplyError], any(errBusy.Error()))
			wantEqual(t, name+": the body", string(reply.Body), "")
			continue
		}
		wantEqual(t, name+": the body", string(reply.Body), `{"Text":"re: why?"}`)
	}
}

// Two processes serve, and are killed again and again while they are at it. Every call is answered.
func TestBrokerKilledServers(t *testing.T) {
	const askers, kills = 20, 8
	url := brokertest.URL(t)
	asking := dialBroker(t, url)
	d := requests(t, url, asking)
	running := []*exec.Cmd{child(t, d.Queue.Name), child(t, d.Queue.Name)}
	over := make(chan struct{})
	var all sync.WaitGroup
	for asker := range askers {
		all.Go(func() { askUntil(t, over, asking, d, asker) })
	}
	for i := range kills {
		at, answered := i%len(running), CallsOf(asking).Answered
		await(t, "some calls to be answered", func() bool { return CallsOf(asking).Answered > answered+askers })
		if err := running[at].Process.Kill(); err != nil {
			t.Fatal(err)
		}
		running[at].Wait()
		running[at] = child(t, d.Queue.Name)
	}
	close(over)
	all.Wait()
	c := CallsOf(asking)
	wantEqual(t, "what the client counts", c, Calls{Answered: c.Answered, Unmatched: c.Unmatched})
}

// askUntil asks one question after another, each of which must be answered.
func askUntil(t *testing.T, over <-chan struct{}, conn *acemq.Conn, d Declaration[question, answer], asker int) {
	client := NewClient(conn, d)
	for i := 0; ; i++ {
		select {
		case <-over:
			return
		default:
		}
		text := fmt.Sprintf("%d of %d", i, asker)
		a, err := client.Call(t.Context(), question{text})
		if t.Context().Err() != nil {
			return
		}
		if err != nil || a.Text != "re: "+text {
			t.Errorf("%s was answered %q, %v", text, a.Text, err)
		}
	}
}

// On a node of its own: connections are closed by the broker, and the broker is killed, while calls wait. Every call
// ends, and in the end nothing is left on the broker.
func TestBrokerLosses(t *testing.T) {
	node := brokertest.Node(t)
	// A queue an accident, so that what comes again after the first one is not taken for a request of the second.
	all := topology.New().Queue(questions + ".connections").Queue(questions + ".broker")
	if err := dialBroker(t, node.URL()).Declare(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	// RabbitMQ 3.10 may forget a quorum queue that was declared just before the node is killed.
	if err := errors.Join(node.Stop(t.Context()), node.Restart(t.Context())); err != nil {
		t.Fatal(err)
	}
	serving, asking := dialBroker(t, node.URL()), dialBroker(t, node.URL())
	for _, accident := range []struct {
		name   string
		happen func() error
		mend   func() error
	}{
		{"connections", func() error {
			_, err := node.Ctl(t.Context(), "close_all_connections", "a test")
			return err
		}, func() error { return nil }},
		{"broker", node.Kill, func() error { return node.Restart(t.Context()) }},
	} {
		t.Run(accident.name, func(t *testing.T) {
			d := named(questions + "." + accident.name)
			h := hold{release: make(chan struct{})}
			s := serveOn(t, serving, d, h.answer)
			wait := askAtOnce(t, asking, d, 50)
			await(t, "the requests to be handled", func() bool { return h.begun.Load() >= 50 }) // one may come twice
			if err := accident.happen(); err != nil {
				t.Fatal(err)
			}
			close(h.release) // the answers are to be sent while nothing stands
			if err := accident.mend(); err != nil {
				t.Fatal(err)
			}
			wait()
			if err := s.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	if err := asking.Close(t.Context()); err != nil {
		t.Error(err)
	}
	out, err := node.Ctl(t.Context(), "list_queues", "name", "--no-table-headers")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, queue := range all.Queues {
		want = append(want, queue.Name)
	}
	got := strings.Fields(out)
	slices.Sort(got)
	slices.Sort(want)
	wantEqual(t, "what is on the broker", strings.Join(got, " "), strings.Join(want, " "))
}

// hold holds every question until it is released.
type hold struct {
	begun   atomic.Int64
	release chan struct{}
}

func (h *hold) answer(ctx context.Context, m *acemq.Message[question]) (answer, error) {
	h.begun.Add(1)
	<-h.release
	return echo(ctx, m)
}

// askAtOnce asks so many questions at once. It returns what waits until all are answered.
func askAtOnce(t *testing.T, conn *acemq.Conn, d Declaration[question, answer], calls int) (wait func()) {
	client := NewClient(conn, d)
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() {
			text := fmt.Sprint(i)
			a, err := client.Call(t.Context(), question{text})
			if err != nil || a.Text != "re: "+text {
				t.Errorf("%s was answered %q, %v", text, a.Text, err)
			}
		})
	}
	t.Cleanup(all.Wait)
	return all.Wait
}

// await waits until something is so.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v in vain for %s", patience, what)
		}
	}
}
