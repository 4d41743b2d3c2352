package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// arrivals notes when messages were handled. Notes may be made concurrently.
type arrivals struct {
	times []time.Time
	count atomic.Int64
	all   chan struct{} // closed when every message was handled
}

func newArrivals(messages int) *arrivals {
	return &arrivals{times: make([]time.Time, messages), all: make(chan struct{})}
}

// note notes one message. A message may come twice: what comes after the last place is not noted.
func (a *arrivals) note() {
	n := int(a.count.Add(1))
	if n <= len(a.times) {
		a.times[n-1] = time.Now()
	}
	if n == len(a.times) {
		close(a.all)
	}
}

// wait waits until every message was handled.
func (a *arrivals) wait(ctx context.Context) error {
	select {
	case <-a.all:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("consumed %d: %w", a.count.Load(), ctx.Err())
	}
}

// gaps returns the times from one message to the next.
func (a *arrivals) gaps(start time.Time) []time.Duration {
	gaps := make([]time.Duration, len(a.times))
	for i, at := range a.times {
		gaps[i] = max(at.Sub(start), 0)
		start = at
	}
	return gaps
}
