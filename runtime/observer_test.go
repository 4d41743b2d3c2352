package acemq

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/idempotency"
	"github.com/acemq/acemq-gen/runtime/transport"
)

// meter is an observer that adds up metrics, as an adapter to a metrics library does, and keeps the events.
type meter struct {
	mu     sync.Mutex
	sums   map[string]float64
	events []Event
}

func (m *meter) Observe(_ context.Context, e Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.events = append(m.events, e)
	for _, metric := range e.Metrics() {
		if m.sums == nil {
			m.sums = make(map[string]float64)
		}
		name := metric.Name
		for _, tag := range metric.Tags {
			name += fmt.Sprintf(" %s=%s", tag.Key, tag.Value)
		}
		m.sums[name] += metric.Value
	}
}

// named returns the events of a name.
func (m *meter) named(name string) []Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(m.events), func(e Event) bool { return e.Name != name })
}

// want compares what was measured, as far as a metric's name begins with one of the prefixes.
func (m *meter) want(t testing.TB, prefixes []string, want map[string]float64) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	got := maps.Clone(m.sums)
	maps.DeleteFunc(got, func(name string, _ float64) bool {
		return !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
	})
	if !maps.Equal(got, want) {
		t.Errorf("measured %v,\nwant %v", got, want)
	}
}

// Every publish is counted by its outcome, whoever makes it and however it is waited for.
func TestObservePublishes(t *testing.T) {
	const metric = "acemq.publish.total exchange= routing.key=%s message.type=order.placed outcome=%s"
	for _, row := range []struct {
		key     string
		fault   fault
		opts    []PublishOption
		outcome string
	}{
		{key: work, outcome: "confirmed"},
		{key: "nowhere", outcome: "unroutable"},
		{key: work, fault: nacked, outcome: "failed"},
		{key: work, fault: lostOnTheBack, outcome: "failed"},
		{key: work, fault: refused, outcome: "refused"},
		{key: work, opts: []PublishOption{WithHeader("x-acemq-id", "1")}, outcome: "refused"},
		{key: work, opts: []PublishOption{WithID(strings.Repeat("i", 256))}, outcome: "refused"},
	} {
		t.Run(row.outcome, func(t *testing.T) {
			var m meter
			bubble(t, func(r *rig) {
				r.broker.fail(func(transport.Message, int) fault { return row.fault })
				publisher := NewPublisher(r.conn, Route[order]{Key: row.key, Type: "order.placed"})
				want := 0.0
				publish := func(f func() error) { f(); want++ }
				publish(func() error { return publisher.Publish(r.Context(), order{"1"}, row.opts...) })
				publish(func() error {
					_, err := publisher.PublishAsync(r.Context(), order{"1"}, row.opts...)
					return err
				})
				publish(func() error { return publisher.PublishAll(r.Context(), []order{{"1"}}, row.opts...) })
				if row.opts == nil {
					o := Outgoing{Key: row.key, Envelope: Envelope{Type: "order.placed"}}
					publish(func() error { return r.conn.Send(r.Context(), o) })
					o.Copy = true
					publish(func() error { return r.conn.Send(r.Context(), o) })
				}
				r.sleep(0)
				m.want(r, []string{"acemq.publish.total"},
					map[string]float64{fmt.Sprintf(metric, row.key, row.outcome): want})
			}, WithObserver(&m))
		})
	}
}

// A publish that an interceptor refuses is refused.
func TestObserveARefusal(t *testing.T) {
	var m meter
	bubble(t, func(r *rig) {
		r.conn.Intercept(Interceptor{BeforePublish: func(ctx context.Context, _ *PublishedMessage) (context.Context, error) {
			return ctx, errPolicy
		}})
		if err := r.conn.Send(r.Context(), Outgoing{Key: work}); err == nil {
			r.Error("sent")
		}
		events := m.named(EventPublish)
		if len(events) != 1 || events[0].Outcome != OutcomeRefused || !errors.Is(events[0].Err, errPolicy) {
			r.Errorf("observed %+v", events)
		}
	}, WithObserver(&m))
}

