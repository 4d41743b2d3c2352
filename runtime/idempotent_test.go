package acemq

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/idempotency"
	"github.com/acemq/acemq-gen/runtime/transport"
)

// Each row is one first answer to a message that comes twice.
func TestIdempotentAnswers(t *testing.T) {
	for _, row := range []struct {
		name   string
		ack    Ack
		panics bool
		calls  []string // of the store, for the first delivery of message 1
		counts Counts   // of both deliveries
		times  int      // that the handler runs
	}{
		{name: "accepted", ack: Accept(), calls: []string{"claim work:1", "confirm work:1"},
			counts: Counts{Accepted: 1, Duplicates: 1}, times: 1},
		{name: "dead-lettered", ack: DeadLetter(errBusy), calls: []string{"claim work:1", "release work:1"},
			counts: Counts{Rejected: 1, Accepted: 1}, times: 2},
		{name: "parked", ack: Park(errBusy), calls: []string{"claim work:1", "release work:1"},
			counts: Counts{Parked: 1, Accepted: 1}, times: 2},
		{name: "fatal", ack: Retry(Fatal(errBusy)), calls: []string{"claim work:1", "release work:1"},
			counts: Counts{Rejected: 1, Accepted: 1}, times: 2},
		{name: "attempts used up", ack: Retry(errBusy), calls: []string{"claim work:1", "release work:1"},
			counts: Counts{DeadLettered: 1, Accepted: 1}, times: 2},
		{name: "no answer", ack: Ack{}, calls: []string{"claim work:1", "release work:1"},
			counts: Counts{Rejected: 1, Accepted: 1}, times: 2},
		{name: "panicked", panics: true, calls: []string{"claim work:1", "release work:1"},
			counts: Counts{Rejected: 1, Accepted: 1}, times: 2},
	} {
		t.Run(row.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				store, times := newStore(), 0
				c := r.consume(Queue{Retry: NoRetry()}, func(context.Context, *Message[order]) Ack {
					if times++; times > 1 {
						return Accept()
					}
					if row.panics {
						panic("boom")
					}
					return row.ack
				}, WithIdempotency(store))
				r.putOrder("1")
				r.sleep(time.Second)
				wantList(r, "the calls", store.calls, row.calls)
				r.putOrder("1")
				r.sleep(time.Hour)
				r.wantCounts(c, row.counts)
				wantEqual(r, "the number of runs", times, row.times)
				wantEqual(r, "the messages left", r.ready(work), 0)
			})
		})
	}
}

// A message that is given back or retried is claimed anew for each run.
func TestIdempotentRetry(t *testing.T) {
	for name, ack := range map[string]Ack{"retried": Retry(errBusy), "released": Release()} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				store, s := newStore(), answers(ack)
				r.consume(Queue{Retry: Fixed(3, time.Minute)}, s.handle, WithIdempotency(store))
				r.putOrder("1")
				r.sleep(time.Hour)
				wantList(r, "the calls", store.calls,
					[]string{"claim work:1", "release work:1", "claim work:1", "confirm work:1"})
				wantEqual(r, "the number of runs", len(s.seen), 2)
			})
		})
	}
}

// A handler that ends its goroutine releases its claim as well.
func TestIdempotentGoexit(t *testing.T) {
	bubble(t, func(r *rig) {
		store := newStore()
		c := r.consume(Queue{}, func(context.Context, *Message[order]) Ack {
			runtime.Goexit()
			return Accept()
		}, WithIdempotency(store))
		r.putOrder("1")
		r.wantCounts(c, Counts{Rejected: 1})
		wantList(r, "the calls", store.calls, []string{"claim work:1", "release work:1"})
	})
}

