package acemq

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/idempotency"
	"github.com/acemq/acemq-gen/runtime/transport"
)

var errPolicy = errors.New("not in this country")

// journal is what interceptors, handlers and observers write down.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) note(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, fmt.Sprintf(format, args...))
}

// read returns what was written since it was read last.
func (j *journal) read() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	lines := j.lines
	j.lines = nil
	return lines
}

func (j *journal) count() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.lines)
}

// journaled returns an interceptor that writes down each of its places under a name.
func (j *journal) journaled(name string, order int) Interceptor {
	return Interceptor{
		Name:  name,
		Order: order,
		BeforePublish: func(ctx context.Context, m *PublishedMessage) (context.Context, error) {
			j.note("%s before publish", name)
			return ctx, nil
		},
		AfterConfirm: func(context.Context, *PublishedMessage) error {
			j.note("%s after confirm", name)
			return nil
		},
		PublishFailed: func(_ context.Context, _ *PublishedMessage, err error) error {
			j.note("%s publish failed: %s", name, publishOutcome(err))
			return nil
		},
		BeforeHandle: func(ctx context.Context, m *Message[[]byte]) (context.Context, error) {
			j.note("%s before handle", name)
			return ctx, nil
		},
		AfterHandle: func(_ context.Context, _ *Message[[]byte], ack Ack) error {
			j.note("%s after handle: %v", name, ack)
			return nil
		},
		HandleFailed: func(_ context.Context, _ *Message[[]byte], err error) error {
			j.note("%s handle failed: %v", name, err)
			return nil
		},
	}
}

// broken returns an interceptor that fails in one place, named as the field is, by an error or else a panic.
func broken(place string, fail func() error) Interceptor {
	at := func(other string) error {
		if other == place {
			return fail()
		}
		return nil
	}
	return Interceptor{
		Name: "broken",
		BeforePublish: func(ctx context.Context, _ *PublishedMessage) (context.Context, error) {
			return ctx, at("BeforePublish")
		},
		AfterConfirm: func(context.Context, *PublishedMessage) error { return at("AfterConfirm") },
		PublishFailed: func(context.Context, *PublishedMessage, error) error {
			return at("PublishFailed")
		},
		BeforeHandle: func(ctx context.Context, _ *Message[[]byte]) (context.Context, error) {
			return ctx, at("BeforeHandle")
		},
		AfterHandle:  func(context.Context, *Message[[]byte], Ack) error { return at("AfterHandle") },
		HandleFailed: func(context.Context, *Message[[]byte], error) error { return at("HandleFailed") },
	}
}

// Each row is a place, and what comes of an interceptor that fails there because of "why". The interceptors "one" and
// "two" stand around it.
var failures = []struct {
	place   string
	fault   fault // of the publish
	ack     Ack   // of the handler
	journal []string
	publish string // the outcome of the publish
	counts  Counts // of the consumer
	reason  string // of the dead letter
	logged  bool   // as an event of its own
}{
	{
		place:   "BeforePublish",
		journal: []string{"one before publish"},
		publish: "refused",
	},
	{
		place: "AfterConfirm", ack: Accept(),
		journal: []string{
			"one before publish", "two before publish", "one after confirm", "two after confirm",
			"one before handle", "two before handle", "handler", "two after handle: accept", "one after handle: accept",
		},
		publish: "confirmed", counts: Counts{Accepted: 1}, logged: true,
	},
	{
		place: "PublishFailed", fault: nacked,
		journal: []string{
			"one before publish", "two before publish", "one publish failed: failed", "two publish failed: failed",
		},
		publish: "failed", logged: true,
	},
	{
		place: "BeforeHandle", ack: Accept(),
		journal: []string{
			"one before publish", "two before publish", "one after confirm", "two after confirm",
			"one before handle",
		},
		publish: "confirmed", counts: Counts{DeadLettered: 1}, reason: "an interceptor refused it: why",
	},
	{
		place: "AfterHandle", ack: Park(errBusy),
		journal: []string{
			"one before publish", "two before publish", "one after confirm", "two after confirm",
			"one before handle", "two before handle", "handler",
			"two handle failed: payments are busy", "one handle failed: payments are busy",
			"two after handle: park: payments are busy", "one after handle: park: payments are busy",
		},
		publish: "confirmed", counts: Counts{Parked: 1}, logged: true,
	},
	{
		place: "HandleFailed", ack: DeadLetter(errBusy),
		journal: []string{
			"one before publish", "two before publish", "one after confirm", "two after confirm",
			"one before handle", "two before handle", "handler",
			"two handle failed: payments are busy", "one handle failed: payments are busy",
			"two after handle: dead-letter: payments are busy", "one after handle: dead-letter: payments are busy",
		},
		publish: "confirmed", counts: Counts{Rejected: 1}, reason: "the handler rejected it: payments are busy",
		logged: true,
	},
}

