package replay_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/internal/brokertest"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/replay"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// The tests of this file run on RabbitMQ, in real time.

// patience bounds the wait for what must happen.
const patience = time.Minute

func dialBroker(ctx context.Context, url string) (*acemq.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return acemq.Dial(ctx, url, acemq.WithLogger(slog.New(slog.DiscardHandler)))
}

// place is a queue of work on a broker, with the queues beside it.
type place struct {
	*testing.T
	url  string
	conn *acemq.Conn
	work string
}

func newPlace(t *testing.T, url string) *place {
	t.Helper()
	p := &place{T: t, url: url, work: "acemq-replay-" + rand.Text()[:10]}
	p.conn = p.dial()
	if err := p.conn.Declare(t.Context(), topology.New().Queue(p.work)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.delete)
	return p
}

// delete leaves nothing of the test on the broker.
func (p *place) delete() {
	conn, err := amqp.Dial(p.url)
	if err != nil {
		return // it was a broker of the test's own
	}
	defer conn.Close()
	ch, err := conn.Channel()
	for _, queue := range []string{p.work, p.dead(), wire.ParkedQueue(p.work)} {
		if err == nil {
			_, err = ch.QueueDelete(queue, false, false, false)
		}
	}
	if err != nil {
		p.Errorf("the queues of the test could not be deleted: %v", err)
	}
}

