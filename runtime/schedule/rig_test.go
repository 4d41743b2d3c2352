package schedule_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/schedule"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// invoice is the message of the tests.
type invoice struct {
	ID string `json:"id"`
}

// Where invoices go.
const (
	billing = "billing"     // the exchange
	due     = "invoice.due" // the key
	inbox   = "invoices"    // the queue
)

var route = acemq.Route[invoice]{Exchange: billing, Key: due, Type: "invoice.due", Version: 2}

// rig is a connection to a broker of its own in memory, with the exchange billing and the queue invoices.
type rig struct {
	*testing.T
	server *memory.Server
	url    string
	conn   *acemq.Conn
	events *events
}

// bubble runs a test in virtual time. It fails where a goroutine does not end.
func bubble(t *testing.T, test func(r *rig), opts ...memory.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, opts...)
		r.declare()
		test(r)
		synctest.Wait()
	})
}

var rigs atomic.Int64

func newRig(t *testing.T, opts ...memory.Option) *rig {
	name := fmt.Sprintf("schedule-%d", rigs.Add(1))
	r := &rig{T: t, server: memory.Serve(name, opts...), url: "memory://" + name, events: new(events)}
	t.Cleanup(r.server.Close)
	r.conn = r.dial()
	return r
}

// dial opens a connection, which is closed at the end of the test.
func (r *rig) dial() *acemq.Conn {
	r.Helper()
	conn, err := acemq.Dial(r.Context(), r.url, acemq.WithService("tests"), acemq.WithLogger(slog.New(r.events)))
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() {
		if err := conn.Close(context.Background()); err != nil {
			r.Errorf("close: %v", err)
		}
	})
	return conn
}

// declare declares where invoices go.
func (r *rig) declare() {
	r.Helper()
	t := topology.New().Exchange(billing, topology.Topic).Queue(inbox).Bind(inbox, billing, due)
	if err := r.conn.Declare(r.Context(), t); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) run(conn *acemq.Conn) *schedule.Scheduler {
	r.Helper()
	s, err := schedule.Run(r.Context(), conn)
	if err != nil {
		r.Fatal(err)
	}
	return s
}

// after schedules an invoice on the rig's connection.
func (r *rig) after(d time.Duration, id string, opts ...acemq.PublishOption) {
	r.Helper()
	opts = append([]acemq.PublishOption{acemq.WithID(id)}, opts...)
	if err := schedule.After(r.Context(), acemq.NewPublisher(r.conn, route), d, invoice{id}, opts...); err != nil {
		r.Fatal(err)
	}
}

// put publishes a message past everything.
func (r *rig) put(m transport.Message) {
	r.Helper()
	broker := memory.Open(r.url[len("memory://"):])
	defer broker.Close(context.Background())
	pending, err := broker.Publish(r.Context(), m)
	if err == nil {
		err = pending.Wait(r.Context())
	}
	if err != nil {
		r.Fatal(err)
	}
}

// sleep passes a time, and waits until all that it brought about is done.
func (r *rig) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// ready counts the messages that wait in a queue.
func (r *rig) ready(queue string) int {
	ready, _ := r.server.Depth(queue)
	return ready
}

// wantCounts compares the counts of a scheduler's connection.
func (r *rig) wantCounts(s *schedule.Scheduler, want schedule.Counts) {
	r.Helper()
	synctest.Wait()
	if got := s.Counts(); got != want {
		r.Errorf("counted %+v,\nwant %+v", got, want)
	}
}

// arrival is a message that came to the inbox.
type arrival struct {
	*transport.Delivery
	after time.Duration // since the inbox was watched
}

// arrivals are the messages that came to the inbox, in their order.
type arrivals struct {
	mu   sync.Mutex
	list []arrival
}

// watch takes what comes to the inbox, on a connection of its own.
func (r *rig) watch() *arrivals {
	r.Helper()
	sub, err := r.dial().Subscribe(r.Context(), transport.Subscription{Queue: inbox, Prefetch: 100})
	if err != nil {
		r.Fatal(err)
	}
	a, start := new(arrivals), time.Now()
	go func() {
		for d := range sub.Deliveries() {
			if d.Ack() == nil { // one that is lost comes again
				a.add(arrival{d, time.Since(start)})
			}
		}
	}()
	return a
}

func (a *arrivals) add(d arrival) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = append(a.list, d)
}

func (a *arrivals) all() []arrival {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.list)
}

// ids returns the message ids, in the order of arrival.
func (a *arrivals) ids() []string {
	var ids []string
	for _, d := range a.all() {
		ids = append(ids, d.MessageID)
	}
	return ids
}

// times returns when the messages came.
func (a *arrivals) times() []time.Duration {
	var times []time.Duration
	for _, d := range a.all() {
		times = append(times, d.after)
	}
	return times
}

// events counts the log's records by their event.
type events struct {
	mu     sync.Mutex
	counts map[string]int
}

func (e *events) Enabled(context.Context, slog.Level) bool { return true }
func (e *events) WithAttrs([]slog.Attr) slog.Handler       { return e }
func (e *events) WithGroup(string) slog.Handler            { return e }

func (e *events) Handle(_ context.Context, record slog.Record) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	record.Attrs(func(a slog.Attr) bool {
		if a.Key == "event" {
			if e.counts == nil {
				e.counts = make(map[string]int)
			}
			e.counts[a.Value.String()]++
		}
		return true
	})
	return nil
}

func (e *events) count(event string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.counts[event]
}

func wantEqual[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func wantList[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s are %v,\nwant %v", what, got, want)
	}
}
