package acemq

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

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// order is the message of the tests.
type order struct {
	ID string `json:"id"`
}

const work = "work" // the queue that the tests consume

// rig is a connection to a broker of its own in memory, whose publishes can be made to fail.
type rig struct {
	*testing.T
	name   string
	server *memory.Server
	conn   *Conn
	broker *faulty
}

// bubble runs a test in virtual time, on a rig with the queue work. It fails where a goroutine does not end.
func bubble(t *testing.T, test func(r *rig), opts ...DialOption) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, opts...)
		r.declare(Queue{Name: work})
		test(r)
		synctest.Wait()
	})
}

var rigs atomic.Int64

func newRig(t *testing.T, opts ...DialOption) *rig {
	t.Helper()
	opts = append([]DialOption{WithService("tests"), WithLogger(slog.New(slog.DiscardHandler))}, opts...)
	s, err := newSettings(opts)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{T: t, name: fmt.Sprintf("acemq-%d", rigs.Add(1))}
	r.server = memory.Serve(r.name)
	t.Cleanup(r.server.Close)
	r.connect(s)
	return r
}

// connect opens the connection, which is closed at the end of the test.
func (r *rig) connect(s settings) {
	r.broker = &faulty{Broker: memory.Open(r.name), server: r.server}
	conn := newConn(r.broker, s)
	r.conn = conn
	r.Cleanup(func() {
		if err := conn.Close(context.Background()); err != nil && !errors.Is(err, ErrDrainTimeout) {
			r.Errorf("close: %v", err)
		}
	})
}

// crash ends the connection as the end of the process would, and opens another one.
func (r *rig) crash() {
	r.Helper()
	if err := r.broker.Broker.Close(context.Background()); err != nil {
		r.Fatal(err)
	}
	r.connect(r.conn.settings)
}

// sleep passes a time, and waits until all that it brought about is done.
func (r *rig) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// declare declares a queue of work with what belongs to it.
func (r *rig) declare(q Queue) {
	r.Helper()
	if err := r.conn.Declare(r.Context(), topology.New().Queue(q.Name, topology.Retry(q.Retry))); err != nil {
		r.Fatal(err)
	}
}

// put publishes a message past the engine and its faults.
func (r *rig) put(m transport.Message) {
	r.Helper()
	pending, err := r.broker.Broker.Publish(r.Context(), m)
	if err == nil {
		err = pending.Wait(r.Context())
	}
	if err != nil {
		r.Fatal(err)
	}
}

// putOrder publishes an order to work as a publisher of the family does.
func (r *rig) putOrder(id string) {
	r.Helper()
	e := Envelope{ID: id, Type: "order.placed", Correlation: "flow-" + id}
	e = e.Complete(wire.Arrival{Now: time.Now()})
	r.put(transport.Message{
		Key:         work,
		MessageID:   id,
		ContentType: "application/json",
		Body:        fmt.Appendf(nil, `{ "id": %q }`, id), // spaces: no encoder of ours writes them
		ReplyTo:     "answers",
		Priority:    3,
		Headers:     e.Headers(Headers{"x-tenant": "acme"}),
	})
}

// consume starts a consumer of work.
func (r *rig) consume(q Queue, handler Handler[order], opts ...ConsumeOption) *Consumer {
	r.Helper()
	q.Name = work
	c, err := Consume(r.Context(), r.conn, q, handler, opts...)
	if err != nil {
		r.Fatal(err)
	}
	return c
}

// take empties a queue.
func (r *rig) take(queue string) []*transport.Delivery {
	r.Helper()
	sub, err := r.broker.Broker.Consume(r.Context(), transport.Subscription{Queue: queue, Prefetch: 1000})
	if err != nil {
		r.Fatal(err)
	}
	defer sub.Close(context.Background())
	var taken []*transport.Delivery
	for {
		synctest.Wait()
		select {
		case d := <-sub.Deliveries():
			if err := d.Ack(); err != nil {
				r.Fatal(err)
			}
			taken = append(taken, d)
		default:
			return taken
		}
	}
}

// takeOne empties a queue that has one message.
func (r *rig) takeOne(queue string) *transport.Delivery {
	r.Helper()
	taken := r.take(queue)
	if len(taken) != 1 {
		r.Fatalf("%s has %d messages, want 1", queue, len(taken))
	}
	return taken[0]
}

