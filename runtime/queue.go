package acemq

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// What a queue that says nothing else is consumed with (contract: consuming, prefetch).
const (
	DefaultPrefetch   = 20
	DefaultRetryDelay = 5 * time.Second
)

// Queue says how a queue is consumed. Generated code has one for each consumer.
type Queue struct {
	Name string

	// Retry is the policy for messages that fail. The zero policy is none: they are tried again for ever, RetryDelay
	// after each failure.
	Retry RetryPolicy

	// Prefetch is how many unsettled messages the broker hands this consumer at once, 1 to 65,535; 0 is
	// DefaultPrefetch. Messages that wait here for their next attempt count.
	Prefetch int

	// Concurrency is how many handlers run at once; 0 is as many as Prefetch. A message that waits for its next attempt
	// holds no place.
	Concurrency int

	// RetryDelay is the wait before each further attempt where Retry is none; 0 is DefaultRetryDelay.
	RetryDelay time.Duration

	// RequeueOnFailure gives a message that fails straight back to the broker. Its attempt does not advance, so Retry
	// never ends it, and a failure that is no accident goes round and round: it is for queues whose failures mean that
	// somebody else should take the message.
	RequeueOnFailure bool

	// Idempotent is the lease under which each message is handled once. The store that remembers is given by
	// [WithIdempotency]; with it, 0 is idempotency.DefaultLease, and without it none. A handler that takes longer is taken
	// to be dead, and its message is handled again.
	Idempotent time.Duration
}

// complete fills in the defaults and checks what the queue says.
func (q Queue) complete() (Queue, error) {
	if q.Prefetch == 0 {
		q.Prefetch = DefaultPrefetch
	}
	if q.Concurrency == 0 {
		q.Concurrency = q.Prefetch
	}
	if q.RetryDelay == 0 {
		q.RetryDelay = DefaultRetryDelay
	}
	switch {
	case q.Name == "":
		return q, errors.New("the queue has no name")
	case q.Prefetch < 1 || q.Prefetch > math.MaxUint16:
		return q, fmt.Errorf("a prefetch of %d: say 1 to %d", q.Prefetch, math.MaxUint16)
	case q.Concurrency < 1:
		return q, fmt.Errorf("a concurrency of %d: say 1 or more, or 0 for that of the prefetch", q.Concurrency)
	case q.Idempotent < 0:
		return q, fmt.Errorf("a lease of %v: say a positive one, or 0 for none", q.Idempotent)
	case q.RetryDelay < 0:
		return q, fmt.Errorf("a retry delay of %v: say a positive one", q.RetryDelay)
	}
	return q, nil
}

// policy returns the checked retry policy, nil for none.
func (q Queue) policy() (*wire.Policy, error) {
	if q.Retry.IsZero() {
		return nil, nil
	}
	policy, err := q.Retry.Policy()
	if err != nil {
		return nil, err
	}
	return &policy, nil
}
