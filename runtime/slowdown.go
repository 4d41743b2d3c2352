package acemq

import (
	"sync"
	"time"
)

// How long a consumer keeps a message whose copy did not land before it gives it back.
const (
	firstPause   = time.Second
	longestPause = 30 * time.Second
)

// slowdown holds, for each queue that copies do not reach, how long the next message pauses. The zero slowdown is ready
// to use.
type slowdown struct {
	mu     sync.Mutex
	pauses map[string]pause
}

type pause struct {
	length time.Duration
	since  time.Time // the first failure that paused this long
}

// next returns the pause after a failure at now. It doubles once it was sat out, so that messages which fail together
// pause together.
func (s *slowdown) next(queue string, now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, failing := s.pauses[queue]
	switch {
	case !failing:
		p = pause{firstPause, now}
	case now.Sub(p.since) >= p.length:
		p = pause{min(2*p.length, longestPause), now}
	}
	if s.pauses == nil {
		s.pauses = make(map[string]pause)
	}
	s.pauses[queue] = p
	return p.length
}

// reset ends the slowdown: a copy has reached the queue.
func (s *slowdown) reset(queue string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pauses, queue)
}
