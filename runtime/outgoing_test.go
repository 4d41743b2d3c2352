package acemq

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

func TestSend(t *testing.T) {
	seen := time.UnixMilli(1767323045678).UTC()
	for _, c := range []struct {
		name string
		out  Outgoing
		want Headers // beside id, correlation and first-seen where the message makes its own
	}{
		{
			name: "nothing said",
			want: Headers{"x-acemq-type": work, "x-acemq-version": int32(1), "x-acemq-attempt": int32(1)},
		},
		{
			name: "a hop",
			out: Outgoing{
				Envelope: Envelope{ID: "id-1", Type: "order.placed", Version: 2, Correlation: "corr-1", FirstSeen: seen,
					Attempt: 3, Origin: "orders@host-7", Route: wire.Route{Steps: "a,b", Position: 1, ID: "run-1"}},
				Headers:     Headers{"x-tenant": "acme", "x-acemq-attempt": int32(9), "x-death": []any{}},
				ContentType: "application/json",
				ReplyTo:     "answers",
				Priority:    4,
			},
			want: Headers{"x-acemq-id": "id-1", "x-acemq-type": "order.placed", "x-acemq-version": int32(2),
				"x-acemq-correlation": "corr-1", "x-acemq-first-seen": int64(1767323045678), "x-acemq-attempt": int32(3),
				"x-acemq-origin": "orders@host-7", "x-acemq-route": "a,b", "x-acemq-route-position": int32(1),
				"x-acemq-route-id": "run-1", "x-tenant": "acme", "acemq-reply-to": "answers"},
		},
		{
			name: "a copy",
			out:  Outgoing{Envelope: Envelope{ID: "id-1", Type: "t"}, ReplyTo: "answers", Copy: true},
			want: Headers{"x-acemq-id": "id-1", "x-acemq-correlation": "id-1", "x-acemq-type": "t",
				"x-acemq-version": int32(1), "x-acemq-attempt": int32(1)},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				now := time.Now()
				c.out.Key, c.out.Body = work, []byte("verbatim")
				own := maps.Clone(c.out.Headers)
				if err := r.conn.Send(r.Context(), c.out); err != nil {
					r.Fatal(err)
				}
				if !reflect.DeepEqual(own, c.out.Headers) {
					r.Errorf("the caller's headers became %v", c.out.Headers)
				}
				d := r.takeOne(work)
				want := maps.Clone(c.want)
				for name, value := range map[string]any{"x-acemq-id": d.MessageID, "x-acemq-correlation": d.MessageID,
					"x-acemq-first-seen": now.UnixMilli(), "x-acemq-origin": r.conn.Origin()} {
					if _, own := want[name]; !own {
						want[name] = value
					}
				}
				if !maps.Equal(d.Headers, want) {
					r.Errorf("sent with %v,\nwant %v", d.Headers, want)
				}
				wantEqual(r, "the message id", d.MessageID, want["x-acemq-id"].(string))
				wantEqual(r, "the body", string(d.Body), "verbatim")
				wantEqual(r, "the content type", d.ContentType, c.out.ContentType)
				wantEqual(r, "the reply address", d.ReplyTo, c.out.ReplyTo)
				wantEqual(r, "the priority", d.Priority, c.out.Priority)
				m := r.broker.messages()[0]
				if m.Transient || m.Optional || m.Expiration != 0 || m.Copy != c.out.Copy {
					r.Errorf("sent as %+v", m)
				}
			})
		})
	}
}

func TestOutcomesOfSend(t *testing.T) {
	bubble(t, func(r *rig) {
		unroutable, refused, nack := new(UnroutableError), new(RefusedError), new(NackedError)
		if err := r.conn.Send(r.Context(), Outgoing{Key: "nowhere"}); !errors.As(err, &unroutable) {
			r.Errorf("to no queue: %v", err)
		}
		if err := r.conn.Send(r.Context(), Outgoing{Exchange: "missing", FromData: true}); err == nil {
			r.Error("to a missing exchange: sent")
		}
		if err := r.conn.Send(r.Context(), Outgoing{Key: strings.Repeat("k", 256)}); !errors.As(err, &refused) {
			r.Errorf("with a long key: %v", err)
		}
		r.broker.fail(func(transport.Message, int) fault { return nacked })
		confirmation, err := r.conn.SendAsync(r.Context(), Outgoing{Key: work})
		if err != nil {
			r.Fatal(err)
		}
		if err := confirmation.Wait(r.Context()); !errors.As(err, &nack) {
			r.Errorf("nacked: %v", err)
		}
	})
}

// Send is bounded by the publish timeout, as a publisher is.
func TestSendTimeout(t *testing.T) {
	bubble(t, func(r *rig) {
		r.conn.broker = silent{r.conn.broker}
		began := time.Now()
		if err := r.conn.Send(r.Context(), Outgoing{Key: work}); !errors.Is(err, context.DeadlineExceeded) {
			r.Errorf("got %v, want the deadline", err)
		}
		wantEqual(r, "the time it took", time.Since(began), 3*time.Second)
	}, WithPublishTimeout(3*time.Second))
}