// ready counts the messages that wait in a queue, -1 where there is no such queue.
func (r *rig) ready(queue string) int {
	r.Helper()
	synctest.Wait()
	state, err := r.conn.Inspect(r.Context(), queue)
	if missing := new(NotFoundError); errors.As(err, &missing) {
		return -1
	}
	if err != nil {
		r.Fatal(err)
	}
	return state.Ready
}

// wantCounts compares what a consumer counted.
func (r *rig) wantCounts(c *Consumer, want Counts) {
	r.Helper()
	synctest.Wait()
	if got := c.Counts(); got != want {
		r.Errorf("counted %+v,\nwant %+v", got, want)
	}
}

// script is a handler that answers by a list, and then accepts. It keeps what it saw.
type script struct {
	mu      sync.Mutex
	answers []Ack
	seen    []*Message[order]
	start   time.Time
}

func answers(list ...Ack) *script { return &script{answers: list, start: time.Now()} }

func (s *script) handle(_ context.Context, m *Message[order]) Ack {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, m)
	if n := len(s.seen); n <= len(s.answers) {
		return s.answers[n-1]
	}
	return Accept()
}

// times returns when the handler was called, since the script began.
func (s *script) times() []time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	var times []time.Duration
	for _, m := range s.seen {
		times = append(times, m.ReceivedAt.Sub(s.start))
	}
	return times
}

func (s *script) attempts() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var attempts []int
	for _, m := range s.seen {
		attempts = append(attempts, m.Attempt())
	}
	return attempts
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
		t.Errorf("%s are %v, want %v", what, got, want)
	}
}

// forbidDeclare makes every declaration fail, until allowDeclare.
func (b *faulty) forbidDeclare() { b.forbidden.Store(true) }
func (b *faulty) allowDeclare()  { b.forbidden.Store(false) }

func (b *faulty) Declare(ctx context.Context, t *topology.Topology) error {
	if b.forbidden.Load() {
		return errors.New("access refused")
	}
	return b.Broker.Declare(ctx, t)
}

// fault is what happens to a publish.
type fault int

const (
	works         fault = iota
	nacked              // the broker refuses it
	refused             // nothing is written
	lostOnTheWay        // it never arrives, and no answer comes
	lostOnTheBack       // it arrives, and no answer comes
	lostAfter           // it arrives and is confirmed, and then the connection is lost
)

// faulty is a broker whose publishes fail as a script says.
type faulty struct {
	transport.Broker
	server *memory.Server

	forbidden atomic.Bool

	mu   sync.Mutex
	plan func(m transport.Message, nth int) fault // nil: all works
	sent []transport.Message
}

// fail sets the script. It is asked for each publish, counted from 1 for each key.
func (b *faulty) fail(plan func(m transport.Message, nth int) fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.plan = plan
}

func (b *faulty) next(m transport.Message) fault {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sent = append(b.sent, m)
	if b.plan == nil {
		return works
	}
	nth := 0
	for _, other := range b.sent {
		if other.Key == m.Key {
			nth++
		}
	}
	return b.plan(m, nth)
}

// messages returns what was published, in order.
func (b *faulty) messages() []transport.Message {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.sent)
}

func (b *faulty) Publish(ctx context.Context, m transport.Message) (transport.Pending, error) {
	at := m.Address()
	switch b.next(m) {
	case nacked:
		return answered{&NackedError{Address: at}}, nil
	case refused:
		return nil, &RefusedError{Address: at, Cause: errors.New("the connection is blocked")}
	case lostOnTheWay:
		return answered{&UnknownError{Address: at, Cause: errors.New("the connection was cut")}}, nil
	case lostOnTheBack:
		return b.publishAndThen(ctx, m, &UnknownError{Address: at, Cause: errors.New("the connection was cut")}, func() {})
	case lostAfter:
		return b.publishAndThen(ctx, m, nil, b.server.Cut)
	}
	return b.Broker.Publish(ctx, m)
}

// publishAndThen publishes a message, has something happen once it is confirmed, and answers.
func (b *faulty) publishAndThen(ctx context.Context, m transport.Message, answer error, then func()) (transport.Pending, error) {
	pending, err := b.Broker.Publish(ctx, m)
	if err != nil {
		return nil, err
	}
	if err := pending.Wait(ctx); err != nil {
		return nil, err
	}
	then()
	return answered{answer}, nil
}

// answered is a pending message whose answer is there.
type answered struct{ err error }

func (a answered) Wait(context.Context) error { return a.err }

func (a answered) Done() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}
