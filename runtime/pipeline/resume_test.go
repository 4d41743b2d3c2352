package pipeline

import (
	"strings"
	"testing"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// A message that a step gave up goes back to that step, and the steps before it do not run again.
func TestResume(t *testing.T) {
	bothForms(t, func(r *rig, d *Declaration) {
		broken := true
		r.steps.answer["price"] = func(string, int) error {
			if broken {
				return errBusy
			}
			return nil
		}
		p := r.run(d)
		sent := time.Now().UTC()
		r.send(p, "1", acemq.WithHeader("x-tenant", "acme"), acemq.WithCorrelation("flow-1"))
		r.sleep(time.Hour)
		broken = false
		stuck, err := acemq.Pull[validOrder](r.Context(), r.conn, p.QueueFor("price")+".dlq")
		if err != nil {
			t.Fatal(err)
		}
		if err := Resume(r.Context(), p, "price", stuck.Payload, stuck.WireHeaders()); err != nil {
			t.Fatal(err)
		}
		if err := stuck.Accept(r.Context()); err != nil {
			t.Fatal(err)
		}
		r.wantCalls(1, 4, 1)
		r.wantCounts(p, counts{entered: 1, completed: 1})
		resumed := r.steps.at("price")[3]
		wantEqual(t, "the attempt", resumed.envelope.Attempt, 1)
		wantEqual(t, "the error", resumed.envelope.Error, "")
		wantEqual(t, "the id", resumed.envelope.ID, "1")
		wantEqual(t, "the type", resumed.envelope.Type, "order")
		wantEqual(t, "the correlation", resumed.envelope.Correlation, "flow-1")
		wantEqual(t, "the first publish", resumed.envelope.FirstSeen, sent)
		wantEqual(t, "the run", resumed.envelope.Route, r.steps.at("price")[0].envelope.Route)
		wantEqual(t, "the tenant", resumed.headers["x-tenant"], any("acme"))
	})
}

// A message that is fixed on the way is resumed with another payload, at a process that runs no step.
func TestResumeWithAnotherPayload(t *testing.T) {
	bothForms(t, func(r *rig, d *Declaration) {
		r.steps.fails("ship", "1", acemq.Fatal(errBusy))
		p := r.run(d)
		r.send(p, "1")
		r.sleep(time.Minute)
		stuck := pull[pricedOrder](r, "orders.ship.dlq")
		desk := New[order](r.conn, d)
		if err := Resume(r.Context(), desk, "ship", pricedOrder{"2", 7}, stuck.WireHeaders()); err != nil {
			t.Fatal(err)
		}
		r.wantCalls(1, 1, 2)
		wantEqual(t, "the payload", r.steps.at("ship")[1].payload, any(pricedOrder{"2", 7}))
		r.wantCounts(desk, counts{})
	})
}

func TestResumeRefused(t *testing.T) {
	envelope := acemq.Headers{wire.HeaderID: "1"}
	with := func(more acemq.Headers) acemq.Headers {
		for name, value := range envelope {
			more[name] = value
		}
		return more
	}
	for _, test := range []struct {
		name    string
		step    string
		headers acemq.Headers
		want    string // in the error; empty where it is resumed
	}{
		{"no such step", "refund", envelope, `pipeline "orders" has no stop "refund"`},
		{"not the wire headers", "price", acemq.Headers{"x-tenant": "acme"}, "give the WireHeaders of the message"},
		{"at another step", "price", with(acemq.Headers{wire.HeaderRoute: "validate,price,ship", wire.HeaderRoutePosition: int32(2)}),
			`its slip says that the message is at the stop "ship"`},
		{"at another stop", "price", with(acemq.Headers{wire.HeaderItinerary: `{"steps":[{"exchange":"orders","routingKey":"ship"}]}`}),
			`its slip says that the message is at the stop exchange "orders" with key "ship"`},
		{"unreadable", "price", with(acemq.Headers{wire.HeaderItinerary: "{"}), "is no itinerary"},
		{"without a slip", "price", envelope, ""},
		{"behind its end", "ship", with(acemq.Headers{wire.HeaderRoute: "validate,ship", wire.HeaderRoutePosition: int32(9)}), ""},
		{"behind its end, and never there", "price", with(acemq.Headers{wire.HeaderRoute: "validate", wire.HeaderRoutePosition: int32(9)}),
			`does not name the stop "price"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				p := r.run(fulfilment(wire.FormDeclared))
				err := Resume(r.Context(), p, test.step, validOrder{ID: "1"}, test.headers)
				if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
					t.Errorf("got %v, want %q in it", err, test.want)
				}
				if test.want == "" {
					r.wantCounts(p, counts{completed: 1})
				}
				r.wantCalls(0, len(r.steps.at("price")), len(r.steps.at("ship")))
				wantEqual(t, "whether a step ran", len(r.steps.at("ship")) == 1, test.want == "")
			})
		})
	}
}
