package acemq

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// Browsing shows what is set aside, in its order and with its reason, and leaves it there.
func TestBrowse(t *testing.T) {
	bubble(t, func(r *rig) {
		for _, id := range []string{"1", "2", "3"} {
			r.putOrder(id)
		}
		r.consume(Queue{Concurrency: 1}, func(context.Context, *Message[order]) Ack { return Park(errBusy) })
		r.sleep(time.Second)
		for range 2 {
			var ids []string
			err := r.conn.Browse(r.Context(), "work.parked", func(m *Message[[]byte]) {
				ids = append(ids, m.Envelope.ID)
				wantEqual(r, "the body", string(m.Payload), `{ "id": "`+m.Envelope.ID+`" }`)
				wantEqual(r, "the reason", m.Envelope.Error, "the handler parked it: payments are busy")
			})
			if err != nil {
				r.Error(err)
			}
			wantList(r, "the messages", ids, []string{"1", "2", "3"})
		}
		wantEqual(r, "the messages left", r.ready("work.parked"), 3)
	})
}

func TestBrowseAnEmptyAndAMissingQueue(t *testing.T) {
	bubble(t, func(r *rig) {
		none := func(*Message[[]byte]) { r.Error("there is a message") }
		if err := r.conn.Browse(r.Context(), work, none); err != nil {
			r.Error(err)
		}
		missing := new(NotFoundError)
		if err := r.conn.Browse(r.Context(), "missing", none); !errors.As(err, &missing) {
			r.Errorf("got %v, want a *NotFoundError", err)
		}
	})
}

// Browsing that ends early leaves the order alone. A quorum queue without a delivery limit puts at its end what is given
// back by itself.
func TestBrowseKeepsTheOrder(t *testing.T) {
	bubble(t, func(r *rig) {
		memory.Serve(r.name, memory.Version(3, 13)).Close()
		r.declare(Queue{Name: "unlimited"})
		put := func(id string) { r.put(transport.Message{Key: "unlimited", MessageID: id}) }
		put("1")
		put("2")
		put("3")
		ctx, cancel := context.WithCancel(r.Context())
		err := r.conn.Browse(ctx, "unlimited", func(*Message[[]byte]) {
			synctest.Wait() // the others are on their way
			put("4")
			cancel()
		})
		if !errors.Is(err, context.Canceled) {
			r.Errorf("browse: %v", err)
		}
		var ids []string
		for _, d := range r.take("unlimited") {
			ids = append(ids, d.MessageID)
		}
		wantList(r, "the messages", ids, []string{"1", "2", "3", "4"})
	})
}
