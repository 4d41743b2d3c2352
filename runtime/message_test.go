package acemq

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// The headers of a message are those that came, and none that were only read into its envelope.
func TestWireHeaders(t *testing.T) {
	for name, c := range map[string]struct{ sent, want Headers }{
		"none": {nil, Headers{}},
		"of every kind": {
			Headers{"x-acemq-id": "1", "x-acemq-of-tomorrow": int64(7), "x-tenant": "acme", "x-death": []any{}},
			Headers{"x-acemq-id": "1", "x-acemq-of-tomorrow": int64(7), "x-tenant": "acme"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.put(transport.Message{Key: work, MessageID: "1", Body: []byte("{}"), Headers: c.sent})
				s := answers()
				r.consume(Queue{}, s.handle)
				r.sleep(time.Second)
				if got := s.seen[0].WireHeaders(); !maps.Equal(got, c.want) {
					r.Errorf("the headers are %v, want %v", got, c.want)
				}
			})
		})
	}
}

// A message that a test made has the headers that it would be published with.
func TestWireHeadersOfAMessageThatWasNotReceived(t *testing.T) {
	m := Message[order]{
		Envelope: Envelope{ID: "1", Type: "order.placed", Version: 1, Attempt: 2, FirstSeen: time.UnixMilli(5)},
		Headers:  Headers{"x-tenant": "acme"},
	}
	want := Headers{"x-acemq-id": "1", "x-acemq-type": "order.placed", "x-acemq-version": int32(1),
		"x-acemq-attempt": int32(2), "x-acemq-first-seen": int64(5), "x-tenant": "acme"}
	if got := m.WireHeaders(); !maps.Equal(got, want) {
		t.Errorf("the headers are %v, want %v", got, want)
	}
	wantEqual(t, "the delivery count", m.DeliveryCount(), 0)
}

// The broker counts what it hands out again. The attempt does not: the message has not failed.
func TestDeliveryCount(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		var counts, attempts []int
		r.consume(Queue{}, func(_ context.Context, m *Message[order]) Ack {
			counts, attempts = append(counts, m.DeliveryCount()), append(attempts, m.Attempt())
			if len(counts) < 3 {
				r.server.Cut()
			}
			return Accept()
		})
		r.sleep(time.Hour)
		wantList(r, "the counts", counts, []int{0, 1, 2})
		wantList(r, "the attempts", attempts, []int{1, 1, 1})
	})
}
