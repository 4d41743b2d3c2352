package acemq

import (
	"context"
	"errors"
	"testing"
	"time"
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