// A body that cannot be read leaves no claim behind: it may be put right and come again.
func TestIdempotentUnreadable(t *testing.T) {
	bubble(t, func(r *rig) {
		store := newStore()
		c := r.consume(Queue{}, answers().handle, WithIdempotency(store))
		r.put(transport.Message{Key: work, MessageID: "1", Body: []byte("{")})
		r.wantCounts(c, Counts{Parked: 1})
		wantList(r, "the calls", store.calls, []string{"claim work:1", "release work:1"})
	})
}

// A message that somebody else is at waits and goes to the end of the queue as it was, however often, and no policy ends
// it. When the other one has failed, it is handled.
func TestInProgressIsPutBack(t *testing.T) {
	bubble(t, func(r *rig) {
		store := idempotency.NewMemory()
		claimFor(r, store, "work:1", time.Hour)
		s := answers()
		c := r.consume(Queue{Retry: NoRetry()}, s.handle, WithIdempotency(store))
		r.putOrder("1")
		published := time.Now()
		r.sleep(31 * time.Second)
		r.wantCounts(c, Counts{InProgress: 6})
		wantEqual(r, "the number of runs", len(s.seen), 0)
		for i, m := range r.broker.messages() {
			if m.Key != work || m.Exchange != "" || m.Optional || m.Transient || string(m.Body) != `{ "id": "1" }` {
				r.Errorf("put back as %+v", m)
			}
			wantEqual(r, fmt.Sprintf("attempt of copy %d", i), m.Headers["x-acemq-attempt"], any(int32(1)))
		}
		if err := store.Release(r.Context(), "work:1"); err != nil {
			r.Fatal(err)
		}
		r.sleep(5 * time.Second)
		r.wantCounts(c, Counts{InProgress: 7, Accepted: 1})
		wantEqual(r, "the attempt", s.seen[0].Attempt(), 1)
		r.wantSameMessage(s.seen[0].Envelope, s.seen[0].Headers, published)
	})
}

func claimFor(r *rig, store idempotency.Store, key string, lease time.Duration) {
	r.Helper()
	if answer, err := store.Claim(r.Context(), key, lease); err != nil || answer != idempotency.Claimed {
		r.Fatalf("claim: %v, %v", answer, err)
	}
}

// A message that waits because somebody else is at it holds no handler up.
func TestInProgressHoldsNobodyUp(t *testing.T) {
	bubble(t, func(r *rig) {
		store := idempotency.NewMemory()
		claimFor(r, store, "work:1", time.Hour)
		s := answers()
		r.consume(Queue{Concurrency: 1}, s.handle, WithIdempotency(store))
		r.putOrder("1")
		r.putOrder("2")
		r.sleep(time.Second)
		wantList(r, "the times", s.times(), []time.Duration{0})
	})
}

// Where the copy is not routed, the message is given back and stays.
func TestInProgressThatDoesNotLand(t *testing.T) {
	for name, fails := range map[string]fault{"nacked": nacked, "refused": refused, "lost": lostOnTheWay} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				store := idempotency.NewMemory()
				claimFor(r, store, "work:1", time.Minute)
				r.broker.fail(func(_ transport.Message, nth int) fault {
					if nth <= 3 {
						return fails
					}
					return works
				})
				s := answers()
				c := r.consume(Queue{Retry: NoRetry()}, s.handle, WithIdempotency(store))
				r.putOrder("1")
				r.sleep(time.Hour)
				counts := c.Counts()
				wantEqual(r, "the copies that did not land", counts.SetAsideFailed, 3)
				wantEqual(r, "the messages accepted", counts.Accepted, 1)
				wantEqual(r, "the attempt", s.seen[0].Attempt(), 1)
				wantEqual(r, "the messages left", r.ready(work), 0)
			})
		})
	}
}

