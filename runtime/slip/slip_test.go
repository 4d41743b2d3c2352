package slip

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
	"github.com/acemq/acemq-gen/runtime/wire"
)

type order struct {
	ID    string
	Cents int
}

var errBusy = errors.New("the price list is busy")

// checkout is the slip of the tests: validate, price, fraud and ship, of which a message visits some.
func checkout(form wire.Form) *Declaration {
	d := &Declaration{Name: "checkout", WriteAs: form}
	for _, name := range []string{"validate", "price", "fraud", "ship"} {
		d.Stops = append(d.Stops, Stop{Name: name, Exchange: "orders-events", Key: "order." + name,
			Queue: acemq.Queue{Retry: acemq.NoRetry()}})
	}
	return d
}

func declare(d *Declaration) *topology.Topology {
	t := topology.New().Exchange("orders-events", topology.Topic)
	for _, stop := range d.Stops {
		t.Queue(d.QueueFor(stop.Name)).Bind(d.QueueFor(stop.Name), stop.Exchange, stop.Key)
	}
	return t
}

// rig is a broker in memory with the stops of a slip, each of which notes who comes by.
type rig struct {
	*testing.T
	server *memory.Server
	conn   *acemq.Conn
	slip   *Declaration
	fail   map[string]error // by stop

	mu   sync.Mutex
	went []string
	last *acemq.Message[order]
}

var rigs atomic.Int64

// bothForms runs a test in virtual time, once for each form of a slip.
func bothForms(t *testing.T, test func(r *rig)) {
	t.Helper()
	for _, form := range []wire.Form{wire.FormDeclared, wire.FormItinerary} {
		t.Run(form.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				name := fmt.Sprintf("slip-%d", rigs.Add(1))
				r := &rig{T: t, server: memory.Serve(name), slip: checkout(form), fail: make(map[string]error)}
				t.Cleanup(r.server.Close)
				r.dial(name)
				test(r)
				synctest.Wait()
			})
		})
	}
}