// Durations are what a publish took until its outcome, and what a delivery took in its handler; what it waits for its
// next attempt is neither.
func TestObserveDurations(t *testing.T) {
	var m meter
	bubble(t, func(r *rig) {
		r.conn.broker = late{r.broker}
		if err := NewPublisher(r.conn, Route[order]{Key: work, Type: "t"}).Publish(r.Context(), order{"1"}); err != nil {
			r.Fatal(err)
		}
		r.conn.broker = r.broker
		first := true
		c := r.consume(Queue{}, func(context.Context, *Message[order]) Ack {
			time.Sleep(3 * time.Second)
			if first {
				first = false
				return RetryAfter(time.Minute, errBusy)
			}
			return Accept()
		})
		r.sleep(time.Hour)
		r.wantCounts(c, Counts{Retried: 1, Accepted: 1})
		m.want(r, []string{"acemq.publish.duration", "acemq.consume.duration"}, map[string]float64{
			"acemq.publish.duration exchange= routing.key=work message.type=t outcome=confirmed": 60,
			"acemq.consume.duration queue=work message.type=t outcome=retried":                   3,
			"acemq.consume.duration queue=work message.type=t outcome=acked":                     3,
		})
		for _, e := range m.named(EventConsume) {
			if e.Outcome == OutcomeRetried && (e.Delay != time.Minute || !errors.Is(e.Err, errBusy)) {
				r.Errorf("retried after %v because of %v", e.Delay, e.Err)
			}
		}
	}, WithObserver(&m))
}

// A delivery is counted once, by what the engine decided.
func TestObserveDeliveries(t *testing.T) {
	const (
		total  = "acemq.consume.total queue=work message.type=order.placed outcome="
		dead   = "acemq.messages.dead.lettered.total queue=work message.type=order.placed outcome="
		again  = "acemq.messages.retried.total queue=work message.type=order.placed"
		number = "acemq.consume.attempts queue=work message.type=order.placed"
		flight = "acemq.consume.in.flight queue=work"
	)
	for _, row := range []struct {
		name  string
		ack   Ack
		queue Queue
		want  map[string]float64
	}{
		{"accepted", Accept(), Queue{}, map[string]float64{total + "acked": 1, number: 1, flight: 0}},
		{"retried", Retry(errBusy), Queue{},
			map[string]float64{total + "retried": 1, again: 1, total + "acked": 1, number: 1 + 2, flight: 0}},
		{"used up", Retry(errBusy), Queue{Retry: NoRetry()},
			map[string]float64{total + "dead_lettered": 1, dead + "dead_lettered": 1, number: 1, flight: 0}},
		{"given up", DeadLetter(errBusy), Queue{},
			map[string]float64{total + "rejected": 1, dead + "dead_lettered": 1, number: 1, flight: 0}},
		{"parked", Park(errBusy), Queue{},
			map[string]float64{total + "parked": 1, dead + "parked": 1, number: 1, flight: 0}},
		{"released", Release(), Queue{},
			map[string]float64{total + "rejected": 1, total + "acked": 1, number: 1 + 1, flight: 0}},
		{"requeued", Retry(errBusy), Queue{RequeueOnFailure: true},
			map[string]float64{total + "rejected": 1, total + "acked": 1, number: 1 + 1, flight: 0}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var m meter
			bubble(t, func(r *rig) {
				r.putOrder("1")
				r.consume(row.queue, answers(row.ack).handle)
				r.sleep(time.Hour)
				m.want(r, []string{"acemq.consume.total", "acemq.messages", "acemq.consume.attempts",
					"acemq.consume.in.flight"}, row.want)
			}, WithObserver(&m))
		})
	}
}

// Copies that do not land are told of. A copy that did is counted, even where its original comes again.
func TestObserveCopies(t *testing.T) {
	const rejected = "acemq.consume.total queue=work message.type=order.placed outcome=rejected"
	for name, row := range map[string]struct {
		fault fault // of the first two copies
		want  map[string]float64
	}{
		"a copy does not land": {nacked, map[string]float64{
			rejected: 1, "acemq.messages.set.aside.failed queue=work target=work.dlq": 2,
		}},
		"the connection is lost after a copy landed": {lostAfter, map[string]float64{rejected: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			var m meter
			bubble(t, func(r *rig) {
				r.putOrder("1")
				r.broker.fail(func(_ transport.Message, nth int) fault {
					if nth > 2 {
						return works
					}
					return row.fault
				})
				r.consume(Queue{}, func(context.Context, *Message[order]) Ack { return DeadLetter(errBusy) })
				r.sleep(time.Hour)
				row.want["acemq.consume.in.flight queue=work"] = 0
				m.want(r, []string{"acemq.messages.set", "acemq.consume.in.flight", "acemq.consume.total"}, row.want)
			}, WithObserver(&m))
		})
	}
}

