package acemq

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// pull pulls an order that must be there.
func (r *rig) pull(queue string) *Pulled[order] {
	r.Helper()
	m, err := Pull[order](r.Context(), r.conn, queue)
	if err != nil {
		r.Fatal(err)
	}
	if m == nil {
		r.Fatalf("there is no message in %s", queue)
	}
	return m
}

// A pulled message is what was set aside, with what travelled in its reserved headers.
func TestPull(t *testing.T) {
	bubble(t, func(r *rig) {
		r.put(transport.Message{Key: work, MessageID: "1", Body: []byte(`{"id":"1"}`), Headers: Headers{
			"x-acemq-route": "a,b", "x-acemq-of-tomorrow": "kept", "x-tenant": "acme", "x-delivery-count": int64(9)}})
		m := r.pull(work)
		wantEqual(r, "the payload", m.Payload.ID, "1")
		wantEqual(r, "the id", m.Envelope.ID, "1")
		wire := m.WireHeaders()
		wantEqual(r, "the route", wire["x-acemq-route"], any("a,b"))
		wantEqual(r, "the header of tomorrow", wire["x-acemq-of-tomorrow"], any("kept"))
		wantEqual(r, "the tenant", wire["x-tenant"], any("acme"))
		wantEqual(r, "the number of headers", len(wire), 3)
		wire["x-tenant"] = "other"
		wantEqual(r, "the tenant of the message", m.Header("x-tenant"), "acme")
		if err := m.Accept(r.Context()); err != nil {
			r.Error(err)
		}
		wantEqual(r, "the messages left", r.ready(work), 0)
		none, err := Pull[order](r.Context(), r.conn, work)
		if none != nil || err != nil {
			r.Errorf("an empty queue gives %v, %v", none, err)
		}
	})
}

// One message is taken, whatever waits behind it, and an answer brings no other.
func TestPullTakesOne(t *testing.T) {
	bubble(t, func(r *rig) {
		for _, id := range []string{"1", "2", "3"} {
			r.putOrder(id)
		}
		first := r.pull(work)
		wantEqual(r, "the messages left", r.ready(work), 2)
		second := r.pull(work)
		wantEqual(r, "the second", second.Envelope.ID, "2")
		if err := first.Accept(r.Context()); err != nil {
			r.Error(err)
		}
		if err := second.Release(r.Context()); err != nil {
			r.Error(err)
		}
		for _, d := range r.take(work) {
			wantEqual(r, d.MessageID+" is redelivered", d.Redelivered, d.MessageID == "2")
		}
	})
}

// A released message is back where it was, on a quorum queue without a delivery limit as well.
func TestReleaseKeepsThePlace(t *testing.T) {
	bubble(t, func(r *rig) {
		memory.Serve(r.name, memory.Version(3, 13)).Close()
		r.declare(Queue{Name: "unlimited"})
		for _, id := range []string{"1", "2"} {
			r.put(transport.Message{Key: "unlimited", MessageID: id, Body: []byte("{}")})
		}
		if err := r.pull("unlimited").Release(r.Context()); err != nil {
			r.Fatal(err)
		}
		wantEqual(r, "the first", r.pull("unlimited").Envelope.ID, "1")
	})
}

func TestPullIsAnsweredOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		m := r.pull(work)
		if err := m.Accept(r.Context()); err != nil {
			r.Error(err)
		}
		if err := m.Accept(r.Context()); !errors.Is(err, transport.ErrSettled) {
			r.Errorf("accepted again: %v", err)
		}
		if err := m.Release(r.Context()); !errors.Is(err, transport.ErrSettled) {
			r.Errorf("released after it was accepted: %v", err)
		}
		wantEqual(r, "the messages left", r.ready(work), 0)
	})
}

