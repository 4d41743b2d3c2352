package schedule_test

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/schedule"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// full are options that say all that a caller can say of a message.
var full = []acemq.PublishOption{
	acemq.CausedBy(acemq.Envelope{ID: "order-1", Correlation: "flow-1"}),
	acemq.WithClaim("s3://invoices/1"),
	acemq.WithReplyTo("answers"),
	acemq.WithHeader("x-tenant", "acme"),
	acemq.WithHeader("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
	acemq.WithHeader("count", int64(3)),
}

// A message arrives as it would have been published, after its rungs as without one.
func TestMessageArrivesAsPublished(t *testing.T) {
	for name, d := range map[string]time.Duration{"at once": 0, "after one rung": time.Minute, "after four": 90 * time.Second} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.run(r.dial())
				full := append([]acemq.PublishOption{acemq.WithID("invoice-1")}, full...)
				route := route
				route.Priority, route.Expires = 7, time.Hour
				publisher := acemq.NewPublisher(r.conn, route)
				if err := schedule.After(r.Context(), publisher, d, invoice{"1"}, full...); err != nil {
					r.Fatal(err)
				}
				r.sleep(d)
				scheduled := r.server.Peek(inbox)
				r.server.DeleteQueue(inbox)
				r.declare()
				now := time.Now()
				if err := publisher.Publish(r.Context(), invoice{"1"}, full...); err != nil {
					r.Fatal(err)
				}
				published := r.server.Peek(inbox)
				if len(scheduled) != 1 || !reflect.DeepEqual(scheduled, published) {
					r.Errorf("it arrived as %+v,\nand published it is %+v", scheduled, published)
				}
				wantEqual(r, "its first-seen", scheduled[0].Headers[wire.HeaderFirstSeen], any(now.UnixMilli()))
			})
		})
	}
}

// Between rungs a message is what the contract says, and all else travels in headers that others take for the
// application's.
func TestMessageBetweenRungs(t *testing.T) {
	bubble(t, func(r *rig) {
		start := time.Now()
		r.after(90*time.Second, "invoice-1", full...)
		first := r.server.Peek("acemq.schedule.1m")[0]
		r.run(r.conn)
		r.sleep(time.Minute)
		second := r.server.Peek("acemq.schedule.10s")[0]
		want := wire.Table{
			"x-schedule-exchange": billing, "x-schedule-routing-key": due,
			"x-schedule-due-at":       start.Add(90 * time.Second).UnixMilli(),
			"x-schedule-content-type": "application/json",
			"x-schedule-id":           "invoice-1", "x-schedule-type": "invoice.due", "x-schedule-version": int32(2),
			"x-schedule-correlation": "flow-1", "x-schedule-causation": "order-1",
			"x-schedule-origin": r.conn.Origin(), "x-schedule-claim": "s3://invoices/1",
			"x-tenant": "acme", "count": int64(3), "acemq-reply-to": "answers",
			"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
		}
		for _, m := range []transport.Message{first, second} {
			e := wire.ReadEnvelope(m.Headers, wire.Arrival{})
			wantEqual(r, "the type", e.Type, "ScheduledMessage")
			wantEqual(r, "the message id", m.MessageID, e.ID)
			wantEqual(r, "the content type", m.ContentType, "application/octet-stream")
			wantEqual(r, "the body", string(m.Body), `{"id":"invoice-1"}`)
			wantEqual(r, "whether it is transient", m.Transient, false)
			wantEqual(r, "the expiration", m.Expiration, 0)
			if own := wire.Application(m.Headers); !reflect.DeepEqual(own, want) {
				r.Errorf("the headers are %v,\nwant %v", own, want)
			}
			for name := range m.Headers {
				if wire.IsBroker(name) {
					r.Errorf("the header %s came from the broker and was published again", name)
				}
			}
		}
		if first.MessageID == second.MessageID || first.MessageID == "invoice-1" {
			r.Errorf("the hops have the ids %q and %q, want two of their own", first.MessageID, second.MessageID)
		}
	})
}