func TestObserveAMissingRung(t *testing.T) {
	var m meter
	bubble(t, func(r *rig) {
		c := r.consume(Queue{Retry: Fixed(3, time.Minute)}, answers(Retry(errBusy)).handle)
		r.server.DeleteQueue("work.retry.1m")
		r.broker.forbidDeclare()
		r.putOrder("1")
		r.sleep(time.Hour)
		r.wantCounts(c, Counts{Retried: 1, Accepted: 1, RungMissing: 1})
		m.want(r, []string{"acemq.retry"}, map[string]float64{"acemq.retry.rung.missing queue=work rung=work.retry.1m": 1})
	}, WithObserver(&m))
}

// A delivery whose answer comes too late is no outcome, and not in flight any more.
func TestObserveALoss(t *testing.T) {
	var m meter
	bubble(t, func(r *rig) {
		r.putOrder("1")
		first := true
		c := r.consume(Queue{}, func(context.Context, *Message[order]) Ack {
			if first {
				first = false
				r.server.Cut()
			}
			return Accept()
		})
		r.sleep(time.Hour)
		r.wantCounts(c, Counts{Accepted: 1, Lost: 1})
		m.want(r, []string{"acemq.consume.total", "acemq.consume.in.flight"}, map[string]float64{
			"acemq.consume.total queue=work message.type=order.placed outcome=acked": 1,
			"acemq.consume.in.flight queue=work":                                     0,
		})
		lost := func(e Event) bool { return e.Outcome == OutcomeLost }
		wantEqual(r, "told of the loss", slices.ContainsFunc(m.named(EventConsume), lost), true)
	}, WithObserver(&m))
}

// What no handler sees is observed all the same: duplicates, what cannot be decoded, what a private consumer takes.
func TestObserveWhatNoHandlerSees(t *testing.T) {
	var m meter
	bubble(t, func(r *rig) {
		c := r.consume(Queue{}, func(context.Context, *Message[order]) Ack { return Accept() },
			WithIdempotency(idempotency.NewMemory()))
		r.putOrder("1")
		r.sleep(0)
		r.putOrder("1")
		r.put(transport.Message{Key: work, MessageID: "2", Body: []byte("no order"), ContentType: "application/json",
			Copy: true})
		r.sleep(0)
		if err := c.Close(r.Context()); err != nil {
			r.Fatal(err)
		}
		r.consume(Queue{}, func(context.Context, *Message[order]) Ack { return Accept() }, Private())
		r.putOrder("3")
		r.sleep(0)
		m.want(r, []string{"acemq.consume.total", "acemq.consume.in.flight"}, map[string]float64{
			"acemq.consume.total queue=work message.type=order.placed outcome=acked": 3,
			"acemq.consume.total queue=work message.type=work outcome=parked":        1,
			"acemq.consume.in.flight queue=work":                                     0,
		})
	}, WithObserver(&m))
}

// Events carry the values that interceptors gave the message: a tracer begins a span in one and ends it in the other.
func TestObserverContext(t *testing.T) {
	var j journal
	span := func(ctx context.Context, name string) (context.Context, error) {
		return context.WithValue(ctx, contextKey{}, name), nil
	}
	bubble(t, func(r *rig) {
		r.conn.Intercept(Interceptor{
			BeforePublish: func(ctx context.Context, m *PublishedMessage) (context.Context, error) {
				m.Headers["traceparent"] = "00-1"
				return span(ctx, m.RoutingKey()+" publish")
			},
			BeforeHandle: func(ctx context.Context, m *Message[[]byte]) (context.Context, error) {
				return span(ctx, m.Queue+" process of "+m.Header("traceparent"))
			},
		})
		o := Outgoing{Key: work, Body: []byte("{}"), ContentType: "application/json"}
		if err := r.conn.Send(r.Context(), o); err != nil {
			r.Fatal(err)
		}
		r.consume(Queue{}, func(context.Context, *Message[order]) Ack { return Accept() })
		r.sleep(0)
		wantList(r, "the events", j.read(), []string{
			"acemq.publish confirmed in work publish",
			"acemq.receive  in <nil>",
			"acemq.consume acked in work process of 00-1",
		})
	}, WithObserver(ObserverFunc(func(ctx context.Context, e Event) {
		j.note("%s %s in %v", e.Name, e.Outcome, ctx.Value(contextKey{}))
	})))
}