func TestInterceptorFailures(t *testing.T) {
	errWhy := errors.New("why")
	for _, row := range failures {
		for _, way := range []struct {
			name string
			fail func() error
			why  string
		}{
			{"an error", func() error { return errWhy }, "why"},
			{"a fatal error", func() error { return Fatal(errWhy) }, "why"},
			{"a panic", func() error { panic("why") }, "it panicked: why"},
			{"a panic with an error", func() error { panic(errWhy) }, "it panicked: why"},
		} {
			t.Run(row.place+"/"+way.name, func(t *testing.T) {
				var j, events journal
				bubble(t, func(r *rig) {
					broken := broken(row.place, way.fail)
					broken.Order = 2
					r.conn.Intercept(j.journaled("two", 3), broken, j.journaled("one", 1))
					r.broker.fail(func(m transport.Message, _ int) fault {
						if m.Copy {
							return works
						}
						return row.fault
					})
					publisher := NewPublisher(r.conn, Route[order]{Key: work, Type: "order.placed"})
					err := publisher.Publish(r.Context(), order{"1"})
					wantEqual(r, "the outcome", publishOutcome(err), row.publish)
					if by := new(InterceptorError); row.publish == "refused" && !errors.As(err, &by) {
						r.Errorf("the refusal is %v", err)
					}
					c := r.consume(Queue{}, func(context.Context, *Message[order]) Ack {
						j.note("handler")
						return row.ack
					})
					r.sleep(time.Minute)
					wantList(r, "the calls", j.read(), row.journal)
					r.wantCounts(c, row.counts)
					if row.reason != "" {
						reason := r.takeOne("work.dlq").Headers["x-acemq-error"]
						wantEqual(r, "the reason", reason, any(strings.Replace(row.reason, "why", way.why, 1)))
					}
					wantEqual(r, "reported", slices.Contains(events.read(), row.place+" failed"), row.logged)
				}, WithObserver(ObserverFunc(func(_ context.Context, e Event) {
					if e.Name == EventInterceptorFailed {
						events.note("%s failed", e.Step)
					}
				})))
			})
		}
	}
}

// Smaller orders run first, equal ones as they were installed, on both sides; what follows a handler runs backwards.
func TestInterceptorOrder(t *testing.T) {
	var j journal
	bubble(t, func(r *rig) {
		for i, name := range []string{"c", "d"} {
			r.conn.Intercept(j.journaled(name, 7), j.journaled(fmt.Sprint("last ", i), 9))
		}
		r.conn.Intercept(j.journaled("first", -1))
		if err := NewPublisher(r.conn, Route[order]{Key: work}).Publish(r.Context(), order{"1"}); err != nil {
			r.Fatal(err)
		}
		r.consume(Queue{}, func(context.Context, *Message[order]) Ack { return Accept() })
		r.sleep(0)
		var want []string
		names := []string{"first", "a", "b", "c", "d", "last 0", "last 1"}
		for _, place := range []string{"before publish", "after confirm", "before handle"} {
			for _, name := range names {
				want = append(want, name+" "+place)
			}
		}
		for _, name := range slices.Backward(names) {
			want = append(want, name+" after handle: accept")
		}
		wantList(r, "the calls", j.read(), want)
	}, WithInterceptor(j.journaled("a", 7)), WithInterceptor(j.journaled("b", 7)))
}

