package pipeline

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// What every family member needs to take any step: the exchange, quorum queues without other arguments, and a binding
// with the name of the step (contract: pipelines, topology per library).
func TestTopology(t *testing.T) {
	got := fulfilment(wire.FormDeclared).Topology()
	if err := got.Check(); err != nil {
		t.Fatal(err)
	}
	if want := (topology.Exchange{Name: "orders", Kind: topology.Direct}); got.Exchanges[0] != want {
		t.Errorf("the exchange is %+v", got.Exchanges[0])
	}
	queues := make(map[string]topology.Queue)
	for _, q := range got.Queues {
		queues[q.Name] = q
	}
	for _, step := range []string{"validate", "price", "ship"} {
		name := "orders." + step
		if want := (wire.Table{"x-queue-type": "quorum"}); !reflect.DeepEqual(queues[name].Arguments, want) {
			t.Errorf("%s has the arguments %v, want %v", name, queues[name].Arguments, want)
		}
		for _, beside := range []string{".dlq", ".parked"} {
			if q, there := queues[name+beside]; !there || len(q.Arguments) > 0 {
				t.Errorf("%s is %+v", name+beside, q)
			}
		}
		bound := false
		for _, b := range got.Bindings {
			bound = bound || b.Queue == name && b.Exchange == "orders" && b.Key == step
		}
		if !bound {
			t.Errorf("%s is not bound", name)
		}
	}
	if _, there := queues["orders.price.retry.1m"]; !there {
		t.Error("the rung of the step price is missing")
	}
}

func TestRun(t *testing.T) {
	bothForms(t, func(r *rig, d *Declaration) {
		p := r.run(d)
		for _, id := range []string{"1", "2", "3"} {
			r.send(p, id)
		}
		r.wantCounts(p, counts{entered: 3, completed: 3})
		r.wantCalls(3, 3, 3)
		for _, s := range r.steps.at("ship") {
			if got, want := s.payload, (pricedOrder{s.envelope.ID, 100}); got != want {
				t.Errorf("ship saw %v, want %v", got, want)
			}
		}
	})
}

// A hop keeps what the message is, and starts its attempts again.
func TestHopKeeps(t *testing.T) {
	bothForms(t, func(r *rig, d *Declaration) {
		r.steps.fails("validate", "1", errBusy, errBusy)
		p := r.run(d)
		sent := time.Now().UTC()
		r.send(p, "1", acemq.CausedBy(acemq.Envelope{ID: "cart-7", Correlation: "flow-7"}), acemq.WithReplyTo("answers"),
			acemq.WithHeader("x-tenant", "acme"), acemq.WithHeader("traceparent", "00-1-2-01"), acemq.WithClaim("s3://cart"))
		r.sleep(time.Hour)
		r.wantCalls(3, 1, 1)
		for _, step := range []string{"price", "ship"} {
			s := r.steps.at(step)[0]
			route := s.envelope.Route
			s.envelope.Route = acemq.Envelope{}.Route
			want := acemq.Envelope{ID: "1", Type: "order", Version: 2, Correlation: "flow-7", Causation: "cart-7",
				Origin: r.conn.Origin(), Attempt: 1, FirstSeen: sent}
			if s.envelope != want {
				t.Errorf("%s has the envelope %+v,\nwant %+v", step, s.envelope, want)
			}
			wantEqual(t, "the tenant", s.headers["x-tenant"], any("acme"))
			wantEqual(t, "the trace", s.headers["traceparent"], any("00-1-2-01"))
			wantEqual(t, "the reply address", s.replyTo, "answers")
			wantEqual(t, "the reply header", s.headers["acemq-reply-to"], any("answers"))
			first := r.steps.at("validate")[0].envelope.Route
			wantEqual(t, "the run", route.ID, first.ID)
			wantEqual(t, "whether there is a run", route.ID != "", d.WriteAs == wire.FormDeclared)
		}
	})
}