// Whatever happens to the one who pulled it, the message is in its queue.
func TestPulledMessagesAreNotLost(t *testing.T) {
	for name, happens := range map[string]func(r *rig, m *Pulled[order]){
		"forgotten": func(r *rig, _ *Pulled[order]) { r.sleep(pullHold) },
		"released with an ended context": func(r *rig, m *Pulled[order]) {
			ctx, cancel := context.WithCancel(r.Context())
			cancel()
			if err := m.Release(ctx); err != nil {
				r.Error(err)
			}
		},
		"the connection is lost": func(r *rig, m *Pulled[order]) {
			r.server.Cut()
			r.sleep(time.Minute)
			if err := m.Release(r.Context()); err != nil {
				r.Errorf("a message that is back cannot be released: %v", err)
			}
		},
		"accepted after the connection was lost": func(r *rig, m *Pulled[order]) {
			r.server.Cut()
			if err := m.Accept(r.Context()); !errors.Is(err, transport.ErrLost) {
				r.Errorf("accepted: %v", err)
			}
			r.sleep(time.Minute)
		},
		"the connection is closed": func(r *rig, _ *Pulled[order]) {
			if err := r.conn.Close(r.Context()); err != nil {
				r.Error(err)
			}
			r.connect(r.conn.settings)
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.putOrder("1")
				happens(r, r.pull(work))
				wantEqual(r, "the message", r.takeOne(work).MessageID, "1")
			})
		})
	}
}

func TestPullGivesBackWhatItCannotDecode(t *testing.T) {
	bubble(t, func(r *rig) {
		r.put(transport.Message{Key: work, MessageID: "1", Body: []byte(`{`)})
		_, err := Pull[order](r.Context(), r.conn, work)
		if err == nil || !strings.Contains(err.Error(), "message 1 could not be decoded") {
			r.Errorf("the error is %v", err)
		}
		wantEqual(r, "the messages left", r.ready(work), 1)
		m, err := Pull[[]byte](r.Context(), r.conn, work, DecodeWith(Bytes))
		if err != nil {
			r.Fatal(err)
		}
		wantEqual(r, "the body", string(m.Payload), "{")
		if err := m.Accept(r.Context()); err != nil {
			r.Error(err)
		}
	})
}

func TestPullFails(t *testing.T) {
	bubble(t, func(r *rig) {
		missing := new(NotFoundError)
		if _, err := Pull[order](r.Context(), r.conn, "missing"); !errors.As(err, &missing) {
			r.Errorf("from a missing queue: %v", err)
		}
		r.putOrder("1")
		ctx, cancel := context.WithCancel(r.Context())
		cancel()
		if m, err := Pull[order](ctx, r.conn, work); m != nil || !errors.Is(err, context.Canceled) {
			r.Errorf("with an ended context: %v, %v", m, err)
		}
		wantEqual(r, "the messages left", r.ready(work), 1)
		if err := r.conn.Close(r.Context()); err != nil {
			r.Fatal(err)
		}
		if m, err := Pull[order](r.Context(), r.conn, work); m != nil || !errors.Is(err, transport.ErrClosed) {
			r.Errorf("after Close: %v, %v", m, err)
		}
	})
}

// A queue whose message somebody else takes in the meantime is empty, after a moment.
func TestPullFromAQueueThatSomebodyElseHolds(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		r.broker.Broker = staleCounts{r.broker.Broker}
		held := r.pull(work)
		start := time.Now()
		m, err := Pull[order](r.Context(), r.conn, work)
		if m != nil || err != nil {
			r.Errorf("pulled %v, %v", m, err)
		}
		wantEqual(r, "the wait", time.Since(start), idle)
		ctx, cancel := context.WithTimeout(r.Context(), idle/2)
		defer cancel()
		if m, err := Pull[order](ctx, r.conn, work); m != nil || !errors.Is(err, context.DeadlineExceeded) {
			r.Errorf("with a context that ends: %v, %v", m, err)
		}
		if err := held.Accept(r.Context()); err != nil {
			r.Error(err)
		}
	})
}

// staleCounts says that every queue has a message.
type staleCounts struct{ transport.Broker }

func (staleCounts) Inspect(context.Context, string) (QueueState, error) {
	return QueueState{Ready: 1}, nil
}
