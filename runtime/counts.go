package acemq

import "sync/atomic"

// Counts are what a consumer has decided since it started, by message and by the engine's decision, not the handler's
// request. A decision counts once it is carried out: what did not arrive is not counted as sent.
type Counts struct {
	Accepted     int64 // done
	Duplicates   int64 // done before, by the word of the idempotency store: taken off, and not handled
	InProgress   int64 // sent to the end of their queue because somebody else was at them
	Retried      int64 // sent for another attempt
	Rejected     int64 // in {queue}.dlq because the handler said so, panicked, or met a fatal error
	DeadLettered int64 // in {queue}.dlq because the engine gave up: attempts or age used up, or an interceptor refused it
	Parked       int64 // in {queue}.parked
	Released     int64 // given back as they were: by the handler, or because its context was cancelled
	Requeued     int64 // given back on failure, where the queue says RequeueOnFailure

	SetAsideFailed int64 // copies that landed nowhere; their messages were given back
	RungMissing    int64 // waits whose rung was gone, waited out in the consumer
	Lost           int64 // settlements that came too late: the broker delivers the message again
}

// outcome is what became of a delivery.
type outcome int

const (
	outcomeAccepted outcome = iota
	outcomeRetried
	outcomeRejected
	outcomeDeadLettered
	outcomeParked
	outcomeReleased
	outcomeRequeued
	outcomeDuplicate
	outcomeInProgress
	outcomes // how many there are
)

// String returns the outcome as it stands in logs and metrics (contract: metrics, outcome values).
func (o outcome) String() string {
	return [...]string{"acked", "retried", "rejected", "dead_lettered", "parked", "released", "requeued", "acked",
		"in_progress"}[o]
}

// tally is Counts while they are counted.
type tally struct {
	outcomes       [outcomes]atomic.Int64
	setAsideFailed atomic.Int64
	rungMissing    atomic.Int64
	lost           atomic.Int64
}

// Counts returns the counts so far.
func (c *Consumer) Counts() Counts {
	of := func(o outcome) int64 { return c.tally.outcomes[o].Load() }
	return Counts{
		Accepted:       of(outcomeAccepted),
		Duplicates:     of(outcomeDuplicate),
		InProgress:     of(outcomeInProgress),
		Retried:        of(outcomeRetried),
		Rejected:       of(outcomeRejected),
		DeadLettered:   of(outcomeDeadLettered),
		Parked:         of(outcomeParked),
		Released:       of(outcomeReleased),
		Requeued:       of(outcomeRequeued),
		SetAsideFailed: c.tally.setAsideFailed.Load(),
		RungMissing:    c.tally.rungMissing.Load(),
		Lost:           c.tally.lost.Load(),
	}
}
