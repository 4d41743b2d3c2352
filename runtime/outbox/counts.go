package outbox

import (
	"sync/atomic"
	"time"
)

// Counts are what a relay has done since it started.
type Counts struct {
	Published int64 // confirmed and in a queue
	Failed    int64 // attempts that failed and count towards the ceiling
	Retired   int64 // records that reached it
	Lost      int64 // settlements that came after the end of their lease: such a record is published again

	// Lag is how long after it was added the last published record was confirmed, by the store's clock.
	Lag time.Duration
}

// tally is Counts while they are counted.
type tally struct {
	published, failed, retired, lost, lag atomic.Int64
}

// Counts returns the counts so far.
func (r *Relay) Counts() Counts {
	return Counts{
		Published: r.tally.published.Load(),
		Failed:    r.tally.failed.Load(),
		Retired:   r.tally.retired.Load(),
		Lost:      r.tally.lost.Load(),
		Lag:       time.Duration(r.tally.lag.Load()),
	}
}
