package pipeline

import (
	"sync/atomic"

	"github.com/acemq/acemq-gen/runtime/internal/route"
)

// tally counts what one process does for a pipeline.
type tally struct {
	entered    atomic.Int64
	completed  atomic.Int64
	endedEarly atomic.Int64
	inHand     atomic.Int64
}

// hold counts a message as in hand until the function it returns is called.
func (t *tally) hold() (release func()) {
	t.inHand.Add(1)
	return func() { t.inHand.Add(-1) }
}

// leave counts a message that left the pipeline.
func (t *tally) leave(o route.Outcome) {
	if o == route.EndedEarly {
		t.endedEarly.Add(1)
		return
	}
	t.completed.Add(1)
}

// Entered returns how many messages this process has sent in. A resumed message has entered before.
func (p *Pipeline[T]) Entered() int64 { return p.run.tally.entered.Load() }

// Completed returns how many messages have passed the last stop of their route in this process.
func (p *Pipeline[T]) Completed() int64 { return p.run.tally.completed.Load() }

// EndedEarly returns how many messages a step of this process has ended with [End] before the last stop.
func (p *Pipeline[T]) EndedEarly() int64 { return p.run.tally.endedEarly.Load() }

// InFlight returns how many messages this process has in hand: on their way in, or at a step until the next one has
// them. It is 0 when nothing runs, and never less.
func (p *Pipeline[T]) InFlight() int64 { return p.run.tally.inHand.Load() }
