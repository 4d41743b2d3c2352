package pipeline

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// What others put into the queue of a step, and where it goes from there.
func TestForeignSlips(t *testing.T) {
	declared := func(route string, position any) acemq.Headers {
		return acemq.Headers{wire.HeaderRoute: route, wire.HeaderRoutePosition: position, wire.HeaderRouteID: "run-1"}
	}
	itinerary := func(text any) acemq.Headers { return acemq.Headers{wire.HeaderItinerary: text} }
	for _, test := range []struct {
		name    string
		step    string
		headers acemq.Headers
		went    string // the steps that ran
		reason  string // in the dead letter, empty for none
	}{
		{"no slip at the first step", "validate", nil, "validate price ship", ""},
		{"no slip underway", "price", nil, "price ship", ""},
		{"no slip at the last step", "ship", nil, "ship", ""},
		{"no usable name", "price", declared(" ,", int32(0)), "price ship", ""},

		{"Java, underway", "price", declared("validate,price,ship", int32(1)), "price ship", ""},
		{"skips the rest", "validate", declared("validate", int32(0)), "validate", ""},
		{"skips steps in between", "price", declared("price", int32(0)), "price", ""},
		{"position behind", "price", declared("validate,price,ship", int32(0)), "price ship", ""},
		{"position ahead", "price", declared("validate,price,ship", int32(2)), "price ship", ""},
		{"position missing", "price", declared("validate,price,ship", nil), "price ship", ""},
		{"position unreadable", "price", declared("validate,price,ship", "one"), "price ship", ""},
		{"position negative", "price", declared("validate,price,ship", int32(-3)), "price ship", ""},
		{"finished, at the last step", "ship", declared("validate,price,ship", int32(3)), "ship", ""},
		{"finished, and not at its end", "price", declared("validate,price,ship", int64(1)<<40), "price ship", ""},
		{"white space and empty pieces", "price", declared(" validate,, price , ship ", "1"), "price ship", ""},
		{"names another route", "price", declared("validate,ship", int32(1)), "",
			`the declared route "validate,ship" does not name the stop "price", where the message is`},
		{"leads elsewhere", "price", declared("price,refund", int32(0)), "",
			`the declared route leads to the stop "refund", which pipeline "orders" does not declare`},
		{"goes on after the sink", "ship", declared("ship,validate", int32(0)), "",
			`the declared route goes on after the stop "ship", which returns nothing that could`},

		{"Go, underway", "price", itinerary(`{"steps":[{"exchange":"orders","routingKey":"price","name":"price"},` +
			`{"exchange":"orders","routingKey":"ship","name":"ship"}]}`), "price ship", ""},
		{"as bytes", "price", itinerary([]byte(`{"steps":[{"exchange":"orders","routingKey":"price"}]}`)), "price", ""},
		{".NET's pipeline", "price", itinerary(`{"steps":[{"exchange":"","routingKey":"orders.price","name":"price"},` +
			`{"exchange":"","routingKey":"orders.ship","name":"ship"}]}`), "price ship", ""},
		{"bare step names", "price", itinerary(`{"steps":[{"exchange":"","routingKey":"price"},{"exchange":"","routingKey":"ship"}]}`),
			"price ship", ""},
		{"beats the declared route", "price", acemq.Headers{
			wire.HeaderItinerary: `{"steps":[{"exchange":"orders","routingKey":"price"}]}`,
			wire.HeaderRoute:     "validate,price,ship", wire.HeaderRoutePosition: int32(1)}, "price", ""},
		{"itinerary of a finished run", "price", itinerary(`{"steps":[]}`), "price", ""},
		{"itinerary of Go, empty", "price", itinerary(`{"steps":null}`), "price", ""},
		{"itinerary that says it is elsewhere", "price", itinerary(`{"steps":[{"exchange":"orders","routingKey":"validate"},` +
			`{"exchange":"orders","routingKey":"ship"}]}`), "price ship", ""},
		{"itinerary that leads elsewhere", "price", itinerary(`{"steps":[{},{"exchange":"admin","routingKey":"delete-all","name":"ship"}]}`), "",
			`the itinerary leads to the stop "ship", exchange "admin" with key "delete-all", which pipeline "orders" does not declare`},
		{"itinerary to a queue by name", "price", itinerary(`{"steps":[{},{"exchange":"","routingKey":"payroll"}]}`), "",
			`the itinerary leads to the stop the default exchange with key "payroll", which pipeline "orders" does not declare`},
		{"itinerary that is not JSON", "price", itinerary(`{`), "", `the header "acemq-routing-slip" is no itinerary`},
		{"itinerary that is null", "price", itinerary(`null`), "", `the header "acemq-routing-slip" is no itinerary`},
		{"itinerary that is no text", "price", itinerary(int32(7)), "", `the header "acemq-routing-slip" holds int32 and no text`},
		{"unreadable beside a declared route", "price", acemq.Headers{wire.HeaderItinerary: "", wire.HeaderRoute: "price"}, "",
			`the header "acemq-routing-slip" is no itinerary`},
	} {
		t.Run(test.name, func(t *testing.T) {
			bothForms(t, func(r *rig, d *Declaration) { // which is for messages without a slip
				p := r.run(d)
				queue := p.QueueFor(test.step)
				r.put(transport.Message{Key: queue, MessageID: "1", Body: []byte(`{"ID":"1"}`), Headers: test.headers})
				synctest.Wait()
				var went []string
				for _, step := range []string{"validate", "price", "ship"} {
					for range r.steps.calls()[step] {
						went = append(went, step)
					}
				}
				wantEqual(t, "the way", strings.Join(went, " "), test.went)
				if test.reason == "" {
					r.wantCounts(p, counts{completed: 1})
					return
				}
				r.wantCounts(p, counts{})
				dead := pull[order](r, queue+".dlq")
				if !strings.Contains(dead.Envelope.Error, "the handler rejected it: "+test.reason) {
					t.Errorf("the reason is %q, want %q in it", dead.Envelope.Error, test.reason)
				}
			})
		})
	}
}

