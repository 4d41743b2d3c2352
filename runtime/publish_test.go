package acemq

import (
	"context"
	"errors"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
)

type placed struct {
	ID     string `json:"id"`
	Region string `json:"region"`
}

var placedRoute = Route[placed]{
	Exchange: "events",
	Key:      "order.placed.{Region}",
	Fields:   func(m placed) []string { return []string{m.Region} },
	Type:     "order.placed",
	Version:  3,
}

// declareEvents declares the exchange of placedRoute, with the queue eu for what happens in Europe.
func (r *rig) declareEvents() {
	r.Helper()
	events := topology.New().Exchange("events", topology.Topic).Queue("eu").Bind("eu", "events", "order.*.eu")
	if err := r.conn.Declare(r.Context(), events); err != nil {
		r.Fatal(err)
	}
}

func TestPublishedHeaders(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	seen := time.UnixMilli(1767323045678).UTC()
	for _, c := range []struct {
		name string
		opts []PublishOption
		want Headers // beside id, correlation and first-seen where the message makes its own
	}{
		{
			name: "alone",
			want: Headers{"x-acemq-type": "order.placed", "x-acemq-version": int32(3), "x-acemq-attempt": int32(1),
				"x-acemq-origin": "tests@" + host},
		},
		{
			name: "with options",
			opts: []PublishOption{WithID("id-1"), WithCorrelation("corr-1"), WithHeader("x-tenant", "acme"),
				WithHeaders(Headers{"retries": 3}), WithReplyTo("answers"), WithClaim("s3://o-4")},
			want: Headers{"x-acemq-type": "order.placed", "x-acemq-version": int32(3), "x-acemq-attempt": int32(1),
				"x-acemq-origin": "tests@" + host, "x-acemq-id": "id-1", "x-acemq-correlation": "corr-1", "x-tenant": "acme",
				"retries": int64(3), "acemq-reply-to": "answers", "x-acemq-claim": "s3://o-4"},
		},
		{
			name: "caused by another message",
			opts: []PublishOption{CausedBy(Envelope{ID: "cause-1", Correlation: "corr-1", Attempt: 4, FirstSeen: seen})},
			want: Headers{"x-acemq-type": "order.placed", "x-acemq-version": int32(3), "x-acemq-attempt": int32(1),
				"x-acemq-origin": "tests@" + host, "x-acemq-correlation": "corr-1", "x-acemq-causation": "cause-1"},
		},
		{
			name: "on its way",
			opts: []PublishOption{WithEnvelope(Envelope{ID: "id-1", Type: "order.taken", Version: 2, Correlation: "corr-1",
				Causation: "cause-1", Origin: "orders@host-7", FirstSeen: seen})},
			want: Headers{"x-acemq-id": "id-1", "x-acemq-type": "order.taken", "x-acemq-version": int32(2),
				"x-acemq-correlation": "corr-1", "x-acemq-causation": "cause-1", "x-acemq-attempt": int32(1),
				"x-acemq-origin": "orders@host-7", "x-acemq-first-seen": int64(1767323045678)},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.declareEvents()
				now := time.Now()
				if err := NewPublisher(r.conn, placedRoute).Publish(r.Context(), placed{"o-1", "eu"}, c.opts...); err != nil {
					r.Fatal(err)
				}
				d := r.takeOne("eu")
				want := maps.Clone(c.want)
				for name, value := range map[string]any{
					"x-acemq-id": d.MessageID, "x-acemq-correlation": d.MessageID, "x-acemq-first-seen": now.UnixMilli(),
				} {
					if _, own := want[name]; !own {
						want[name] = value
					}
				}
				if !maps.Equal(d.Headers, want) {
					r.Errorf("published with %v,\nwant %v", d.Headers, want)
				}
				wantEqual(r, "the message id", d.MessageID, want["x-acemq-id"].(string))
				wantEqual(r, "the key", d.Key, "order.placed.eu")
				wantEqual(r, "the body", string(d.Body), `{"id":"o-1","region":"eu"}`)
				wantEqual(r, "the content type", d.ContentType, "application/json")
			})
		})
	}
}

func TestReplyAddress(t *testing.T) {
	bubble(t, func(r *rig) {
		publisher := NewPublisher(r.conn, Route[order]{Key: work})
		if err := publisher.Publish(r.Context(), order{"1"}, WithReplyTo("answers")); err != nil {
			r.Fatal(err)
		}
		r.put(transport.Message{Key: work, MessageID: "2", Body: []byte(`{"id":"2"}`), ReplyTo: "property"})
		r.put(transport.Message{Key: work, MessageID: "3", Body: []byte(`{"id":"3"}`), ReplyTo: "property",
			Headers: Headers{"acemq-reply-to": "header"}})
		s := answers()
		r.consume(Queue{Concurrency: 1}, s.handle)
		r.sleep(time.Second)
		var got []string
		for _, m := range s.seen {
			got = append(got, m.ReplyTo)
		}
		wantList(r, "the reply addresses", got, []string{"answers", "property", "header"})
	})
}

