package pipeline

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// What the pipeline of the tests takes: an order, a valid one, a priced one.
type (
	order       struct{ ID string }
	validOrder  struct{ ID, By string }
	pricedOrder struct {
		ID    string
		Cents int
	}
)

var errBusy = errors.New("the price list is busy")

// fulfilment is the pipeline of the tests: validate, price and ship.
func fulfilment(form wire.Form) *Declaration {
	return &Declaration{Name: "orders", Type: "order", Version: 2, WriteAs: form, Steps: []Step{
		{Name: "validate", Queue: acemq.Queue{Retry: acemq.Fixed(3, time.Second)}},
		{Name: "price", Queue: acemq.Queue{Retry: acemq.Fixed(3, time.Minute)}},
		{Name: "ship", Queue: acemq.Queue{Retry: acemq.NoRetry()}},
	}}
}

// steps are handlers of the three steps that keep what they saw. An answer that is not set works.
type steps struct {
	answer map[string]func(id string, attempt int) error // by step

	mu   sync.Mutex
	seen map[string][]seen // by step
}

// seen is what a step saw of a message.
type seen struct {
	payload  any
	envelope acemq.Envelope
	headers  acemq.Headers // as received
	replyTo  string
}

func newSteps() *steps {
	return &steps{answer: make(map[string]func(string, int) error), seen: make(map[string][]seen)}
}

// fails has a step answer one order with errors, one an attempt, and then work.
func (s *steps) fails(step, id string, with ...error) {
	s.answer[step] = func(got string, attempt int) error {
		if got != id || attempt > len(with) {
			return nil
		}
		return with[attempt-1]
	}
}

func note[T any](s *steps, step, id string, m *acemq.Message[T]) error {
	s.mu.Lock()
	s.seen[step] = append(s.seen[step], seen{m.Payload, m.Envelope, m.WireHeaders(), m.ReplyTo})
	s.mu.Unlock()
	if answer := s.answer[step]; answer != nil {
		return answer(id, m.Attempt())
	}
	return nil
}

func (s *steps) validate(_ context.Context, m *acemq.Message[order]) (validOrder, error) {
	return validOrder{m.Payload.ID, "us"}, note(s, "validate", m.Payload.ID, m)
}

func (s *steps) price(_ context.Context, m *acemq.Message[validOrder]) (pricedOrder, error) {
	return pricedOrder{m.Payload.ID, 100}, note(s, "price", m.Payload.ID, m)
}

func (s *steps) ship(_ context.Context, m *acemq.Message[pricedOrder]) error {
	return note(s, "ship", m.Payload.ID, m)
}

// handlers returns the handlers of all steps, or of those that are named.
func (s *steps) handlers(names ...string) []Handler {
	all := []Handler{On("validate", s.validate), On("price", s.price), OnSink("ship", s.ship)}
	if len(names) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(h Handler) bool { return !slices.Contains(names, h.step) })
}

// at returns what a step saw, in order.
func (s *steps) at(step string) []seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen[step])
}

// calls returns how often each step ran.
func (s *steps) calls() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := make(map[string]int)
	for step, seen := range s.seen {
		calls[step] = len(seen)
	}
	return calls
}

// rig is a broker in memory and a connection to it.
type rig struct {
	*testing.T
	name   string
	server *memory.Server
	conn   *acemq.Conn
	steps  *steps
}

var rigs atomic.Int64

// bubble runs a test in virtual time, on a rig.
func bubble(t *testing.T, test func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{T: t, name: fmt.Sprintf("pipeline-%d", rigs.Add(1)), steps: newSteps()}
		r.server = memory.Serve(r.name)
		t.Cleanup(r.server.Close)
		r.conn = r.dial()
		test(r)
		synctest.Wait()
	})
}

// bothForms runs a test once for each form of a slip.
func bothForms(t *testing.T, test func(r *rig, d *Declaration)) {
	t.Helper()
	for _, form := range []wire.Form{wire.FormDeclared, wire.FormItinerary} {
		t.Run(form.String(), func(t *testing.T) {
			bubble(t, func(r *rig) { test(r, fulfilment(form)) })
		})
	}
}

// dial opens one more connection, which is closed at the end of the test.
func (r *rig) dial() *acemq.Conn {
	r.Helper()
	conn, err := acemq.Dial(r.Context(), "memory://"+r.name, acemq.WithService("tests"), acemq.WithLogger(slog.New(slog.DiscardHandler)))
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

// run starts the steps of the rig, or those that are named.
func (r *rig) run(d *Declaration, names ...string) *Pipeline[order] {
	r.Helper()
	p, err := Run[order](r.Context(), r.conn, d, r.steps.handlers(names...))
	if err != nil {
		r.Fatal(err)
	}
	return p
}

func (r *rig) send(p *Pipeline[order], id string, opts ...acemq.PublishOption) {
	r.Helper()
	if err := p.Send(r.Context(), order{id}, append(opts, acemq.WithID(id))...); err != nil {
		r.Fatal(err)
	}
}

// put publishes a message of somebody else.
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

// sleep passes a time, and waits until all that it brought about is done.
func (r *rig) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// pull takes the one message of a queue and accepts it.
func pull[T any](r *rig, queue string) *acemq.Pulled[T] {
	r.Helper()
	if n := len(r.server.Peek(queue)); n != 1 {
		r.Fatalf("%s has %d messages, want 1", queue, n)
	}
	m, err := acemq.Pull[T](r.Context(), r.conn, queue)
	if err == nil {
		err = m.Accept(r.Context())
	}
	if err != nil {
		r.Fatal(err)
	}
	return m
}

// counts is what a pipeline counted.
type counts struct{ entered, completed, endedEarly, inFlight int64 }

func countsOf(p *Pipeline[order]) counts {
	return counts{p.Entered(), p.Completed(), p.EndedEarly(), p.InFlight()}
}

func (r *rig) wantCounts(p *Pipeline[order], want counts) {
	r.Helper()
	synctest.Wait()
	if got := countsOf(p); got != want {
		r.Errorf("counted %+v, want %+v", got, want)
	}
}

func (r *rig) wantCalls(validate, price, ship int) {
	r.Helper()
	synctest.Wait()
	want := map[string]int{"validate": validate, "price": price, "ship": ship}
	maps.DeleteFunc(want, func(_ string, n int) bool { return n == 0 })
	if got := r.steps.calls(); !maps.Equal(got, want) {
		r.Errorf("the steps ran %v times, want %v", got, want)
	}
}

func wantEqual[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
