package acemq

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
)

func TestWhatAConsumerRefuses(t *testing.T) {
	handler := answers().handle
	for _, c := range []struct {
		name    string
		queue   Queue
		handler Handler[order]
		opts    []ConsumeOption
		want    string
	}{
		{"no name", Queue{}, handler, nil, "no name"},
		{"no handler", Queue{Name: work}, nil, nil, "handler is nil"},
		{"a negative prefetch", Queue{Name: work, Prefetch: -1}, handler, nil, "prefetch of -1"},
		{"a prefetch of more than 16 bits", Queue{Name: work}, handler, []ConsumeOption{WithPrefetch(65536)}, "prefetch of 65536"},
		{"a negative concurrency", Queue{Name: work, Concurrency: -1}, handler, nil, "concurrency of -1"},
		{"a negative delay", Queue{Name: work, RetryDelay: -1}, handler, nil, "retry delay"},
		{"a policy that makes no sense", Queue{Name: work, Retry: Fixed(0, time.Second)}, handler, nil, "0 attempts"},
		{"a rung of half a second", Queue{Name: work, Retry: Fixed(3, 30500*time.Millisecond)}, handler, nil, "whole number of seconds"},
		{"no codec", Queue{Name: work}, handler, []ConsumeOption{DecodeWith(nil)}, "codec is nil"},
		{"a queue that is not there", Queue{Name: "missing"}, handler, nil, "missing"},
		{"a name that leaves no place for .parked", Queue{Name: strings.Repeat("q", 250)}, handler, nil, "255"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				_, err := Consume(r.Context(), r.conn, c.queue, c.handler, c.opts...)
				if err == nil || !strings.Contains(err.Error(), c.want) {
					r.Errorf("got %v, want an error with %q", err, c.want)
				}
			})
		})
	}
}

func TestMissingQueueIsNotFound(t *testing.T) {
	bubble(t, func(r *rig) {
		_, err := Consume(r.Context(), r.conn, Queue{Name: "missing"}, answers().handle)
		if missing := new(NotFoundError); !errors.As(err, &missing) {
			r.Errorf("got %v, want a *NotFoundError", err)
		}
		wantEqual(r, "missing.dlq", r.ready("missing.dlq"), -1)
	})
}

// A set-aside queue that somebody declared in another way stops the consumer from starting.
func TestConflictingSetAsideQueue(t *testing.T) {
	bubble(t, func(r *rig) {
		r.server.DeleteQueue("work.dlq")
		r.declare(Queue{Name: "work.dlq"}) // a queue of work: quorum, with dead letters of its own
		_, err := Consume(r.Context(), r.conn, Queue{Name: work}, answers().handle)
		if conflict := new(ConflictError); !errors.As(err, &conflict) {
			r.Errorf("got %v, want a *ConflictError", err)
		}
	})
}

func TestConcurrency(t *testing.T) {
	for _, c := range []struct {
		queue Queue
		opts  []ConsumeOption
		want  int64
	}{
		{Queue{}, nil, 20},
		{Queue{Prefetch: 50}, nil, 50},
		{Queue{Prefetch: 50, Concurrency: 4}, nil, 4},
		{Queue{Prefetch: 3, Concurrency: 10}, nil, 3},
		{Queue{Prefetch: 50}, []ConsumeOption{WithConcurrency(7)}, 7},
		{Queue{}, []ConsumeOption{WithPrefetch(9)}, 9},
	} {
		t.Run(fmt.Sprintf("prefetch %d concurrency %d", c.queue.Prefetch, c.queue.Concurrency), func(t *testing.T) {
			bubble(t, func(r *rig) {
				for i := range 100 {
					r.putOrder(fmt.Sprint(i))
				}
				var running, most atomic.Int64
				consumer := r.consume(c.queue, func(context.Context, *Message[order]) Ack {
					n := running.Add(1)
					defer running.Add(-1)
					for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
					}
					time.Sleep(time.Second)
					return Accept()
				}, c.opts...)
				r.sleep(time.Hour)
				wantEqual(r, "the most handlers at once", most.Load(), c.want)
				r.wantCounts(consumer, Counts{Accepted: 100})
			})
		})
	}
}

