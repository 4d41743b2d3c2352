package ordered

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// entry is the message of the tests.
type entry struct {
	Account string `json:"account"`
	Number  int    `json:"number"`
}

func (e entry) key() string { return e.Account }

// route returns the route of entries to an ordered queue.
func route(d Declaration) Route[entry] {
	return Route[entry]{Declaration: d, Key: entry.key, Type: "ledger.entry", Version: 1}
}

// one is an ordered queue of one partition, "ledger.0".
var one = Declaration{Name: "ledger", Partitions: 1}

// rig is a connection to a broker of its own in memory, with a ledger.
type rig struct {
	*testing.T
	name   string
	server *memory.Server
	ledger Declaration
	conn   *acemq.Conn
}

var rigs atomic.Int64

// bubble runs a test in virtual time. It fails where a goroutine does not end.
func bubble(t *testing.T, ledger Declaration, test func(r *rig), opts ...memory.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{T: t, name: fmt.Sprintf("ordered-%d", rigs.Add(1)), ledger: ledger}
		r.server = memory.Serve(r.name, opts...)
		t.Cleanup(r.server.Close)
		r.conn = r.dial()
		if err := r.conn.Declare(t.Context(), ledger.Topology()); err != nil {
			t.Fatal(err)
		}
		test(r)
		synctest.Wait()
	})
}

// dial opens another connection, closed at the end of the test.
func (r *rig) dial() *acemq.Conn {
	r.Helper()
	conn, err := acemq.Dial(r.Context(), "memory://"+r.name, acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() {
		if err := conn.Close(context.Background()); err != nil && !errors.Is(err, acemq.ErrDrainTimeout) {
			r.Errorf("close: %v", err)
		}
	})
	return conn
}

// send publishes entries of an account, numbered from one to another.
func (r *rig) send(account string, from, to int) (partition int) {
	r.Helper()
	p := NewPublisher(r.conn, route(r.ledger))
	for n := from; n <= to; n++ {
		var err error
		if partition, err = p.Publish(r.Context(), entry{account, n}); err != nil {
			r.Fatal(err)
		}
	}
	return partition
}

// put publishes a message as somebody else's library might.
func (r *rig) put(m transport.Message) {
	r.Helper()
	broker := memory.Open(r.name)
	defer broker.Close(context.Background())
	pending, err := broker.Publish(r.Context(), m)
	if err == nil {
		err = pending.Wait(r.Context())
	}
	if err != nil {
		r.Fatal(err)
	}
}

func (r *rig) consume(conn *acemq.Conn, handler Handler[entry], opts ...Option) *Consumer {
	r.Helper()
	c, err := Consume(r.Context(), conn, r.ledger, handler, opts...)
	if err != nil {
		r.Fatal(err)
	}
	return c
}

// sleep passes a time, and waits until all that it brought about is done.
func (r *rig) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// depth compares how many messages of a queue wait, and how many are delivered and not settled.
func (r *rig) depth(queue string, ready, unsettled int) {
	r.Helper()
	synctest.Wait()
	if gotReady, gotUnsettled := r.server.Depth(queue); gotReady != ready || gotUnsettled != unsettled {
		r.Errorf("%s has %d messages that wait and %d unsettled, want %d and %d", queue, gotReady, gotUnsettled, ready, unsettled)
	}
}

// reasons returns why the messages of a queue were set aside, in order.
func (r *rig) reasons(queue string) []string {
	r.Helper()
	synctest.Wait()
	var reasons []string
	for _, m := range r.server.Peek(queue) {
		reason, _ := m.Headers["x-acemq-error"].(string)
		reasons = append(reasons, reason)
	}
	return reasons
}

func (r *rig) wantHalted(c *Consumer, want ...int) {
	r.Helper()
	synctest.Wait()
	wantList(r, "the halted partitions", c.HaltedPartitions(), want)
}

func (r *rig) wantCounts(c *Consumer, want Counts) {
	r.Helper()
	synctest.Wait()
	if got := c.Counts(); got != want {
		r.Errorf("counted %+v,\nwant %+v", got, want)
	}
}

func wantList[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s are %v, want %v", what, got, want)
	}
}

var errBusy = errors.New("the ledger is busy")

// ledger is a handler that keeps what it is given, and fails as the test says.
type ledger struct {
	mu    sync.Mutex
	fail  func(m *acemq.Message[entry]) error // nil: never
	seen  []int                               // the numbers of the entries that it was given
	times []time.Duration
	done  []int // of those that it took
	start time.Time
}

// failing returns a ledger whose entries fail as fail says.
func failing(fail func(m *acemq.Message[entry]) error) *ledger {
	return &ledger{fail: fail, start: time.Now()}
}

// failingAt returns a ledger that fails with entries of these numbers.
func failingAt(err error, numbers ...int) *ledger {
	return failing(func(m *acemq.Message[entry]) error {
		if slices.Contains(numbers, m.Payload.Number) {
			return err
		}
		return nil
	})
}

// heal ends the failures.
func (l *ledger) heal() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fail = nil
}

func (l *ledger) handle(_ context.Context, m *acemq.Message[entry]) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen = append(l.seen, m.Payload.Number)
	l.times = append(l.times, time.Since(l.start))
	if l.fail != nil {
		if err := l.fail(m); err != nil {
			return err
		}
	}
	l.done = append(l.done, m.Payload.Number)
	return nil
}

// wantSeen compares the numbers of the entries that the handler was given.
func (r *rig) wantSeen(l *ledger, want ...int) {
	r.Helper()
	synctest.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	wantList(r, "the entries that were handled", l.seen, want)
}