// Publishers, consumers and messages on their way keep working while interceptors are installed, and never meet a moment
// without those that were there.
func TestInterceptWhileMessagesFlow(t *testing.T) {
	bubble(t, func(r *rig) {
		var published, handled sync.Map
		r.conn.Intercept(Interceptor{
			BeforePublish: func(ctx context.Context, m *PublishedMessage) (context.Context, error) {
				published.Store(m.Envelope.ID, true)
				return ctx, nil
			},
			BeforeHandle: func(ctx context.Context, m *Message[[]byte]) (context.Context, error) {
				handled.Store(m.Envelope.ID, true)
				return ctx, nil
			},
		})
		publisher := NewPublisher(r.conn, Route[order]{Key: work})
		c := r.consume(Queue{}, func(context.Context, *Message[order]) Ack { return Accept() })
		var group sync.WaitGroup
		group.Go(func() {
			for i := range 100 {
				r.conn.Intercept(Interceptor{Order: i % 3})
			}
		})
		const n = 200
		for i := range n {
			if err := publisher.Publish(r.Context(), order{"1"}, WithID(fmt.Sprint(i))); err != nil {
				r.Fatal(err)
			}
		}
		group.Wait()
		r.wantCounts(c, Counts{Accepted: n})
		for i := range n {
			_, out := published.Load(fmt.Sprint(i))
			_, in := handled.Load(fmt.Sprint(i))
			if !out || !in {
				r.Fatalf("message %d: published past the interceptor %v, handled past it %v", i, !out, !in)
			}
		}
		var late journal // a publisher and a consumer that were there before meet it
		r.conn.Intercept(late.journaled("late", 0))
		if err := publisher.Publish(r.Context(), order{"1"}); err != nil {
			r.Fatal(err)
		}
		r.sleep(0)
		calls := late.read()
		slices.Sort(calls) // the consumer may be quicker than the publisher
		wantList(r, "the calls", calls,
			[]string{"late after confirm", "late after handle: accept", "late before handle", "late before publish"})
	})
}

// What a publish interceptor changes goes out; the envelope stays whole.
func TestPublishInterceptorChanges(t *testing.T) {
	bubble(t, func(r *rig) {
		r.conn.Intercept(
			Interceptor{BeforePublish: func(ctx context.Context, m *PublishedMessage) (context.Context, error) {
				m.Headers["x-tenant"] = "acme"
				m.Envelope.Claim = "s3://bucket/1"
				m.Envelope.Version = 0
				m.Envelope.ID = ""
				m.Body()[0] = 'X'
				m.Headers = nil
				return ctx, nil
			}},
			Interceptor{BeforePublish: func(ctx context.Context, m *PublishedMessage) (context.Context, error) {
				m.Headers["x-exchange"], m.Headers["x-key"] = m.Exchange(), m.RoutingKey()
				m.Headers["x-content"] = m.ContentType() + " " + string(m.Body())
				return ctx, nil
			}})
		for _, publish := range []func(WithHeaders Headers) error{
			func(own Headers) error {
				return NewPublisher(r.conn, Route[order]{Key: work, Type: "order.placed", Version: 3}).
					Publish(r.Context(), order{"1"}, WithHeaders(own))
			},
			func(own Headers) error {
				return r.conn.Send(r.Context(), Outgoing{Key: work, Envelope: Envelope{Type: "order.placed"}, Headers: own,
					Body: []byte(`{"id":"1"}`), ContentType: "application/json"})
			},
		} {
			own := Headers{"x-own": "1"}
			if err := publish(own); err != nil {
				r.Fatal(err)
			}
			wantEqual(r, "the caller's headers", len(own), 1)
			d := r.takeOne(work)
			wantEqual(r, "the body", string(d.Body), `{"id":"1"}`)
			wantEqual(r, "the id", d.Headers["x-acemq-id"].(string), d.MessageID)
			want := Headers{"x-exchange": "", "x-key": work, "x-content": `application/json {"id":"1"}`,
				"x-acemq-claim": "s3://bucket/1", "x-acemq-type": "order.placed", "x-acemq-version": int32(1)}
			for name, value := range want {
				if d.Headers[name] != value {
					r.Errorf("%s is %v, want %v", name, d.Headers[name], value)
				}
			}
			if _, there := d.Headers["x-own"]; there {
				r.Error("a header that was taken off is still there")
			}
		}
	})
}