// putForeign schedules a message in the way of another library: four headers, an envelope of its own, no more.
func (r *rig) putForeign(at time.Time, more wire.Table) {
	headers := wire.Table{
		"x-acemq-id": "foreign-1", "x-acemq-type": "ScheduledMessage", "x-acemq-correlation": "foreign-1",
		"x-schedule-exchange": []byte(billing), "x-schedule-routing-key": due, "x-schedule-due-at": at.UnixMilli(),
		"x-schedule-content-type": "text/plain",
	}
	maps.Copy(headers, more)
	r.put(transport.Message{Exchange: "acemq.schedule", Key: "acemq.schedule.1s", MessageID: "foreign-1",
		ContentType: "application/octet-stream", Body: []byte("pay"), Headers: headers})
}

// A message that another library scheduled is delivered as that library would: under a fresh envelope.
func TestMessageOfAnotherLibrary(t *testing.T) {
	bubble(t, func(r *rig) {
		s, inbox := r.run(r.conn), r.watch()
		r.putForeign(time.Now().Add(time.Minute), wire.Table{"x-tenant": "acme", "x-schedule-later": "kept till the end"})
		r.sleep(time.Second)
		between := r.server.Peek("acemq.schedule.10s")[0]
		for _, name := range []string{"x-schedule-id", "x-schedule-type", "x-schedule-version"} {
			if value, there := between.Headers[name]; there {
				r.Errorf("on its way it was given %s: %v", name, value)
			}
		}
		wantEqual(r, "a header of a later release", between.Headers["x-schedule-later"], any("kept till the end"))
		r.sleep(time.Hour)
		got := inbox.all()
		if len(got) != 1 {
			r.Fatalf("%d messages arrived, want 1", len(got))
		}
		d := got[0]
		wantEqual(r, "the time", d.after, time.Minute)
		wantEqual(r, "the body", string(d.Body), "pay")
		wantEqual(r, "the content type", d.ContentType, "text/plain")
		wantEqual(r, "the type", d.Headers["x-acemq-type"], any("ScheduledMessage"))
		if d.MessageID == "foreign-1" || d.MessageID == between.MessageID {
			r.Errorf("the delivery has the id of a hop, %s", d.MessageID)
		}
		if own := wire.Application(d.Headers); !maps.Equal(own, wire.Table{"x-tenant": "acme"}) {
			r.Errorf("the application's headers are %v", own)
		}
		r.wantCounts(s, schedule.Counts{Delivered: 1, Hops: 14})
	})
}

// Up to RabbitMQ 3.13 a published x-death counts as the history of a message: kept, it would have the broker take the
// message for one that goes round, and drop it.
func TestHistoryIsLeftBehind(t *testing.T) {
	for name, version := range versions {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.run(r.conn)
				inbox := r.watch()
				history := []any{wire.Table{"queue": "acemq.schedule.due", "reason": "expired", "count": int64(1)}}
				at := time.Now().Add(10 * time.Second)
				r.put(transport.Message{Key: "acemq.schedule.due", MessageID: "1", Headers: wire.Table{"x-death": history,
					"x-first-death-queue": "acemq.schedule.due", "x-delivery-count": int64(3), "x-schedule-exchange": billing,
					"x-schedule-routing-key": due, "x-schedule-due-at": at.UnixMilli()}})
				r.sleep(time.Minute)
				got := inbox.all()
				if len(got) != 1 {
					r.Fatalf("%d messages arrived, want 1", len(got))
				}
				for name := range got[0].Headers {
					if wire.IsBroker(name) {
						r.Errorf("the delivery has the header %s", name)
					}
				}
			}, version)
		})
	}
}