// A hop answers in the form that the message came in, and a run that has no id gets one.
func TestHopKeepsForm(t *testing.T) {
	for _, form := range []wire.Form{wire.FormDeclared, wire.FormItinerary} {
		bubble(t, func(r *rig) {
			r.run(fulfilment(form), "price")
			r.put(transport.Message{Key: "orders.price", MessageID: "1", Body: []byte(`{"ID":"1"}`),
				Headers: acemq.Headers{wire.HeaderRoute: " price ,ship", wire.HeaderRoutePosition: int32(0), wire.HeaderRouteID: ""}})
			r.put(transport.Message{Key: "orders.price", MessageID: "2", Body: []byte(`{"ID":"1"}`), Headers: acemq.Headers{
				wire.HeaderItinerary: `{"steps": [{"exchange": "", "routingKey": "price"}, {"exchange": "", "routingKey": "orders.ship", "name": "ship"}], "done": []}`}})
			synctest.Wait()
			waiting := r.server.Peek("orders.ship")
			slices.SortFunc(waiting, func(a, b transport.Message) int { return cmp.Compare(a.MessageID, b.MessageID) })
			first, second := waiting[0], waiting[1]
			wantEqual(t, "the position", first.Headers[wire.HeaderRoutePosition], any(int32(1)))
			if id, _ := first.Headers[wire.HeaderRouteID].(string); len(id) != 36 {
				t.Errorf("the run is %q", id)
			}
			wantEqual(t, "an itinerary beside the route", first.Headers[wire.HeaderItinerary], nil)
			wantEqual(t, "a route beside the itinerary", second.Headers[wire.HeaderRoute], nil)
			text, _ := second.Headers[wire.HeaderItinerary].(string)
			if !strings.HasPrefix(text, `{"steps":[{"exchange":"","routingKey":"orders.ship","name":"ship"}],"done":[{"exchange":"","routingKey":"price","completedAt":"`) {
				t.Errorf("the itinerary is %s", text)
			}
		})
	}
}

// A message whose slip or headers grew too large for a hop is dead-lettered at once, and named so.
func TestHeadersTooLarge(t *testing.T) {
	bubble(t, func(r *rig) {
		p := r.run(fulfilment(wire.FormDeclared))
		r.put(transport.Message{Key: "orders.price", MessageID: "1", Body: []byte(`{"ID":"1"}`), Copy: true,
			Headers: acemq.Headers{"x-blob": strings.Repeat("x", wire.MaxHeaders)}})
		r.wantCounts(p, counts{})
		reason := pull[validOrder](r, "orders.price.dlq").Envelope.Error
		if !strings.Contains(reason, `the message cannot go on to the stop "ship"`) || !strings.Contains(reason, "the headers have") {
			t.Errorf("the reason is %q", reason)
		}
	})
}