// What is on the wire before the last step.
func TestWireForm(t *testing.T) {
	bothForms(t, func(r *rig, d *Declaration) {
		p := r.run(d, "validate", "price")
		r.sleep(500 * time.Millisecond) // off the second
		began := time.Now()
		r.send(p, "1")
		synctest.Wait()
		m := r.server.Peek("orders.ship")[0]
		wantEqual(t, "the body", string(m.Body), `{"ID":"1","Cents":100}`)
		wantEqual(t, "the content type", m.ContentType, "application/json")
		wantEqual(t, "the message id", m.MessageID, "1")
		wantEqual(t, "the exchange", m.Exchange, "orders")
		wantEqual(t, "the key", m.Key, "ship")
		wantEqual(t, "whether it may be lost", m.Transient, false)
		if d.WriteAs == wire.FormDeclared {
			wantEqual(t, "the route", m.Headers[wire.HeaderRoute], any("validate,price,ship"))
			wantEqual(t, "the position", m.Headers[wire.HeaderRoutePosition], any(int32(2)))
			wantEqual(t, "the itinerary", m.Headers[wire.HeaderItinerary], nil)
			return
		}
		at := began.UTC().Format("2006-01-02T15:04:05Z")
		wantEqual(t, "the itinerary", m.Headers[wire.HeaderItinerary], any(
			`{"steps":[{"exchange":"orders","routingKey":"ship","name":"ship"}],"done":[`+
				`{"exchange":"orders","routingKey":"validate","name":"validate","completedAt":"`+at+`"},`+
				`{"exchange":"orders","routingKey":"price","name":"price","completedAt":"`+at+`"}]}`))
		wantEqual(t, "the route", m.Headers[wire.HeaderRoute], nil)
	})
}

// Whether there is a next step is asked before whether the message ends early.
func TestEnd(t *testing.T) {
	for _, test := range []struct {
		step string
		err  error
		want counts
	}{
		{"validate", End, counts{entered: 1, endedEarly: 1}},
		{"price", fmt.Errorf("nothing to charge: %w", End), counts{entered: 1, endedEarly: 1}},
		{"ship", End, counts{entered: 1, completed: 1}},
	} {
		t.Run(test.step, func(t *testing.T) {
			bothForms(t, func(r *rig, d *Declaration) {
				r.steps.fails(test.step, "1", test.err)
				p := r.run(d)
				r.send(p, "1")
				r.sleep(time.Hour)
				r.wantCounts(p, test.want)
				wantEqual(t, "the number of dead letters", len(r.server.Peek("orders."+test.step+".dlq")), 0)
			})
		})
	}
}

// A step retries on its own, by its policy, without the steps before it; then it gives up.
func TestStepFails(t *testing.T) {
	bothForms(t, func(r *rig, d *Declaration) {
		r.steps.fails("price", "1", errBusy, errBusy, errBusy)
		r.steps.fails("ship", "2", acemq.Fatal(errBusy))
		p := r.run(d)
		r.send(p, "1")
		r.send(p, "2")
		r.sleep(time.Hour)
		r.wantCalls(2, 4, 1)
		r.wantCounts(p, counts{entered: 2})
		given := pull[validOrder](r, "orders.price.dlq")
		wantEqual(t, "the payload", given.Payload, validOrder{"1", "us"})
		wantEqual(t, "the reason", given.Envelope.Error, "exhausted 3 attempts: the price list is busy")
		fatal := pull[pricedOrder](r, "orders.ship.dlq")
		wantEqual(t, "the fatal reason", fatal.Envelope.Error, "the handler reported an unprocessable message: the price list is busy")
	})
}

func TestPanic(t *testing.T) {
	bubble(t, func(r *rig) {
		r.steps.answer["price"] = func(string, int) error { panic("no price") }
		p := r.run(fulfilment(wire.FormDeclared))
		r.send(p, "1")
		r.wantCounts(p, counts{entered: 1})
		pull[validOrder](r, "orders.price.dlq")
	})
}