func (r *rig) dial(name string) {
	r.Helper()
	conn, err := acemq.Dial(r.Context(), "memory://"+name, acemq.WithService("tests"), acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err == nil {
		err = conn.Declare(r.Context(), declare(r.slip))
	}
	if err != nil {
		r.Fatal(err)
	}
	r.conn = conn
	r.Cleanup(func() {
		if err := conn.Close(context.Background()); err != nil {
			r.Error(err)
		}
	})
}

// handle runs stops, all of them where none is named. Each adds a cent.
func (r *rig) handle(stops ...string) {
	r.Helper()
	if len(stops) == 0 {
		stops = []string{"validate", "price", "fraud", "ship"}
	}
	for _, stop := range stops {
		_, err := Handle(r.Context(), r.conn, r.slip, stop, func(_ context.Context, m *acemq.Message[order]) (order, error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.went, r.last = append(r.went, stop), m
			return order{m.Payload.ID, m.Payload.Cents + 1}, r.fail[stop]
		})
		if err != nil {
			r.Fatal(err)
		}
	}
}

func (r *rig) plan(stops ...string) Plan[order] {
	p := NewPlan[order](r.slip, "order", 3)
	for _, stop := range stops {
		p = p.Then(stop)
	}
	return p
}

// put sends a message of somebody else, with a slip in either form, to a queue.
func (r *rig) put(queue string, slip acemq.Headers) {
	r.Helper()
	o := acemq.Outgoing{Key: queue, Envelope: acemq.Envelope{ID: "1"}, Headers: slip, Body: []byte(`{"ID":"1"}`)}
	o.Envelope.Route.Steps, _ = slip[wire.HeaderRoute].(string)
	if err := r.conn.Send(r.Context(), o); err != nil {
		r.Fatal(err)
	}
	synctest.Wait()
}

func (r *rig) wantWay(stops ...string) {
	r.Helper()
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if got, want := strings.Join(r.went, " "), strings.Join(stops, " "); got != want {
		r.Errorf("went %q, want %q", got, want)
	}
}

// deadLetter takes the one message that a stop gave up.
func (r *rig) deadLetter(stop string) *acemq.Pulled[order] {
	r.Helper()
	synctest.Wait()
	m, err := acemq.Pull[order](r.Context(), r.conn, r.slip.QueueFor(stop)+".dlq")
	if err != nil || m == nil {
		r.Fatalf("pulled %v, %v", m, err)
	}
	if err := m.Accept(r.Context()); err != nil {
		r.Fatal(err)
	}
	return m
}

// Each message takes the way it was planned.
func TestPlans(t *testing.T) {
	for _, stops := range [][]string{{"ship"}, {"validate", "ship"}, {"validate", "price", "fraud", "ship"}, {"price", "validate", "price"}} {
		bothForms(t, func(r *rig) {
			r.handle()
			err := r.plan(stops...).Send(r.Context(), r.conn, order{ID: "1"}, acemq.WithID("1"), acemq.WithHeader("x-tenant", "acme"))
			if err != nil {
				t.Fatal(err)
			}
			r.wantWay(stops...)
			m := r.last
			if m.Payload.Cents != len(stops)-1 || m.Envelope.Type != "order" || m.Envelope.Version != 3 || m.Envelope.ID != "1" ||
				m.Attempt() != 1 || m.Header("x-tenant") != "acme" {
				t.Errorf("the last stop saw %+v", m)
			}
			s, found, err := Of(m)
			if stop, _ := s.Current(); err != nil || !found || s.Form != r.slip.WriteAs || stop.Name != stops[len(stops)-1] ||
				!s.Advance(time.Now()).IsFinished() {
				t.Errorf("the slip is %+v, %v, %v", s, found, err)
			}
			same, _, err := From(m.WireHeaders())
			if here, _ := same.Current(); err != nil || here.Name != stops[len(stops)-1] {
				t.Errorf("the headers say %+v, %v", same, err)
			}
		})
	}
}

func TestPlansThatGoNowhere(t *testing.T) {
	bothForms(t, func(r *rig) {
		long := make([]string, 2500)
		for i := range long {
			long[i] = "validate"
		}
		r.slip.Stops[1].Queue.Idempotent = time.Hour
		for name, plan := range map[string]Plan[order]{
			`comes twice to the stop "price", which is idempotent`: r.plan("price", "validate", "price"),
			"has no stop to go to":                                 r.plan(),
			`slip "checkout" has no stop "refund"`:                 r.plan("validate", "refund"),
			"of 2500 stops grows to":                               r.plan(long...),
		} {
			var refused *acemq.RefusedError
			if err := plan.Send(r.Context(), r.conn, order{}); !errors.As(err, &refused) || !strings.Contains(err.Error(), name) {
				t.Errorf("got %v, want %q in it", err, name)
			}
		}
	})
}

// Two plans that begin alike do not share what follows.
func TestPlansAreValues(t *testing.T) {
	bothForms(t, func(r *rig) {
		start := r.plan("validate", "price", "fraud")
		a, b := start.Then("ship"), start.Then("price")
		for plan, want := range map[*Plan[order]]int{&start: 3, &a: 4, &b: 4} {
			s, err := plan.Slip()
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for ; !s.IsFinished(); s = s.Advance(time.Now()) {
				n++
			}
			if n != want {
				t.Errorf("the plan has %d stops, want %d", n, want)
			}
		}
		if a.stops[3] != "ship" || b.stops[3] != "price" {
			t.Errorf("the plans go to %v and %v", a.stops, b.stops)
		}
	})
}

func TestHandleRefused(t *testing.T) {
	work := func(context.Context, *acemq.Message[order]) (order, error) { return order{}, nil }
	bothForms(t, func(r *rig) {
		if _, err := Handle(r.Context(), r.conn, r.slip, "refund", work); err == nil || !strings.Contains(err.Error(), `has no stop "refund"`) {
			t.Errorf("no such stop: %v", err)
		}
		if _, err := Handle[order, order](r.Context(), r.conn, r.slip, "ship", nil); err == nil {
			t.Error("a nil function is taken")
		}
		bad := &Declaration{Name: "checkout", Stops: []Stop{{Name: "a,b"}}}
		if _, err := Handle(r.Context(), r.conn, bad, "a,b", work); err == nil || !strings.Contains(err.Error(), `the name "a,b"`) {
			t.Errorf("bad name: %v", err)
		}
		r.server.DeleteQueue("checkout.ship")
		var missing *acemq.NotFoundError
		if _, err := Handle(r.Context(), r.conn, r.slip, "ship", work); !errors.As(err, &missing) {
			t.Errorf("no queue: %v", err)
		}
	})
}

func TestEndOfSlip(t *testing.T) {
	bothForms(t, func(r *rig) {
		r.fail["validate"] = fmt.Errorf("a duplicate: %w", End)
		r.handle()
		if err := r.plan("validate", "ship").Send(r.Context(), r.conn, order{}); err != nil {
			t.Fatal(err)
		}
		r.wantWay("validate")
		if n := len(r.server.Peek("checkout.validate.dlq")); n != 0 {
			t.Errorf("%d messages are dead", n)
		}
	})
}

// A slip is input: what it says is followed to the declared stops, and nothing else is done.
func TestSlipsAreInput(t *testing.T) {
	to := func(stops string) acemq.Headers {
		return acemq.Headers{wire.HeaderItinerary: `{"steps":[{},` + stops + `]}`}
	}
	for _, test := range []struct {
		name    string
		headers acemq.Headers
		went    string
		reason  string
	}{
		{"declared stop", to(`{"exchange":"orders-events","routingKey":"order.ship"}`), "price ship", ""},
		{"declared stop by its queue", to(`{"exchange":"","routingKey":"checkout.ship"}`), "price ship", ""},
		{"declared stop by its name", acemq.Headers{wire.HeaderRoute: "price,ship"}, "price ship", ""},
		{"another key", to(`{"exchange":"orders-events","routingKey":"order.refund","name":"ship"}`), "",
			`leads to the stop "ship", exchange "orders-events" with key "order.refund", which slip "checkout" does not declare`},
		{"another queue", to(`{"exchange":"","routingKey":"payroll"}`), "", `the default exchange with key "payroll"`},
		{"another name", acemq.Headers{wire.HeaderRoute: "price,payroll"}, "", `leads to the stop "payroll"`},
		{"none", nil, "", "the message carries no routing slip"},
		{"unreadable", acemq.Headers{wire.HeaderItinerary: "[]"}, "", "is no itinerary"},
	} {
		t.Run(test.name, func(t *testing.T) {
			bothForms(t, func(r *rig) {
				r.handle()
				r.put("checkout.price", test.headers)
				r.wantWay(strings.Fields(test.went)...)
				if test.reason == "" {
					return
				}
				if reason := r.deadLetter("price").Envelope.Error; !strings.Contains(reason, test.reason) {
					t.Errorf("the reason is %q, want %q in it", reason, test.reason)
				}
			})
		})
	}
}

// Who trusts everybody goes anywhere that has an address, and nowhere that has none.
func TestAnyDestination(t *testing.T) {
	bothForms(t, func(r *rig) {
		r.slip.AnyDestination = true
		if err := r.conn.Declare(r.Context(), topology.New().Queue("payroll")); err != nil {
			t.Fatal(err)
		}
		r.handle()
		r.put("checkout.price", acemq.Headers{wire.HeaderItinerary: `{"steps":[{},{"exchange":"","routingKey":"payroll"}]}`})
		if n := len(r.server.Peek("payroll")); n != 1 {
			t.Errorf("%d messages arrived", n)
		}
		r.put("checkout.price", acemq.Headers{wire.HeaderItinerary: `{"steps":[{},{"exchange":"nowhere","routingKey":"k"}]}`})
		if reason := r.deadLetter("price").Envelope.Error; !strings.Contains(reason, "message 1 to nowhere") {
			t.Errorf("the reason is %q", reason)
		}
		r.put("checkout.price", acemq.Headers{wire.HeaderRoute: "price,payroll"})
		if reason := r.deadLetter("price").Envelope.Error; !strings.Contains(reason, `leads to the stop "payroll"`) {
			t.Errorf("the reason is %q", reason)
		}
	})
}

// A consumer that follows a slip by hand may skip a stop, as the family's own do.
func TestForwardByHand(t *testing.T) {
	bothForms(t, func(r *rig) {
		r.handle("fraud", "ship")
		skip := func(ctx context.Context, m *acemq.Message[order]) error {
			s, _, err := Of(m)
			if err != nil {
				return acemq.Fatal(err)
			}
			for range 2 { // over fraud
				s = s.Advance(time.Now())
			}
			return Forward(ctx, r.conn, r.slip, s, m.Payload, m)
		}
		queue := acemq.Queue{Name: "checkout.price", Retry: acemq.NoRetry()}
		if _, err := acemq.Consume(r.Context(), r.conn, queue, acemq.Handle(skip)); err != nil {
			t.Fatal(err)
		}
		if err := r.plan("price", "fraud", "ship").Send(r.Context(), r.conn, order{}); err != nil {
			t.Fatal(err)
		}
		r.wantWay("ship")
		if err := r.plan("price").Send(r.Context(), r.conn, order{}); err != nil {
			t.Fatal(err)
		}
		reason := r.deadLetter("price").Envelope.Error
		if !strings.Contains(reason, "unprocessable message: the "+r.slip.WriteAs.String()+" has no stop left") {
			t.Errorf("the reason is %q", reason)
		}
	})
}

func TestSendAlong(t *testing.T) {
	bothForms(t, func(r *rig) {
		r.handle()
		s := Itinerary{}.Then("orders-events", "order.validate", "").Then("", "checkout.ship", "ship").Slip()
		if err := SendAlong(r.Context(), r.conn, Anywhere(), s, order{}); err != nil {
			t.Fatal(err)
		}
		r.wantWay("validate", "ship")
		if r.last.Envelope.Type != "order.validate" {
			t.Errorf("the type is %q", r.last.Envelope.Type)
		}
		declared, err := wire.NewRoute("run", "validate")
		if err != nil {
			t.Fatal(err)
		}
		var refused *acemq.RefusedError
		if err := SendAlong(r.Context(), r.conn, Anywhere(), declared.Slip(), order{}); !errors.As(err, &refused) {
			t.Errorf("a declared route without a declaration: %v", err)
		}
	})
}

func TestResume(t *testing.T) {
	bothForms(t, func(r *rig) {
		r.fail["price"] = errBusy
		r.handle()
		if err := r.plan("validate", "price", "ship").Send(r.Context(), r.conn, order{ID: "1"}); err != nil {
			t.Fatal(err)
		}
		stuck := r.deadLetter("price")
		delete(r.fail, "price")
		if err := Resume(r.Context(), r.conn, r.slip, "price", stuck.Payload, stuck.WireHeaders()); err != nil {
			t.Fatal(err)
		}
		r.wantWay("validate", "price", "price", "ship")
		if r.last.Payload.Cents != 2 || r.last.Envelope.Error != "" {
			t.Errorf("the last stop saw %+v", r.last)
		}
		if err := Resume(r.Context(), r.conn, r.slip, "refund", stuck.Payload, stuck.WireHeaders()); err == nil {
			t.Error("a stop that is not declared is resumed")
		}
		if err := Resume(r.Context(), r.conn, r.slip, "price", stuck.Payload, acemq.Headers{wire.HeaderID: "1"}); err == nil {
			t.Error("a message without a slip is resumed")
		}
	})
}

// What travels beside the slip is none of a stop's business, and stays on the message.
func TestRestStays(t *testing.T) {
	bothForms(t, func(r *rig) {
		r.handle("price")
		err := r.plan("price", "ship").Send(r.Context(), r.conn, order{}, acemq.WithHeader("n", int64(7)), acemq.WithReplyTo("answers"))
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if m := r.server.Peek("checkout.ship")[0]; m.Headers["n"] != int64(7) || m.ReplyTo != "answers" {
			t.Errorf("the hop carries %+v", m)
		}
	})
}