// A large concurrency costs nothing until it is used.
func TestWorkersAreStartedWhenNeeded(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.consume(Queue{Prefetch: 10_000}, sleeper(time.Second))
		before := runtime.NumGoroutine()
		for i := range 100 {
			r.putOrder(fmt.Sprint(i))
			r.sleep(2 * time.Second)
		}
		if now := runtime.NumGoroutine(); now > before+5 {
			r.Errorf("%d goroutines for one message at a time, %d before", now, before)
		}
		r.wantCounts(c, Counts{Accepted: 100})
	})
}

// A handler that ends its goroutine, as a failing assertion in a test does, neither loses its message nor a worker.
func TestGoexit(t *testing.T) {
	bubble(t, func(r *rig) {
		for i := range 5 {
			r.putOrder(fmt.Sprint(i))
		}
		c := r.consume(Queue{Concurrency: 1}, func(_ context.Context, m *Message[order]) Ack {
			if m.Payload.ID != "4" {
				runtime.Goexit()
			}
			return Accept()
		})
		r.wantCounts(c, Counts{Rejected: 4, Accepted: 1})
		wantEqual(r, "the dead letters", r.ready("work.dlq"), 4)
	})
}

func TestMessageView(t *testing.T) {
	bubble(t, func(r *rig) {
		r.declareEvents()
		if err := NewPublisher(r.conn, placedRoute).Publish(r.Context(), placed{"o-1", "eu"}, WithHeader("x-tenant", "acme")); err != nil {
			r.Fatal(err)
		}
		r.sleep(time.Minute)
		var got *Message[placed]
		if _, err := Consume(r.Context(), r.conn, Queue{Name: "eu"}, func(_ context.Context, m *Message[placed]) Ack {
			got = m
			return Accept()
		}); err != nil {
			r.Fatal(err)
		}
		synctest.Wait()
		wantEqual(r, "the payload", got.Payload, placed{"o-1", "eu"})
		wantEqual(r, "the key", got.RoutingKey, "order.placed.eu")
		wantEqual(r, "the queue", got.Queue, "eu")
		wantEqual(r, "the time of receipt", got.ReceivedAt, time.Now())
		wantEqual(r, "the attempt", got.Attempt(), 1)
		wantEqual(r, "the version", got.Envelope.Version, 3)
		wantEqual(r, "the header", got.Header("x-tenant"), "acme")
		wantEqual(r, "an absent header", got.Header("x-other"), "")
		wantEqual(r, "the number of headers", len(got.Headers), 1)
		wantEqual(r, "redelivered", got.Redelivered, false)
	})
}

func TestCodecOfAConsumer(t *testing.T) {
	bubble(t, func(r *rig) {
		r.put(transport.Message{Key: work, MessageID: "1", ContentType: "text/csv", Body: []byte("a;b")})
		var got string
		_, err := Consume(r.Context(), r.conn, Queue{Name: work}, func(_ context.Context, m *Message[string]) Ack {
			got = m.Payload
			return Accept()
		}, DecodeWith(Text))
		if err != nil {
			r.Fatal(err)
		}
		synctest.Wait()
		wantEqual(r, "the payload", got, "a;b")
	})
}

// Consuming goes on when the queue was deleted and is there again.
func TestQueueThatComesBack(t *testing.T) {
	bubble(t, func(r *rig) {
		s := answers()
		r.consume(Queue{}, s.handle)
		synctest.Wait()
		r.server.DeleteQueue(work)
		r.sleep(10 * time.Minute)
		r.declare(Queue{Name: work})
		r.putOrder("1")
		r.sleep(time.Minute)
		wantEqual(r, "the deliveries", len(s.seen), 1)
	})
}