func TestInterceptorsRefuseReservedHeaders(t *testing.T) {
	for _, name := range []string{"x-acemq-type", "x-acemq-of-a-later-release", "x-death", "x-delivery-count"} {
		bubble(t, func(r *rig) {
			r.conn.Intercept(Interceptor{Name: "stamp",
				BeforePublish: func(ctx context.Context, m *PublishedMessage) (context.Context, error) {
					m.Headers[name] = "mine"
					return ctx, nil
				}})
			err := NewPublisher(r.conn, Route[order]{Key: work}).Publish(r.Context(), order{"1"})
			want := fmt.Sprintf("the interceptor %q refused it: the header %q is not the application's", "stamp", name)
			if err == nil || !strings.Contains(err.Error(), want) {
				r.Errorf("%s: %v", name, err)
			}
			wantEqual(r, "the messages that went out", len(r.broker.messages()), 0)
		})
	}
}

// What a consume interceptor changes reaches neither the handler nor the copy of a retry.
func TestConsumeInterceptorChangesNothing(t *testing.T) {
	bubble(t, func(r *rig) {
		spoil := func(m *Message[[]byte]) {
			m.Envelope, m.Queue, m.RoutingKey, m.ReplyTo = Envelope{}, "", "", ""
			clear(m.Headers)
			clear(m.Payload)
			clear(m.WireHeaders())
		}
		r.conn.Intercept(Interceptor{
			BeforeHandle: func(ctx context.Context, m *Message[[]byte]) (context.Context, error) {
				wantEqual(r, "the payload", string(m.Payload), `{ "id": "1" }`)
				spoil(m)
				return ctx, nil
			},
			AfterHandle: func(_ context.Context, m *Message[[]byte], _ Ack) error {
				spoil(m)
				return nil
			},
		})
		r.putOrder("1")
		published := time.Now()
		s := answers(Retry(errBusy))
		c := r.consume(Queue{Retry: Fixed(3, time.Minute)}, s.handle)
		r.sleep(time.Hour)
		r.wantCounts(c, Counts{Retried: 1, Accepted: 1})
		for _, m := range s.seen {
			r.wantSameMessage(m.Envelope, m.Headers, published)
			wantEqual(r, "the payload", m.Payload.ID, "1")
			wantEqual(r, "the reply address", m.ReplyTo, "answers")
			wantEqual(r, "the queue", m.Queue, work)
		}
	})
}

type contextKey struct{}

// Contexts go from interceptor to interceptor, to the handler, and to what follows, where they do not end.
func TestInterceptorContext(t *testing.T) {
	bubble(t, func(r *rig) {
		trail := func(ctx context.Context) string { s, _ := ctx.Value(contextKey{}).(string); return s }
		var j journal
		grow := func(ctx context.Context, name string) context.Context {
			return context.WithValue(ctx, contextKey{}, trail(ctx)+name)
		}
		for _, name := range []string{"a", "b"} {
			r.conn.Intercept(Interceptor{
				BeforePublish: func(ctx context.Context, _ *PublishedMessage) (context.Context, error) {
					return grow(ctx, name), nil
				},
				PublishFailed: func(ctx context.Context, _ *PublishedMessage, err error) error {
					j.note("%s failed %s %v", name, trail(ctx), ctx.Err())
					return nil
				},
				BeforeHandle: func(ctx context.Context, _ *Message[[]byte]) (context.Context, error) {
					return grow(ctx, name), nil
				},
				AfterHandle: func(ctx context.Context, _ *Message[[]byte], _ Ack) error {
					j.note("%s handled %s %v", name, trail(ctx), ctx.Err())
					return nil
				},
			})
		}
		r.conn.Intercept(Interceptor{ // keeps the context that it has
			BeforePublish: func(context.Context, *PublishedMessage) (context.Context, error) { return nil, nil },
			BeforeHandle:  func(context.Context, *Message[[]byte]) (context.Context, error) { return nil, nil },
		})
		r.conn.broker = silent{r.broker}
		ctx, cancel := context.WithTimeout(context.WithValue(r.Context(), contextKey{}, "caller "), time.Second)
		defer cancel()
		if err := r.conn.Send(ctx, Outgoing{Key: work}); !errors.Is(err, context.DeadlineExceeded) {
			r.Errorf("the outcome is %v", err)
		}
		wantList(r, "the calls", j.read(), []string{"a failed caller ab <nil>", "b failed caller ab <nil>"})
		r.conn.broker = r.broker
		c := r.consume(Queue{}, func(ctx context.Context, _ *Message[order]) Ack {
			j.note("handler %s", trail(ctx))
			<-ctx.Done()
			return Accept()
		})
		r.putOrder("1")
		r.sleep(0)
		ctx, cancel = context.WithTimeout(r.Context(), time.Second)
		defer cancel()
		if err := c.Close(ctx); !errors.Is(err, ErrDrainTimeout) {
			r.Errorf("close: %v", err)
		}
		wantList(r, "the calls", j.read(), []string{"handler ab", "b handled ab <nil>", "a handled ab <nil>"})
	})
}