// A consumer that is killed leaves its claim behind. The message is handled when the lease is over, and not before.
func TestKilledConsumer(t *testing.T) {
	for name, c := range map[string]struct {
		queue Queue
		lease time.Duration
	}{
		"by default":       {Queue{}, 5 * time.Minute},
		"with its own":     {Queue{Idempotent: time.Minute}, time.Minute},
		"with none spared": {Queue{Idempotent: time.Minute, Retry: NoRetry()}, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				store := newStore()
				r.putOrder("1")
				r.consume(c.queue, func(context.Context, *Message[order]) Ack {
					store.fails = storeFails("", 1000) // its process is gone
					r.server.Cut()
					return Retry(errBusy)
				}, WithIdempotency(store))
				r.sleep(0)
				r.crash()
				store.fails = nil
				s := answers()
				second := r.consume(c.queue, s.handle, WithIdempotency(store))
				r.sleep(time.Hour)
				wantEqual(r, "the number of runs", len(s.seen), 1)
				if len(s.seen) == 1 {
					if late := s.times()[0] - c.lease; late < 0 || late > inProgressDelay {
						r.Errorf("handled %v after the end of the lease", late)
					}
					wantEqual(r, "the attempt", s.seen[0].Attempt(), 1)
				}
				counts := second.Counts()
				wantEqual(r, "the messages accepted", counts.Accepted, 1)
				wantEqual(r, "the times it was put back", counts.InProgress, int64(c.lease/inProgressDelay))
			})
		})
	}
}

// Of two consumers that hold copies of one message, one handles it.
func TestConsumersRace(t *testing.T) {
	bubble(t, func(r *rig) {
		store := idempotency.NewMemory()
		const messages = 50
		for i := range messages {
			for range 3 {
				r.putOrder(fmt.Sprint(i))
			}
		}
		runs := newRuns()
		handler := func(ctx context.Context, m *Message[order]) Ack {
			time.Sleep(time.Second)
			return runs.handle(ctx, m)
		}
		first := r.consume(Queue{Prefetch: 7}, handler, WithIdempotency(store))
		second := r.consume(Queue{Prefetch: 5}, handler, WithIdempotency(store))
		r.sleep(time.Hour)
		for id, n := range runs.byID {
			wantEqual(r, "the runs of "+id, n, 1)
		}
		wantEqual(r, "the messages handled", runs.number(), messages)
		a, b := first.Counts(), second.Counts()
		wantEqual(r, "the duplicates", a.Duplicates+b.Duplicates, 2*messages)
		wantEqual(r, "the messages left", r.ready(work), 0)
	})
}

// runs counts what a handler accepts.
type runs struct {
	mu   sync.Mutex
	byID map[string]int
}

func newRuns() *runs { return &runs{byID: make(map[string]int)} }

func (s *runs) handle(_ context.Context, m *Message[order]) Ack {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byID[m.Payload.ID]++
	return Accept()
}

func (s *runs) number() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.byID)
}

// A handler that outlives its lease leaves alone what somebody else claimed in the meantime.
func TestLeaseEndsBeforeTheHandler(t *testing.T) {
	for name, ack := range map[string]Ack{"fails": DeadLetter(errBusy), "accepts": Accept()} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				store := newStore()
				r.consume(Queue{Idempotent: time.Minute}, func(context.Context, *Message[order]) Ack {
					time.Sleep(2 * time.Minute)
					return ack
				}, WithIdempotency(store))
				r.putOrder("1")
				r.sleep(90 * time.Second)
				claimFor(r, store.Store, "work:1", time.Hour) // somebody else takes it over
				r.sleep(time.Minute)
				answer, err := store.Store.Claim(r.Context(), "work:1", time.Hour)
				if err != nil {
					r.Fatal(err)
				}
				want := map[string]idempotency.Claim{"fails": idempotency.InProgress, "accepts": idempotency.Duplicate}[name]
				wantEqual(r, "the claim", answer, want)
			})
		})
	}
}