// A hop that no queue takes is a failure of the step, whose input stays.
func TestUnroutableHop(t *testing.T) {
	bothForms(t, func(r *rig, d *Declaration) {
		p := r.run(d, "validate")
		r.server.DeleteQueue("orders.price")
		r.send(p, "1")
		r.sleep(time.Hour)
		r.wantCalls(3, 0, 0)
		reason := pull[order](r, "orders.validate.dlq").Envelope.Error
		if !strings.HasPrefix(reason, "exhausted 3 attempts: message 1 to orders with key \"price\" is unroutable") {
			t.Errorf("the reason is %q", reason)
		}
	})
}

// The broker may lose a step's connection at every point of a hop. Nothing is lost, and what may be done twice is. A copy
// that the next step has in hand as the connection goes is done once more.
func TestAccidents(t *testing.T) {
	to := func(key string) func(transport.Message) bool {
		return func(m transport.Message) bool { return m.Key == key }
	}
	for _, test := range []struct {
		name            string
		script          memory.Script
		validate, price int // how often the steps run
		inHand          int // how often the next step may have a copy in hand
	}{
		{"the hop is refused", memory.Script{Fault: memory.NackPublish, Match: to("price")}, 2, 1, 0},
		{"the hop is lost", memory.Script{Fault: memory.CloseBeforePublish, Match: to("price")}, 2, 1, 0},
		{"the confirm of the hop is lost", memory.Script{Fault: memory.CloseAfterPublish, Match: to("price")}, 2, 2, 1},
		{"the confirm never comes", memory.Script{Fault: memory.LoseConfirm, Match: to("price")}, 2, 2, 0},
		{"the step dies between its hop and its ack", memory.Script{Fault: memory.CloseBeforeAck, Match: to("validate")}, 2, 2, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			bothForms(t, func(r *rig, d *Declaration) {
				p := r.run(d)
				r.server.Inject(test.script)
				r.send(p, "1")
				r.sleep(time.Hour)
				priced := r.steps.calls()["price"]
				if priced < test.price || priced > test.price+test.inHand {
					r.Errorf("the second step ran %d times, want %d and %d more at most", priced, test.price, test.inHand)
				}
				shipped := r.steps.calls()["ship"]
				if shipped < priced || shipped > priced+test.inHand {
					r.Errorf("the last step ran %d times, the one before %d", shipped, priced)
				}
				r.wantCalls(test.validate, priced, shipped)
				r.wantCounts(p, counts{entered: 1, completed: int64(shipped)})
				for _, queue := range r.server.Queues() {
					if ready, unsettled := r.server.Depth(queue); ready+unsettled > 0 {
						t.Errorf("%s has %d messages", queue, ready+unsettled)
					}
				}
			})
		})
	}
}

// The work of a step is not thrown away because its consumer is closed meanwhile.
func TestCloseDuringStep(t *testing.T) {
	bubble(t, func(r *rig) {
		p := r.run(fulfilment(wire.FormDeclared), "validate")
		r.steps.answer["validate"] = func(string, int) error { time.Sleep(10 * time.Second); return nil }
		r.send(p, "1")
		synctest.Wait()
		wantEqual(t, "what is in hand", p.InFlight(), 1)
		if err := p.Close(r.Context()); err != nil {
			t.Error(err)
		}
		r.wantCounts(p, counts{entered: 1})
		wantEqual(t, "what arrived at the next step", len(r.server.Peek("orders.price")), 1)
		ready, unsettled := r.server.Depth("orders.validate")
		wantEqual(t, "what is left of the input", ready+unsettled, 0)
		r.send(p, "2") // a closed pipeline still sends in
	})
}

func TestWaiting(t *testing.T) {
	bubble(t, func(r *rig) {
		p := r.run(fulfilment(wire.FormDeclared), "validate")
		r.send(p, "1")
		r.send(p, "2")
		synctest.Wait()
		if n, err := p.Waiting(r.Context()); n != 2 || err != nil {
			t.Errorf("%d messages wait, %v", n, err)
		}
		r.server.DeleteQueue("orders.ship")
		var missing *acemq.NotFoundError
		if _, err := p.Waiting(r.Context()); !errors.As(err, &missing) {
			t.Errorf("got %v", err)
		}
	})
}

