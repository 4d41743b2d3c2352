package acemq

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/idempotency"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// Accidents of every kind happen to publishes, acks, connections and queues while messages are accepted, retried,
// dead-lettered, parked and released. In the end each message was accepted or is set aside, and none is anywhere else.
func TestRandomAccidentsLoseNothing(t *testing.T) {
	for seed := range uint64(25) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			bubble(t, func(r *rig) { r.survive(rand.New(rand.NewPCG(seed, 1))) })
		})
	}
}

// The same accidents happen to a consumer that is idempotent: what is accepted is accepted once.
func TestRandomAccidentsRepeatNothing(t *testing.T) {
	for seed := range uint64(25) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			bubble(t, func(r *rig) {
				accepted := r.survive(rand.New(rand.NewPCG(seed, 2)), WithIdempotency(idempotency.NewMemory()))
				for id, n := range accepted {
					wantEqual(r, "the times that "+id+" was accepted", n, 1)
				}
			})
		})
	}
}

// And to one whose store fails one call in five: nothing is lost.
func TestRandomAccidentsOfTheStoreLoseNothing(t *testing.T) {
	for seed := range uint64(25) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			bubble(t, func(r *rig) {
				calls := rand.New(rand.NewPCG(seed, 3))
				store := newStore()
				store.fails = func(string) error {
					if calls.IntN(5) == 0 {
						return errStore
					}
					return nil
				}
				r.survive(rand.New(rand.NewPCG(seed, 4)), WithIdempotency(store))
			})
		})
	}
}

// survive returns how often each message was accepted.
func (r *rig) survive(random *rand.Rand, opts ...ConsumeOption) map[string]int {
	// A delivery limit would have the broker dead-letter what is cut off often, into queues that are deleted here.
	defer memory.Serve(r.name, memory.Version(3, 13)).Close()
	const messages = 60
	var mu sync.Mutex // guards random and accepted
	accepted := make(map[string]int)
	queue := Queue{Name: work, Retry: Exponential(5, time.Second, time.Minute).WaitInBrokerFrom(4 * time.Second), Prefetch: 10, Concurrency: 3}
	c := r.consume(queue, func(ctx context.Context, m *Message[order]) Ack {
		mu.Lock()
		choice := random.IntN(10)
		mu.Unlock()
		time.Sleep(50 * time.Millisecond)
		switch choice {
		case 0:
			return DeadLetter(errBusy)
		case 1:
			return Park(errBusy)
		case 2:
			if !m.Redelivered {
				return Release()
			}
			return Retry(errBusy)
		case 3, 4, 5:
			return Retry(errBusy)
		}
		mu.Lock()
		defer mu.Unlock()
		accepted[m.Payload.ID]++
		return Accept()
	}, opts...)
	for i := range messages {
		r.putOrder(fmt.Sprint(i))
	}
	faults := []memory.Fault{
		memory.NackPublish, memory.LoseConfirm, memory.CloseBeforePublish, memory.CloseAfterPublish, memory.CloseBeforeAck,
	}
	for range 40 { // two minutes
		mu.Lock()
		what, which := random.IntN(len(faults)+3), random.IntN(4)
		mu.Unlock()
		switch {
		case what < len(faults):
			r.server.Inject(memory.Script{Fault: faults[what], Skip: which})
		case what == len(faults):
			r.server.Cut()
		default: // only queues that are empty: what is in a queue that is deleted is gone by somebody's will
			for _, queue := range []string{"work.dlq", "work.parked", "work.retry.4s"}[which%3:] {
				if ready, unsettled := r.server.Depth(queue); ready+unsettled == 0 {
					r.server.DeleteQueue(queue)
				}
			}
		}
		r.sleep(3 * time.Second) // nothing moves during the next accident
	}
	r.sleep(6 * time.Hour)
	mu.Lock()
	defer mu.Unlock()
	found := make(map[string]bool)
	for _, queue := range []string{"work.dlq", "work.parked"} {
		for _, m := range r.server.Peek(queue) {
			found[m.MessageID] = true
		}
	}
	for i := range messages {
		if id := fmt.Sprint(i); accepted[id] == 0 && !found[id] {
			r.Errorf("message %s is lost; counted %+v", id, c.Counts())
		}
	}
	for _, queue := range []string{work, "work.retry.4s", "work.retry.8s"} {
		ready, unsettled := r.server.Depth(queue)
		wantEqual(r, "the messages left in "+queue, ready+unsettled, 0)
	}
	return accepted
}
