package acemq

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/idempotency"
)

// storeCalls is a store that fails as a script says, and keeps what it was asked.
type storeCalls struct {
	idempotency.Store

	mu    sync.Mutex
	fails func(call string) error // nil: none
	calls []string
}

func newStore() *storeCalls { return &storeCalls{Store: idempotency.NewMemory()} }

func (s *storeCalls) note(call string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call)
	if s.fails == nil {
		return nil
	}
	return s.fails(call)
}

func (s *storeCalls) Claim(ctx context.Context, key string, lease time.Duration) (idempotency.Claim, error) {
	if err := s.note("claim " + key); err != nil {
		return 0, err
	}
	return s.Store.Claim(ctx, key, lease)
}

func (s *storeCalls) Confirm(ctx context.Context, key string) error {
	if err := errors.Join(s.note("confirm "+key), ctx.Err()); err != nil {
		return err
	}
	return s.Store.Confirm(ctx, key)
}

func (s *storeCalls) Release(ctx context.Context, key string) error {
	if err := errors.Join(s.note("release "+key), ctx.Err()); err != nil {
		return err
	}
	return s.Store.Release(ctx, key)
}

var errStore = errors.New("the database is down")

// storeFails makes the calls of a kind fail, the first n of them.
func storeFails(kind string, n int) func(string) error {
	return func(call string) error {
		if n > 0 && strings.HasPrefix(call, kind) {
			n--
			return errStore
		}
		return nil
	}
}

// A store that does not answer is a failure: the handler does not run, and the message takes the way of the queue.
func TestStoreDoesNotAnswer(t *testing.T) {
	for _, row := range []struct {
		name     string
		queue    Queue
		failures int
		counts   Counts
		after    time.Duration // of the run, where there is one
	}{
		{"without a policy", Queue{}, 3, Counts{Retried: 3, Accepted: 1}, 15 * time.Second},
		{"by a policy", Queue{Retry: Fixed(4, time.Second)}, 3, Counts{Retried: 3, Accepted: 1}, 3 * time.Second},
		{"until the attempts are used up", Queue{Retry: Fixed(3, time.Second)}, 3, Counts{Retried: 2, DeadLettered: 1}, 0},
		{"where failures are requeued", Queue{RequeueOnFailure: true}, 3, Counts{Requeued: 3, Accepted: 1}, 15 * time.Second},
	} {
		t.Run(row.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				store := newStore()
				store.fails = storeFails("claim", row.failures)
				s := answers()
				c := r.consume(row.queue, s.handle, WithIdempotency(store))
				r.putOrder("1")
				r.sleep(time.Hour)
				r.wantCounts(c, row.counts)
				if row.after == 0 {
					wantEqual(r, "the reason", r.takeOne("work.dlq").Headers["x-acemq-error"],
						any("exhausted 3 attempts: it could not be claimed: the database is down"))
					return
				}
				wantList(r, "the times of the runs", s.times(), []time.Duration{row.after})
			})
		})
	}
}

// An answer that is none is no duplicate.
func TestStoreAnswersNonsense(t *testing.T) {
	for _, answer := range []idempotency.Claim{0, -1, 4} {
		bubble(t, func(r *rig) {
			s := answers()
			r.consume(Queue{Retry: NoRetry()}, s.handle, WithIdempotency(nonsense{newStore(), answer}))
			r.putOrder("1")
			r.sleep(time.Second)
			wantEqual(r, "the number of runs", len(s.seen), 0)
			r.takeOne("work.dlq")
		})
	}
}

type nonsense struct {
	idempotency.Store
	answer idempotency.Claim
}

func (n nonsense) Claim(context.Context, string, time.Duration) (idempotency.Claim, error) {
	return n.answer, nil
}

// A store that panics does not end the process, and its message is kept.
func TestStorePanics(t *testing.T) {
	bubble(t, func(r *rig) {
		store := newStore()
		store.fails = func(string) error { panic("no store") }
		c := r.consume(Queue{}, answers().handle, WithIdempotency(store))
		r.putOrder("1")
		r.wantCounts(c, Counts{Rejected: 1})
		r.takeOne("work.dlq")
	})
}

// What could not be confirmed is handled, and is not lost: it is off the queue, and a second copy is handled again.
func TestStoreDoesNotConfirm(t *testing.T) {
	bubble(t, func(r *rig) {
		store := newStore()
		store.fails = storeFails("confirm", 1)
		s := answers()
		c := r.consume(Queue{}, s.handle, WithIdempotency(store))
		r.putOrder("1")
		r.wantCounts(c, Counts{Accepted: 1})
		r.putOrder("1")
		r.sleep(time.Hour)
		wantEqual(r, "the number of runs", len(s.seen), 2)
		wantEqual(r, "the messages left", r.ready(work), 0)
	})
}

// What could not be released is handled again when the lease is over.
func TestStoreDoesNotRelease(t *testing.T) {
	bubble(t, func(r *rig) {
		store := newStore()
		store.fails = storeFails("release", 1)
		s := answers(Retry(errBusy))
		c := r.consume(Queue{Retry: Fixed(3, time.Second)}, s.handle, WithIdempotency(store))
		r.putOrder("1")
		r.sleep(time.Hour)
		wantList(r, "the times of the runs", s.times(), []time.Duration{0, 5*time.Minute + time.Second})
		wantList(r, "the attempts", s.attempts(), []int{1, 2})
		r.wantCounts(c, Counts{Retried: 1, Accepted: 1, InProgress: 60})
	})
}