// Who only sends declares nothing and learns that nobody is there.
func TestSendAlone(t *testing.T) {
	bubble(t, func(r *rig) {
		d := fulfilment(wire.FormDeclared)
		sender := New[order](r.conn, d)
		if err := sender.Send(r.Context(), order{"1"}); err == nil {
			t.Error("a message was sent to a pipeline that nobody declared")
		}
		r.run(d, "price")
		r.send(sender, "2")
		r.wantCounts(sender, counts{entered: 1})
		wantEqual(t, "the queue", sender.QueueFor("price"), "orders.price")
	})
}

func TestLongRoute(t *testing.T) {
	bothForms(t, func(r *rig, d *Declaration) {
		d.Steps = nil
		for i := range 10_000 {
			d.Steps = append(d.Steps, Step{Name: fmt.Sprintf("step-%d", i)})
		}
		var refused *acemq.RefusedError
		err := New[order](r.conn, d).Send(r.Context(), order{"1"})
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "of 10000 stops grows to") {
			t.Errorf("got %v", err)
		}
	})
}

func TestRefusedDeclarations(t *testing.T) {
	s := newSteps()
	named := func(names ...string) *Declaration {
		d := &Declaration{Name: "orders"}
		for _, name := range names {
			d.Steps = append(d.Steps, Step{Name: name})
		}
		return d
	}
	for _, test := range []struct {
		name     string
		d        *Declaration
		handlers []Handler
		want     string
	}{
		{"no step", named(), nil, `pipeline "orders" has no stop`},
		{"comma", named("a,b"), nil, `the name "a,b"`},
		{"blank", named("a b"), nil, `the name "a b"`},
		{"the same twice", named("a", "a"), nil, `pipeline "orders" has two stops "a"`},
		{"no such step", named("price"), []Handler{On("prize", s.price)}, `has no stop "prize"`},
		{"no function", named("price"), []Handler{On[order, order]("price", nil)}, `step "price": the function is nil`},
		{"no sink", named("price"), []Handler{OnSink[order]("price", nil)}, `step "price": the function is nil`},
		{"two functions", named("price"), []Handler{On("price", s.price), On("price", s.price)}, `step "price" has two functions`},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				p, err := Run[order](r.Context(), r.conn, test.d, test.handlers)
				if p != nil || err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("got %v, want %q in it", err, test.want)
				}
				wantEqual(t, "the number of queues", len(r.server.Queues()), 0)
			})
		})
	}
}

// Where one step does not start, none runs.
func TestPartialStart(t *testing.T) {
	bubble(t, func(r *rig) {
		d := fulfilment(wire.FormDeclared)
		d.Steps[2].Queue.Prefetch = -1
		if _, err := Run[order](r.Context(), r.conn, d, r.steps.handlers()); err == nil {
			t.Fatal("it started")
		}
		r.send(New[order](r.conn, d), "1")
		r.sleep(time.Minute)
		r.wantCalls(0, 0, 0)
	})
}

// Every step has a process of its own, and some have two: runs go through all of them, and no counter is below zero.
func TestSharedPipeline(t *testing.T) {
	bothForms(t, func(r *rig, d *Declaration) {
		const orders = 200
		var parts []*Pipeline[order]
		for _, names := range [][]string{{"validate"}, {"price"}, {"price", "ship"}, {"ship"}} {
			p, err := Run[order](r.Context(), r.dial(), d, r.steps.handlers(names...))
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, p)
		}
		sender := New[order](r.conn, d)
		for i := range orders {
			r.send(sender, fmt.Sprint(i))
			for _, p := range parts {
				if c := countsOf(p); c.inFlight < 0 || c.completed < 0 {
					t.Fatalf("counted %+v", c)
				}
			}
		}
		r.wantCalls(orders, orders, orders)
		r.wantCounts(sender, counts{entered: orders})
		r.wantCounts(parts[0], counts{})
		r.wantCounts(parts[1], counts{})
		wantEqual(t, "the number of runs that ended", parts[2].Completed()+parts[3].Completed(), orders)
		if parts[2].Completed() == 0 || parts[3].Completed() == 0 {
			t.Error("two processes do not share a step")
		}
	})
}