// A refusal gives up the claim of an idempotent consumer, so that the message can be replayed.
func TestInterceptorsStandBehindTheClaim(t *testing.T) {
	bubble(t, func(r *rig) {
		refuse := true
		var j journal
		r.conn.Intercept(Interceptor{BeforeHandle: func(ctx context.Context, m *Message[[]byte]) (context.Context, error) {
			j.note("%s", m.Envelope.ID)
			if refuse {
				return ctx, errPolicy
			}
			return ctx, nil
		}})
		c := r.consume(Queue{}, func(context.Context, *Message[order]) Ack { return Accept() },
			WithIdempotency(idempotency.NewMemory()))
		r.putOrder("1")
		r.sleep(0)
		r.wantCounts(c, Counts{DeadLettered: 1})
		refuse = false
		r.putOrder("1")
		r.sleep(0)
		r.putOrder("1") // handled, so nobody sees it again
		r.put(transport.Message{Key: work, MessageID: "2", Body: []byte("no order"), ContentType: "application/json",
			Copy: true})
		r.sleep(0)
		r.wantCounts(c, Counts{DeadLettered: 1, Accepted: 1, Duplicates: 1, Parked: 1})
		wantList(r, "the messages that were seen", j.read(), []string{"1", "1"})
	})
}

// A handler that does not return has failed, and is told of as such.
func TestInterceptorsHearOfHandlersThatDoNotReturn(t *testing.T) {
	for _, row := range []struct {
		name   string
		handle func() Ack
		reason string
	}{
		{"a panic", func() Ack { panic("boom") }, "acemq: the handler panicked on message 1: boom"},
		{"an ended goroutine", goexit, errGoexit.Error()},
		{"no answer", func() Ack { return Ack{} }, errNoAnswer.Error()},
		{"a retry without a reason", func() Ack { return Retry(nil) }, "no reason given"},
	} {
		t.Run(row.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				var failed, after journal
				r.conn.Intercept(Interceptor{
					HandleFailed: func(_ context.Context, _ *Message[[]byte], err error) error {
						failed.note("%v", err)
						return nil
					},
					AfterHandle: func(context.Context, *Message[[]byte], Ack) error { after.note("after"); return nil },
				})
				r.putOrder("1")
				r.consume(Queue{Retry: NoRetry()}, func(context.Context, *Message[order]) Ack { return row.handle() })
				r.sleep(0)
				wantList(r, "the failures", failed.read(), []string{row.reason})
				wantList(r, "the calls afterwards", after.read(), []string{"after"})
				wantEqual(r, "the dead letters", r.ready("work.dlq"), 1)
			})
		})
	}
}