// A message with a header that is too long for the property of the same meaning goes its way without the property.
func TestLongReplyAddress(t *testing.T) {
	bubble(t, func(r *rig) {
		r.run(r.conn)
		inbox := r.watch()
		long := strings.Repeat("r", 300)
		r.putForeign(time.Now().Add(time.Minute), wire.Table{"acemq-reply-to": long})
		r.sleep(time.Hour)
		got := inbox.all()
		if len(got) != 1 || got[0].ReplyTo != "" || got[0].Headers["acemq-reply-to"] != long {
			r.Errorf("it arrived as %+v", got)
		}
	})
}

func TestRefusedRoutes(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*acemq.Route[invoice])
		says   string
	}{
		{"optional", func(p *acemq.Route[invoice]) { p.Optional = true }, "Optional"},
		{"transient", func(p *acemq.Route[invoice]) { p.Transient = true }, "Transient"},
		{"no key", func(p *acemq.Route[invoice]) { p.Key = "" }, "the routing key is empty"},
		{"another codec's type", func(p *acemq.Route[invoice]) { p.Codec = acemq.Text }, "the text codec takes no"},
	} {
		for _, d := range []time.Duration{0, time.Hour} {
			t.Run(c.name+" "+d.String(), func(t *testing.T) {
				bubble(t, func(r *rig) {
					s, route := r.run(r.conn), route
					c.change(&route)
					err := schedule.After(r.Context(), acemq.NewPublisher(r.conn, route), d, invoice{"1"}, acemq.WithID("i"))
					var refused *acemq.RefusedError
					if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.says) || refused.MessageID != "i" {
						r.Errorf("the error is %v, want one that says %q of message i", err, c.says)
					}
					r.wantCounts(s, schedule.Counts{})
				})
			})
		}
	}
}

// What is due at once has the outcome of a publish.
func TestUnroutableAtOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		s := r.run(r.conn)
		r.server.DeleteQueue(inbox)
		err := schedule.After(r.Context(), acemq.NewPublisher(r.conn, route), 0, invoice{"1"})
		var unroutable *acemq.UnroutableError
		if !errors.As(err, &unroutable) {
			r.Errorf("the error is %v", err)
		}
		r.wantCounts(s, schedule.Counts{})
	})
}

// A scheduler declares the shared topology and nothing beside it.
func TestTopology(t *testing.T) {
	bubble(t, func(r *rig) {
		before := r.server.Queues()
		r.run(r.conn)
		var added []string
		for _, queue := range r.server.Queues() {
			if !slices.Contains(before, queue) {
				added = append(added, queue)
			}
		}
		wantList(r, "the queues", added, []string{"acemq.schedule.10m", "acemq.schedule.10s", "acemq.schedule.1h",
			"acemq.schedule.1m", "acemq.schedule.1s", "acemq.schedule.due"})
	})
	if err := schedule.Topology().Check(); err != nil {
		t.Error(err)
	}
	for _, queue := range schedule.Topology().Queues {
		if _, there := queue.Arguments["x-queue-type"]; there {
			t.Errorf("%s has a queue type, and is classic without", queue.Name)
		}
	}
}

// A queue that exists with another argument is an error of the start, and of the first message without a scheduler.
func TestConflict(t *testing.T) {
	bubble(t, func(r *rig) {
		other := topology.New()
		other.Queues = []topology.Queue{{Name: "acemq.schedule.1m", Arguments: wire.Table{"x-queue-type": "quorum"}}}
		if err := r.conn.Declare(r.Context(), other); err != nil {
			r.Fatal(err)
		}
		conflict := new(acemq.ConflictError)
		conn := r.dial()
		if _, err := schedule.Run(r.Context(), conn); !errors.As(err, &conflict) {
			r.Errorf("the start returned %v", err)
		}
		err := schedule.After(r.Context(), acemq.NewPublisher(conn, route), time.Hour, invoice{"1"})
		if refused := new(acemq.RefusedError); !errors.As(err, &refused) || !errors.As(err, &conflict) {
			r.Errorf("the publish returned %v", err)
		}
		wantEqual(r, "the messages in a rung", r.ready("acemq.schedule.1h"), 0)
	})
}