func TestPropertiesOfARoute(t *testing.T) {
	bubble(t, func(r *rig) {
		r.declareEvents()
		route := placedRoute
		route.Transient, route.Expires, route.Priority, route.Codec = true, 5*time.Second, 7, namedCodec{JSON}
		if err := NewPublisher(r.conn, route).Publish(r.Context(), placed{Region: "eu"}); err != nil {
			r.Fatal(err)
		}
		m := r.broker.messages()[0]
		if !m.Transient || m.Expiration != 5*time.Second || m.Priority != 7 || m.Optional || m.ContentType != "application/named+json" {
			r.Errorf("published as %+v", m)
		}
	})
}

type namedCodec struct{ Codec }

func (namedCodec) ContentType() string { return "application/named+json" }

func TestOutcomes(t *testing.T) {
	bubble(t, func(r *rig) {
		r.declareEvents()
		publisher := NewPublisher(r.conn, placedRoute)
		ctx := r.Context()
		unroutable := new(UnroutableError)
		if err := publisher.Publish(ctx, placed{Region: "us"}); !errors.As(err, &unroutable) || unroutable.Key != "order.placed.us" {
			r.Errorf("no queue takes it: %v, want an *UnroutableError", err)
		}
		route := placedRoute
		route.Optional = true
		if err := NewPublisher(r.conn, route).Publish(ctx, placed{Region: "us"}); err != nil {
			r.Errorf("no queue takes what may be unroutable: %v", err)
		}
		for f, want := range map[fault]any{nacked: new(*NackedError), refused: new(*RefusedError), lostOnTheBack: new(*UnknownError)} {
			r.broker.fail(func(transport.Message, int) fault { return f })
			if err := publisher.Publish(ctx, placed{Region: "eu"}); !errors.As(err, want) {
				r.Errorf("got %v, want a %T", err, want)
			}
		}
	})
}

// What cannot be sent is refused before anything is written.
func TestRefusedBeforeWriting(t *testing.T) {
	broken := placedRoute
	broken.Fields = nil
	unencodable := placedRoute
	unencodable.Codec = Bytes
	for _, c := range []struct {
		name  string
		route Route[placed]
		m     placed
		opts  []PublishOption
		want  string // in the error
	}{
		{"an empty field", placedRoute, placed{}, nil, `the field Region of the key "order.placed.{Region}" is empty`},
		{"a dot in a field", placedRoute, placed{Region: "eu.west"}, nil, `is "eu.west", and a dot would make it two words`},
		{"a key without its fields", broken, placed{Region: "eu"}, nil, "has more fields than the 0 values"},
		{"a reserved header", placedRoute, placed{Region: "eu"}, []PublishOption{WithHeader("x-acemq-attempt", 1)}, `"x-acemq-attempt"`},
		{"a reserved header among others", placedRoute, placed{Region: "eu"},
			[]PublishOption{WithHeaders(Headers{"x-acemq-later": 1, "x-tenant": "acme"})}, `"x-acemq-later"`},
		{"a header of the broker", placedRoute, placed{Region: "eu"}, []PublishOption{WithHeader("x-death", "")}, `"x-death"`},
		{"a header that AMQP has no type for", placedRoute, placed{Region: "eu"},
			[]PublishOption{WithHeader("x-tenant", struct{}{})}, `"x-tenant"`},
		{"a key that is too long", placedRoute, placed{Region: strings.Repeat("r", 250)}, nil, "routing key"},
		{"an id that is too long", placedRoute, placed{Region: "eu"}, []PublishOption{WithID(strings.Repeat("i", 256))}, "message id"},
		{"a payload that the codec does not take", unencodable, placed{Region: "eu"}, nil, "the bytes codec takes no acemq.placed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.declareEvents()
				err := NewPublisher(r.conn, c.route).Publish(r.Context(), c.m, c.opts...)
				refused := new(RefusedError)
				if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
					r.Errorf("got %v, want a *RefusedError with %s", err, c.want)
				}
				wantEqual(r, "the messages in eu", r.ready("eu"), 0)
			})
		})
	}
}

