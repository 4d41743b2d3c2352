package ordered

import "sync/atomic"

// Counts are what a consumer has done since it started.
type Counts struct {
	Handled    int64 // messages that are done: their handler took them, or they were Duplicates
	Failed     int64 // attempts that failed
	Skipped    int64 // messages that Skip sent to {queue}.dlq
	Parked     int64 // messages in {queue}.parked: no handler could read them
	Halts      int64 // times that a partition halted
	Duplicates int64 // messages that the idempotency store knew
	ClaimsLeft int64 // claims that the store could not confirm or release

	SetAsideFailed int64 // copies to {queue}.dlq or {queue}.parked that did not land; they are sent again
	Lost           int64 // deliveries whose channel was lost before they were settled; the messages come again
}

// tally is Counts while they are counted.
type tally struct {
	handled, failed, skipped, parked, halts, duplicates, claimsLeft, setAsideFailed, lost atomic.Int64
}

// Counts returns the counts so far.
func (c *Consumer) Counts() Counts {
	t := &c.tally
	return Counts{
		Handled:        t.handled.Load(),
		Failed:         t.failed.Load(),
		Skipped:        t.skipped.Load(),
		Parked:         t.parked.Load(),
		Halts:          t.halts.Load(),
		Duplicates:     t.duplicates.Load(),
		ClaimsLeft:     t.claimsLeft.Load(),
		SetAsideFailed: t.setAsideFailed.Load(),
		Lost:           t.lost.Load(),
	}
}
