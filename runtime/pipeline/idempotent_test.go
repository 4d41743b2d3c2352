package pipeline

import (
	"testing"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/idempotency"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// A claim is confirmed once the next step has the message: a hop that fails is done again, and one that landed is not.
func TestIdempotentSteps(t *testing.T) {
	to := func(key string) func(transport.Message) bool {
		return func(m transport.Message) bool { return m.Key == key }
	}
	for _, test := range []struct {
		name            string
		script          memory.Script
		validate, price int
	}{
		{"the hop is refused", memory.Script{Fault: memory.NackPublish, Match: to("price")}, 2, 1},
		{"the hop is lost", memory.Script{Fault: memory.CloseBeforePublish, Match: to("price")}, 2, 1},
		{"the confirm of the hop is lost", memory.Script{Fault: memory.CloseAfterPublish, Match: to("price")}, 2, 1},
		{"the step dies between its hop and its ack", memory.Script{Fault: memory.CloseBeforeAck, Match: to("validate")}, 1, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			bothForms(t, func(r *rig, d *Declaration) {
				for i := range d.Steps {
					d.Steps[i].Queue.Idempotent = time.Hour
				}
				store := idempotency.NewMemory()
				p, err := Run[order](r.Context(), r.conn, d, r.steps.handlers(), acemq.WithIdempotency(store))
				if err != nil {
					t.Fatal(err)
				}
				r.server.Inject(test.script)
				r.send(p, "1")
				r.sleep(time.Hour)
				r.wantCalls(test.validate, test.price, test.price)
				r.wantCounts(p, counts{entered: 1, completed: int64(test.price)})
			})
		})
	}
}

// A step that gave a message up takes it again when it is resumed.
func TestIdempotentStepIsResumed(t *testing.T) {
	bothForms(t, func(r *rig, d *Declaration) {
		d.Steps[1].Queue.Idempotent = time.Hour
		r.steps.fails("price", "1", errBusy, errBusy, errBusy)
		p, err := Run[order](r.Context(), r.conn, d, r.steps.handlers(), acemq.WithIdempotency(idempotency.NewMemory()))
		if err != nil {
			t.Fatal(err)
		}
		r.send(p, "1")
		r.sleep(time.Hour)
		stuck := pull[validOrder](r, "orders.price.dlq")
		r.steps.answer["price"] = nil
		if err := Resume(r.Context(), p, "price", stuck.Payload, stuck.WireHeaders()); err != nil {
			t.Fatal(err)
		}
		r.wantCalls(1, 4, 1)
	})
}