func TestPublishAll(t *testing.T) {
	bubble(t, func(r *rig) {
		r.declareEvents()
		publisher := NewPublisher(r.conn, placedRoute)
		regions := []placed{{"1", "eu"}, {"2", "us"}, {"3", "eu"}, {"4", ""}, {"5", "eu"}}
		r.broker.fail(func(_ transport.Message, nth int) fault {
			if nth == 3 { // the third to eu
				return nacked
			}
			return works
		})
		err := publisher.PublishAll(r.Context(), regions)
		var batch *BatchError
		if !errors.As(err, &batch) {
			r.Fatalf("got %v, want a *BatchError", err)
		}
		wantEqual(r, "the total", batch.Total, 5)
		wantEqual(r, "the confirmed", batch.Confirmed, 2)
		wantEqual(r, "the failed", batch.Failed, 3)
		for i, want := range []any{nil, new(*UnroutableError), nil, new(*RefusedError), new(*NackedError)} {
			switch got := batch.Errors[i]; {
			case want == nil && got != nil:
				r.Errorf("message %d failed: %v", i, got)
			case want != nil && !errors.As(got, want):
				r.Errorf("message %d: %v, want a %T", i, got, want)
			}
		}
		wantEqual(r, "the first failure", batch.First, batch.Errors[1])
		const sentence = "3 of 5 messages were not confirmed; 2 were. The first failure was: "
		wantEqual(r, "the sentence", err.Error(), sentence+batch.First.Error())
		if unroutable := new(UnroutableError); !errors.As(err, &unroutable) {
			r.Error("the error does not unwrap to the first failure")
		}
		var ids []string
		for _, d := range r.take("eu") {
			ids = append(ids, string(d.Body))
		}
		wantList(r, "the messages", ids, []string{`{"id":"1","region":"eu"}`, `{"id":"3","region":"eu"}`})
	})
}

func TestPublishAllOfNothing(t *testing.T) {
	bubble(t, func(r *rig) {
		if err := NewPublisher(r.conn, placedRoute).PublishAll(r.Context(), nil); err != nil {
			r.Error(err)
		}
	})
}

// Two messages under one id would be one to their consumers.
func TestPublishAllUnderOneID(t *testing.T) {
	bubble(t, func(r *rig) {
		r.declareEvents()
		publisher := NewPublisher(r.conn, placedRoute)
		err := publisher.PublishAll(r.Context(), []placed{{"1", "eu"}, {"2", "eu"}}, WithID("one"))
		if refused := new(RefusedError); !errors.As(err, &refused) {
			r.Errorf("got %v, want a *RefusedError", err)
		}
		wantEqual(r, "the messages", r.ready("eu"), 0)
		if err := publisher.PublishAll(r.Context(), []placed{{"1", "eu"}}, WithID("one")); err != nil {
			r.Errorf("a batch of one message: %v", err)
		}
	})
}

func TestPublishAsync(t *testing.T) {
	bubble(t, func(r *rig) {
		r.declareEvents()
		publisher := NewPublisher(r.conn, placedRoute)
		routed, err := publisher.PublishAsync(r.Context(), placed{"1", "eu"})
		if err != nil {
			r.Fatal(err)
		}
		lost, err := publisher.PublishAsync(r.Context(), placed{"2", "us"})
		if err != nil {
			r.Fatal(err)
		}
		<-routed.Done()
		for range 2 {
			if err := routed.Wait(r.Context()); err != nil {
				r.Error(err)
			}
			if unroutable := new(UnroutableError); !errors.As(lost.Wait(r.Context()), &unroutable) {
				r.Error("want an *UnroutableError")
			}
		}
		if _, err := publisher.PublishAsync(r.Context(), placed{}); err == nil {
			r.Error("an empty field was sent")
		}
	})
}

// A publish that gets no answer ends with the publish timeout.
func TestPublishTimeout(t *testing.T) {
	bubble(t, func(r *rig) {
		r.conn.broker = silent{r.conn.broker}
		began := time.Now()
		err := NewPublisher(r.conn, Route[order]{Key: work}).Publish(r.Context(), order{})
		if !errors.Is(err, context.DeadlineExceeded) {
			r.Errorf("got %v, want the deadline", err)
		}
		wantEqual(r, "the time it took", time.Since(began), 3*time.Second)
	}, WithPublishTimeout(3*time.Second))
}

// silent is a broker that never answers a publish.
type silent struct{ transport.Broker }

func (silent) Publish(context.Context, transport.Message) (transport.Pending, error) {
	return unanswered{make(chan struct{})}, nil
}

type unanswered struct{ done chan struct{} }

func (u unanswered) Done() <-chan struct{} { return u.done }

func (u unanswered) Wait(ctx context.Context) error {
	select {
	case <-u.done:
		return nil
	case <-ctx.Done():
		return &UnknownError{Cause: ctx.Err()}
	}
}