// An observer that panics harms nothing, and the others hear of everything.
func TestObserverPanics(t *testing.T) {
	var m meter
	bubble(t, func(r *rig) {
		r.putOrder("1")
		c := r.consume(Queue{}, answers(DeadLetter(errBusy)).handle)
		if err := r.conn.Send(r.Context(), Outgoing{Key: "other"}); publishOutcome(err) != OutcomeUnroutable {
			r.Errorf("the outcome is %v", err)
		}
		r.sleep(time.Minute)
		r.wantCounts(c, Counts{Rejected: 1})
		wantEqual(r, "the events", len(m.events), 3)
	}, WithObserver(ObserverFunc(func(context.Context, Event) { panic("boom") })), WithObserver(&m))
}

func TestLogObserver(t *testing.T) {
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
	observer := LogObserver(logger)
	for _, row := range []struct {
		event Event
		want  string
	}{
		{Event{Name: EventPublish, Outcome: OutcomeConfirmed, Exchange: "e", RoutingKey: "k", ID: "1",
			Duration: time.Second},
			`level=DEBUG msg=acemq.publish outcome=confirmed exchange=e key=k id=1 duration=1s`},
		{Event{Name: EventPublish, Outcome: OutcomeUnroutable, RoutingKey: "k", Err: errBusy},
			`level=WARN msg=acemq.publish outcome=unroutable key=k error="payments are busy"`},
		{Event{Name: EventReceive, Queue: "q", Type: "t", Correlation: "c", Attempt: 2},
			`level=DEBUG msg=acemq.receive queue=q type=t correlation=c attempt=2`},
		{Event{Name: EventConsume, Outcome: OutcomeRetried, Queue: "q", Target: "q", Delay: time.Minute},
			`level=DEBUG msg=acemq.consume outcome=retried queue=q target=q delay=1m0s`},
		{Event{Name: EventConsume, Outcome: OutcomeDeadLettered, Queue: "q", Target: "q.dlq"},
			`level=WARN msg=acemq.consume outcome=dead_lettered queue=q target=q.dlq`},
		{Event{Name: EventSetAsideFailed, Queue: "q", Target: "q.dlq", Err: errBusy},
			`level=ERROR msg=acemq.messages.set.aside.failed queue=q target=q.dlq error="payments are busy"`},
		{Event{Name: EventRungMissing, Queue: "q", Target: "q.retry.1m"},
			`level=WARN msg=acemq.retry.rung.missing queue=q target=q.retry.1m`},
		{Event{Name: EventInterceptorFailed, Step: "AfterConfirm"},
			`level=ERROR msg=acemq.interceptor.failed step=AfterConfirm`},
	} {
		log.Reset()
		observer.Observe(t.Context(), row.event)
		wantEqual(t, "the log", log.String(), row.want+"\n")
	}
}

func TestNilObserverIsRefused(t *testing.T) {
	if _, err := Dial(t.Context(), "memory://nil-observer", WithObserver(nil)); err == nil {
		t.Error("dialed")
	}
}

// A call is counted by its outcome, and what it took.
func TestMetricsOfCalls(t *testing.T) {
	var m meter
	for _, outcome := range []string{OutcomeAnswered, OutcomeTimedOut, OutcomeAnswered} {
		m.Observe(t.Context(), Event{Name: EventRequest, Outcome: outcome, RoutingKey: "quotes", Type: "quote.asked",
			Duration: time.Second})
	}
	const tags = " routing.key=quotes message.type=quote.asked outcome="
	m.want(t, []string{"acemq."}, map[string]float64{
		"acemq.request.total" + tags + "answered":     2,
		"acemq.request.total" + tags + "timed_out":    1,
		"acemq.request.duration" + tags + "answered":  2,
		"acemq.request.duration" + tags + "timed_out": 1,
	})
}