// A filter, a step that fails at times and one that gives up: every order is in one place, and the counts say which.
func TestTenThousandOrders(t *testing.T) {
	bubble(t, func(r *rig) {
		const orders = 10_000
		last := func(id string) byte { return id[len(id)-1] }
		r.steps.answer["validate"] = func(id string, _ int) error {
			if last(id) == '3' {
				return End
			}
			return nil
		}
		r.steps.answer["price"] = func(id string, attempt int) error {
			switch {
			case last(id) == '7' || last(id) == '8' && attempt < 3:
				return errBusy
			}
			return nil
		}
		d := fulfilment(wire.FormDeclared)
		p := r.run(d)
		sent := make(chan error, 10)
		for w := range cap(sent) {
			go func() {
				var err error
				for i := w; i < orders && err == nil; i += cap(sent) {
					err = p.Send(r.Context(), order{fmt.Sprint(i)}, acemq.WithID(fmt.Sprint(i)))
				}
				sent <- err
			}()
		}
		for range cap(sent) {
			if err := <-sent; err != nil {
				t.Fatal(err)
			}
		}
		r.sleep(time.Hour)
		r.wantCounts(p, counts{entered: orders, completed: orders * 8 / 10, endedEarly: orders / 10})
		r.wantCalls(orders, orders*9/10+orders/10*4, orders*8/10)
		wantEqual(t, "the number of dead letters", len(r.server.Peek("orders.price.dlq")), orders/10)
		wantEqual(t, "what the step gave up", p.Consumers()[1].Counts().DeadLettered, orders/10)
		shipped := make(map[string]bool)
		for _, s := range r.steps.at("ship") {
			shipped[s.envelope.ID] = true
		}
		wantEqual(t, "the number of different orders", len(shipped), orders*8/10)
	})
}

// A step that fails for a day and then works delays its message by that day, and not the test.
func TestDayOfRetries(t *testing.T) {
	bothForms(t, func(r *rig, d *Declaration) {
		d.Steps[1].Queue.Retry = acemq.Fixed(100, 15*time.Minute)
		began := time.Now()
		r.steps.answer["price"] = func(string, int) error {
			if time.Since(began) < 24*time.Hour {
				return errBusy
			}
			return nil
		}
		p := r.run(d)
		r.send(p, "1")
		r.sleep(25 * time.Hour)
		r.wantCalls(1, 97, 1)
		r.wantCounts(p, counts{entered: 1, completed: 1})
		shipped := r.steps.at("ship")[0].envelope
		wantEqual(t, "the attempt at the next step", shipped.Attempt, 1)
		wantEqual(t, "the first publish", shipped.FirstSeen.Equal(began), true)
	})
}

// The options of Run reach every step.
func TestRunOptions(t *testing.T) {
	bubble(t, func(r *rig) {
		running, most := 0, 0
		handler := On("validate", func(ctx context.Context, m *acemq.Message[order]) (order, error) {
			running++
			most = max(most, running)
			time.Sleep(time.Second)
			running--
			return m.Payload, nil
		})
		d := &Declaration{Name: "orders", Steps: []Step{{Name: "validate"}}}
		p, err := Run[order](r.Context(), r.conn, d, []Handler{handler}, acemq.WithConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			r.send(p, fmt.Sprint(i))
		}
		r.sleep(time.Minute)
		r.wantCounts(p, counts{entered: 5, completed: 5}) // a last step that is no sink
		wantEqual(t, "the most that ran at once", most, 1)
	})
}
