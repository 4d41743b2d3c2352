package schedule

import (
	"slices"
	"sync"
	"time"
)

// room is the number of messages that may wait in a scheduler at once, each for the same time. It may be used
// concurrently.
type room struct {
	places int
	wait   time.Duration

	mu    sync.Mutex
	until []time.Time // when each wait is over, the earliest first
}

// take takes a place for the time of the wait, and reports whether there was one.
func (r *room) take(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.until = slices.DeleteFunc(r.until, func(t time.Time) bool { return !t.After(now) })
	if len(r.until) >= r.places {
		return false
	}
	r.until = append(r.until, now.Add(r.wait))
	return true
}