// Interceptors see each message that is published, once, and no copy of one that was received.
func TestWhichPublishesInterceptorsSee(t *testing.T) {
	bubble(t, func(r *rig) {
		var j journal
		r.conn.Intercept(Interceptor{
			BeforePublish: func(ctx context.Context, m *PublishedMessage) (context.Context, error) {
				m.Headers["x-seen"] = true
				j.note("before %s", m.Envelope.ID)
				return ctx, nil
			},
			AfterConfirm: func(_ context.Context, m *PublishedMessage) error {
				j.note("after %s", m.Envelope.ID)
				return nil
			},
		})
		saw := func(what string, want ...string) {
			r.Helper()
			r.sleep(0)
			got := j.read()
			slices.Sort(got)
			slices.Sort(want)
			wantList(r, "the calls for "+what, got, want)
		}
		publisher := NewPublisher(r.conn, Route[order]{Key: work})
		sent := Outgoing{Key: work, Envelope: Envelope{ID: "1"}}
		if err := publisher.Publish(r.Context(), order{}, WithID("1")); err != nil {
			r.Fatal(err)
		}
		saw("a publish", "before 1", "after 1")
		if _, err := publisher.PublishAsync(r.Context(), order{}, WithID("1")); err != nil {
			r.Fatal(err)
		}
		saw("a publish that nobody waits for", "before 1", "after 1")
		if err := r.conn.Send(r.Context(), sent); err != nil {
			r.Fatal(err)
		}
		saw("what a pattern sends", "before 1", "after 1")
		if _, err := r.conn.SendAsync(r.Context(), sent); err != nil {
			r.Fatal(err)
		}
		saw("what a pattern sends without waiting", "before 1", "after 1")
		for _, d := range r.take(work) {
			wantEqual(r, "seen", d.Headers["x-seen"].(bool), true)
		}

		sent.Copy = true
		if err := r.conn.Send(r.Context(), sent); err != nil {
			r.Fatal(err)
		}
		saw("a copy that a pattern sends")
		r.take(work)
		for id, ack := range map[string]Ack{"2": Retry(errBusy), "3": DeadLetter(errBusy), "4": Park(errBusy)} {
			r.putOrder(id)
			c := r.consume(Queue{Retry: Fixed(2, time.Hour)}, answers(ack).handle)
			r.sleep(2 * time.Hour)
			if err := c.Close(r.Context()); err != nil {
				r.Fatal(err)
			}
		}
		saw("retries and what is set aside")
		for _, m := range r.broker.messages() {
			if _, seen := m.Headers["x-seen"]; seen == m.Copy {
				r.Errorf("message %s to %s: seen %v", m.MessageID, m.Key, seen)
			}
		}
	})
}

// In a batch each message goes its own way, and all go before the first is answered.
func TestInterceptorsInABatch(t *testing.T) {
	bubble(t, func(r *rig) {
		var j journal
		r.conn.Intercept(Interceptor{
			Name: "policy",
			BeforePublish: func(ctx context.Context, m *PublishedMessage) (context.Context, error) {
				j.note("before %s", m.Body())
				if strings.Contains(string(m.Body()), "2") {
					return ctx, errPolicy
				}
				return ctx, nil
			},
			AfterConfirm: func(_ context.Context, m *PublishedMessage) error { j.note("after %s", m.Body()); return nil },
		})
		err := NewPublisher(r.conn, Route[order]{Key: work}).PublishAll(r.Context(), []order{{"1"}, {"2"}, {"3"}})
		batch, refused, by := new(BatchError), new(RefusedError), new(InterceptorError)
		if !errors.As(err, &batch) || batch.Confirmed != 2 || !errors.As(batch.Errors[1], &refused) ||
			!errors.As(err, &by) {
			r.Fatalf("the outcome is %v", err)
		}
		wantEqual(r, "who refused", by.Interceptor, "policy")
		wantEqual(r, "why", errors.Is(err, errPolicy), true)
		wantList(r, "the calls", j.read(), []string{`before {"id":"1"}`, `before {"id":"2"}`, `before {"id":"3"}`,
			`after {"id":"1"}`, `after {"id":"3"}`})
		wantEqual(r, "the messages in work", r.ready(work), 2)
	})
}