func (p *place) dial() *acemq.Conn {
	p.Helper()
	conn, err := dialBroker(p.Context(), p.url)
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func (p *place) dead() string { return wire.DeadLetterQueue(p.work) }

// fill sets n orders aside.
func (p *place) fill(n int) {
	p.Helper()
	var pending []*acemq.Confirmation
	for i := range n {
		c, err := p.conn.Republish(p.Context(), setAside(p.dead(), i))
		if err != nil {
			p.Fatal(err)
		}
		pending = append(pending, c)
	}
	for _, c := range pending {
		if err := c.Wait(p.Context()); err != nil {
			p.Fatal(err)
		}
	}
}

// ids takes all messages off a queue, and returns their ids.
func (p *place) ids(queue string) []string {
	p.Helper()
	conn := p.dial()
	defer conn.Close(context.Background())
	sub, err := conn.Subscribe(p.Context(), transport.Subscription{Queue: queue, Prefetch: 1000})
	if err != nil {
		p.Fatal(err)
	}
	var ids []string
	for {
		select {
		case d := <-sub.Deliveries():
			ids = append(ids, d.MessageID)
			if err := d.Ack(); err != nil {
				p.Fatal(err)
			}
		case <-time.After(time.Second):
			return ids
		}
	}
}

// wantEach checks that the queue of work has each of these messages, most of them once, and that the queue beside it
// has the others, once each.
func (p *place) wantEach(moved, stay []string, twice int) {
	p.Helper()
	wantList(p, "what is left", p.ids(p.dead()), stay)
	have := slices.Sorted(slices.Values(p.ids(p.work)))
	all := len(have)
	have = slices.Compact(have)
	wantSet(p, "the messages", have, moved)
	if again := all - len(have); again > twice {
		p.Errorf("%d messages are there twice, and %d may be", again, twice)
	}
}

// A long queue is replayed with a filter: the count is exact, and what was declined is where it was.
func TestBrokerReplay(t *testing.T) {
	const messages = 10_000
	p := newPlace(t, brokertest.URL(t))
	p.fill(messages)
	replays := replay.Typed[order](p.conn, p.dead()).Where(fromEU)
	n, err := replays.Pending(t.Context())
	wantEqual(t, "the error", err, nil)
	wantEqual(t, "what is pending", n, messages)
	result, err := replays.First(t.Context(), 1000)
	wantEqual(t, "the error", err, nil)
	wantEqual(t, "the number moved", result.Moved, 1000)
	result, err = replays.All(t.Context())
	wantEqual(t, "the error", err, nil)
	wantEqual(t, "the number moved", result.Moved, 3334-1000)
	wantEqual(t, "the number declined", result.Skipped, 6666)
	wantList(t, "the messages", p.ids(p.work), numbers(messages, inEU))
	wantList(t, "what is left", p.ids(p.dead()), numbers(messages, notInEU))
}

// The broker is killed twice in the middle, and the run goes on.
func TestBrokerKill(t *testing.T) {
	const messages = 10_000
	t.Parallel()
	node := brokertest.Node(t)
	p := newPlace(t, node.URL())
	p.fill(messages)
	seen, kills := 0, 0
	var restarts sync.WaitGroup
	replays := replay.Typed[order](p.conn, p.dead(), replay.OnProgress(func(so replay.Result) {
		if seen = so.Moved; seen < 1000*(kills+1) || kills == 2 {
			return
		}
		kills++
		if err := node.Kill(); err != nil {
			t.Error(err)
		}
		restarts.Go(func() {
			if err := node.Restart(context.Background()); err != nil {
				t.Error(err)
			}
		})
	})).Where(fromEU)
	result, err := replays.All(t.Context())
	restarts.Wait()
	wantEqual(t, "the error", err, nil)
	wantEqual(t, "the kills", kills, 2)
	wantEqual(t, "the result", result, replay.Result{From: p.dead(), Into: p.work, Moved: 3334, Skipped: 6666,
		Stopped: replay.Drained})
	p.wantEach(numbers(messages, inEU), numbers(messages, notInEU), 2*64)
}

// Two replays share a queue.
func TestBrokerTwoAtOnce(t *testing.T) {
	const messages = 4000
	p := newPlace(t, brokertest.URL(t))
	p.fill(messages)
	results := make(chan replay.Result)
	for range 2 {
		conn := p.dial()
		go func() {
			result, err := replay.New(conn, p.dead()).All(t.Context())
			if err != nil {
				t.Error(err)
			}
			results <- result
		}()
	}
	moved := (<-results).Moved + (<-results).Moved
	wantEqual(t, "the number moved", moved, messages)
	wantSet(t, "the messages", p.ids(p.work), numbers(messages, all))
	wantEqual(t, "the number left", len(p.ids(p.dead())), 0)
}

// The environment of a process that does nothing but replay.
const (
	envURL   = "ACEMQ_TEST_REPLAY_URL"
	envQueue = "ACEMQ_TEST_REPLAY_QUEUE"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(envURL); url != "" {
		os.Exit(replayer(url, os.Getenv(envQueue)))
	}
	os.Exit(m.Run())
}

// replayer replays a queue, and writes a line for each message.
func replayer(url, queue string) int {
	conn, err := dialBroker(context.Background(), url)
	if err == nil {
		_, err = replay.Typed[order](conn, queue, replay.OnProgress(func(so replay.Result) {
			fmt.Println(so.Moved)
		})).Where(fromEU).All(context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// The process of a replay is killed between publishes and acks, again and again. Its successors finish the work.
func TestBrokerProcessKilled(t *testing.T) {
	const messages, kills = 3000, 4
	p := newPlace(t, brokertest.URL(t))
	p.fill(messages)
	for i := range kills + 1 {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), envURL+"="+p.url, envQueue+"="+p.dead())
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			if i < kills && n == 100+37*i {
				child.Process.Kill()
			}
		}
		if err := child.Wait(); (err != nil) != (i < kills) {
			t.Fatalf("process %d: %v", i, err)
		}
		p.awaitSettled(messages)
	}
	p.wantEach(numbers(messages, inEU), numbers(messages, notInEU), kills*64)
}

// awaitSettled waits until the broker has taken back what a process held.
func (p *place) awaitSettled(messages int) {
	p.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		left, err := p.conn.Inspect(p.Context(), p.dead())
		if err != nil {
			p.Fatal(err)
		}
		moved, err := p.conn.Inspect(p.Context(), p.work)
		if err != nil {
			p.Fatal(err)
		}
		if left.Ready+moved.Ready >= messages && left.Consumers == 0 {
			return
		}
		if time.Now().After(deadline) {
			p.Fatalf("%d messages are ready in one queue and %d in the other", left.Ready, moved.Ready)
		}
	}
}
