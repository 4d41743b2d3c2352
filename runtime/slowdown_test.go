package acemq

import (
	"testing"
	"time"
)

func TestSlowdown(t *testing.T) {
	var s slowdown
	start := time.Unix(0, 0)
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	for _, step := range []struct {
		queue string
		now   time.Time
		want  time.Duration
	}{
		{"a", at(0), time.Second},
		{"a", at(0), time.Second}, // at the same time as the first
		{"a", at(1), 2 * time.Second},
		{"a", at(2), 2 * time.Second}, // while the others pause
		{"b", at(2), time.Second},     // another queue
		{"a", at(3), 4 * time.Second},
		{"a", at(7), 8 * time.Second},
		{"a", at(15), 16 * time.Second},
		{"a", at(31), 30 * time.Second},
		{"a", at(61), 30 * time.Second},
	} {
		wantEqual(t, "the pause for "+step.queue, s.next(step.queue, step.now), step.want)
	}
	s.reset("a")
	wantEqual(t, "the pause after a success", s.next("a", at(100)), time.Second)
	wantEqual(t, "the pause of another queue", s.next("b", at(100)), 2*time.Second)
}