// The outcome of a publish without waiting is the broker's, however long the caller waits, and is told once.
func TestInterceptorsAfterAsync(t *testing.T) {
	bubble(t, func(r *rig) {
		var j journal
		r.conn.Intercept(Interceptor{
			AfterConfirm: func(context.Context, *PublishedMessage) error {
				time.Sleep(time.Second)
				j.note("confirmed")
				return nil
			},
			PublishFailed: func(_ context.Context, _ *PublishedMessage, err error) error { j.note("%v", err); return nil },
		})
		r.conn.broker = late{r.broker}
		confirmation, err := r.conn.SendAsync(r.Context(), Outgoing{Key: work})
		if err != nil {
			r.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(r.Context(), time.Second)
		defer cancel()
		if err := confirmation.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			r.Errorf("waited and got %v", err)
		}
		wantEqual(r, "the calls so far", len(j.read()), 0)
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				if err := confirmation.Wait(r.Context()); err != nil {
					r.Errorf("waited and got %v", err)
				}
				wantEqual(r, "told before the answer", j.count(), 1)
			})
		}
		group.Wait()
		wantList(r, "the calls", j.read(), []string{"confirmed"})
	})
}

// late is a broker that answers after a minute.
type late struct{ transport.Broker }

func (l late) Publish(ctx context.Context, m transport.Message) (transport.Pending, error) {
	pending, err := l.Broker.Publish(ctx, m)
	if err != nil {
		return nil, err
	}
	p := answering{pending, make(chan struct{})}
	time.AfterFunc(time.Minute, func() { close(p.done) })
	return p, nil
}

type answering struct {
	transport.Pending
	done chan struct{}
}

func (a answering) Done() <-chan struct{} { return a.done }

func (a answering) Wait(ctx context.Context) error {
	select {
	case <-a.done:
		return a.Pending.Wait(ctx)
	case <-ctx.Done():
		return &UnknownError{Cause: ctx.Err()}
	}
}

// What private consumers take is the library's own, and no interceptor's to refuse.
func TestInterceptorsLeavePrivateConsumersAlone(t *testing.T) {
	bubble(t, func(r *rig) {
		r.conn.Intercept(Interceptor{BeforeHandle: func(ctx context.Context, _ *Message[[]byte]) (context.Context, error) {
			return ctx, errPolicy
		}})
		c := r.consume(Queue{}, func(context.Context, *Message[order]) Ack { return Accept() }, Private())
		r.putOrder("1")
		r.sleep(0)
		r.wantCounts(c, Counts{Accepted: 1})
	})
}

// A dispatcher's cases are handlers like any other.
func TestInterceptorsAroundADispatcher(t *testing.T) {
	bubble(t, func(r *rig) {
		var j journal
		r.conn.Intercept(Interceptor{BeforeHandle: func(ctx context.Context, m *Message[[]byte]) (context.Context, error) {
			j.note("%s %v", m.Envelope.Type, maps.Clone(m.Headers))
			return ctx, nil
		}})
		_, err := Dispatch(r.Context(), r.conn, Queue{Name: work}, []Case{
			On("order.placed", 1, func(context.Context, *Message[order]) Ack { return Accept() }),
		})
		if err != nil {
			r.Fatal(err)
		}
		r.putOrder("1")
		r.sleep(0)
		wantList(r, "the messages that were seen", j.read(), []string{"order.placed map[x-tenant:acme]"})
	})
}

func goexit() Ack {
	runtime.Goexit()
	return Ack{}
}

// BenchmarkPublishAround measures what interceptors and observers add to a publish.
func BenchmarkPublishAround(b *testing.B) {
	for name, option := range map[string]DialOption{
		"nothing":        WithInterceptor(),
		"an interceptor": WithInterceptor(broken("nowhere", nil)),
		"an observer":    WithObserver(ObserverFunc(func(context.Context, Event) {})),
	} {
		b.Run(name, func(b *testing.B) {
			s, err := newSettings([]DialOption{option})
			if err != nil {
				b.Fatal(err)
			}
			publisher := NewPublisher(newConn(null{}, s), placedRoute)
			b.ReportAllocs()
			for b.Loop() {
				if err := publisher.Publish(b.Context(), placed{"o-1", "eu"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