// The claim is confirmed after what the handler published, and before its message is off the queue: a crash between the
// two brings a duplicate that is known as one.
func TestConfirmComesBetweenTheHopAndTheAck(t *testing.T) {
	bubble(t, func(r *rig) {
		r.declare(Queue{Name: "next"})
		store := newStore()
		store.fails = func(call string) error {
			if strings.HasPrefix(call, "confirm") {
				wantEqual(r, "the messages in next", len(r.server.Peek("next")), 1)
				_, unsettled := r.server.Depth(work)
				wantEqual(r, "the messages unsettled", unsettled, 1)
				r.server.Cut() // the ack does not arrive
			}
			return nil
		}
		c := r.consume(Queue{}, func(ctx context.Context, m *Message[order]) Ack {
			if err := r.conn.Send(ctx, Outgoing{Key: "next", Envelope: m.Envelope}); err != nil {
				return Retry(err)
			}
			return Accept()
		}, WithIdempotency(store))
		r.putOrder("1")
		r.sleep(time.Hour)
		r.wantCounts(c, Counts{Lost: 1, Duplicates: 1})
		wantEqual(r, "the messages in next", r.ready("next"), 1)
		wantEqual(r, "the messages left", r.ready(work), 0)
	})
}

// The claim of a handler that was cancelled is released, so that its message need not wait for the lease.
func TestClaimOfACancelledHandler(t *testing.T) {
	bubble(t, func(r *rig) {
		store := newStore()
		c := r.consume(Queue{}, sleeper(time.Hour), WithIdempotency(store))
		r.putOrder("1")
		r.sleep(time.Second)
		if err := c.Close(r.Context()); !errors.Is(err, ErrDrainTimeout) {
			r.Errorf("close: %v", err)
		}
		claimFor(r, store.Store, "work:1", time.Minute)
		wantEqual(r, "the messages left", r.ready(work), 1)
	})
}

// Two queues that get the same message each handle it.
func TestClaimsAreByQueue(t *testing.T) {
	bubble(t, func(r *rig) {
		r.declare(Queue{Name: "other"})
		store, mine, others := newStore(), answers(), answers()
		r.consume(Queue{}, mine.handle, WithIdempotency(store))
		if _, err := Consume(r.Context(), r.conn, Queue{Name: "other"}, others.handle, WithIdempotency(store)); err != nil {
			r.Fatal(err)
		}
		r.putOrder("1")
		if err := r.conn.Send(r.Context(), Outgoing{Key: "other", Envelope: Envelope{ID: "1"}, Body: []byte("{}")}); err != nil {
			r.Fatal(err)
		}
		r.sleep(time.Second)
		wantEqual(r, "the runs", len(mine.seen)+len(others.seen), 2)
	})
}

func TestIdempotentDispatch(t *testing.T) {
	bubble(t, func(r *rig) {
		store, s := newStore(), answers()
		c, err := Dispatch(r.Context(), r.conn, Queue{Name: work, Idempotent: time.Minute},
			[]Case{On("order.placed", 1, s.handle)}, WithIdempotency(store))
		if err != nil {
			r.Fatal(err)
		}
		r.putOrder("1")
		r.putOrder("1")
		r.sleep(time.Minute)
		counts := c.Counts()
		wantEqual(r, "accepted", counts.Accepted, 1)
		wantEqual(r, "duplicates", counts.Duplicates, 1)
	})
}

func TestIdempotentIsComplete(t *testing.T) {
	bubble(t, func(r *rig) {
		for want, c := range map[string]struct {
			queue Queue
			opts  []ConsumeOption
		}{
			"has no store that remembers": {queue: Queue{Idempotent: time.Minute}},
			"store is nil":                {opts: []ConsumeOption{WithIdempotency(nil)}},
			"a lease of -1s":              {Queue{Idempotent: -time.Second}, []ConsumeOption{WithIdempotency(newStore())}},
		} {
			c.queue.Name = work
			if _, err := Consume(r.Context(), r.conn, c.queue, answers().handle, c.opts...); err == nil ||
				!strings.Contains(err.Error(), want) {
				r.Errorf("got %v, want an error that says %q", err, want)
			}
		}
	})
}
