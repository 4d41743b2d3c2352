package acemq

import (
	"errors"
	"math/rand/v2"
	"time"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// disposition is what becomes of a delivery, and how.
type disposition struct {
	outcome  outcome
	wait     time.Duration // in the consumer, before anything else
	target   string        // the queue that a copy goes to; empty: none, the delivery is settled as it is
	envelope Envelope      // of the copy
	rung     time.Duration // how long the copy waits in its target; 0 where that is no rung
}

var errNoAnswer = errors.New("the handler returned the zero Ack, which is no answer")

// decide says what becomes of a delivery after a handler's answer (contract: consuming, dispositions).
func (c *Consumer) decide(in *incoming, ack Ack) disposition {
	if ack.verb == verbRefused { // before the handler, whose errors can be fatal
		return c.giveUp(in, outcomeDeadLettered, wire.RefusedReason(refusedBecause(ack.err)))
	}
	if isFatal(ack.err) {
		return c.giveUp(in, outcomeRejected, wire.FatalReason(ack.err))
	}
	switch ack.verb {
	case verbAccept:
		return disposition{outcome: outcomeAccepted}
	case verbDuplicate:
		return disposition{outcome: outcomeDuplicate}
	case verbInProgress:
		return c.putBack(in)
	case verbRelease:
		return disposition{outcome: outcomeReleased}
	case verbRetry, verbRetryAfter:
		return c.decideRetry(in, ack)
	case verbDeadLetter:
		return c.giveUp(in, outcomeRejected, wire.RejectedReason(ack.err))
	case verbPark:
		return c.park(in, wire.ParkedReason(ack.err))
	case verbUndecodable:
		return c.park(in, wire.UndecodableReason(ack.err))
	default:
		return c.giveUp(in, outcomeRejected, wire.RejectedReason(errNoAnswer))
	}
}

// decideRetry says what becomes of a delivery that is to be tried again. A handler that failed because it was
// cancelled has used up no attempt.
func (c *Consumer) decideRetry(in *incoming, ack Ack) disposition {
	switch {
	case c.handling.Err() != nil:
		return disposition{outcome: outcomeReleased}
	case c.queue.RequeueOnFailure:
		return disposition{outcome: outcomeRequeued, wait: ack.delay}
	case c.policy == nil && ack.verb == verbRetryAfter:
		return c.waitHere(in, ack.delay)
	case c.policy == nil:
		return c.waitHere(in, c.queue.RetryDelay)
	}
	decision, delay := c.policy.Decide(in.envelope.Attempt, in.envelope.Age(time.Now()))
	switch {
	case decision == wire.Exhausted:
		return c.giveUp(in, outcomeDeadLettered, wire.ExhaustedReason(in.envelope.Attempt, ack.err))
	case decision == wire.TooOld:
		return c.giveUp(in, outcomeDeadLettered, wire.TooOldReason(c.policy.MaxAge(), ack.err))
	case ack.verb == verbRetryAfter:
		return c.waitFor(in, ack.delay)
	case decision == wire.WaitInBroker:
		return c.waitInBroker(in, delay)
	default:
		return c.waitHere(in, c.policy.Vary(delay, rand.Float64()))
	}
}

// waitFor chooses where a delay waits that the schedule does not name (contract: retry, rung names).
func (c *Consumer) waitFor(in *incoming, delay time.Duration) disposition {
	if rung, found := c.policy.Rung(delay); found && c.policy.WaitsInBroker(delay) {
		return c.waitInBroker(in, rung)
	}
	return c.waitHere(in, delay)
}

func (c *Consumer) waitHere(in *incoming, delay time.Duration) disposition {
	return disposition{outcome: outcomeRetried, wait: delay, target: c.queue.Name, envelope: nextAttempt(in.envelope)}
}

func (c *Consumer) waitInBroker(in *incoming, delay time.Duration) disposition {
	return disposition{
		outcome:  outcomeRetried,
		target:   wire.RungQueue(c.queue.Name, delay),
		envelope: nextAttempt(in.envelope),
		rung:     delay,
	}
}

// putBack sends a message to the end of its queue as it is, and later: somebody else is at it. To give it back to the
// broker would count against the limit of a quorum queue.
func (c *Consumer) putBack(in *incoming) disposition {
	return disposition{outcome: outcomeInProgress, wait: inProgressDelay, target: c.queue.Name, envelope: in.envelope}
}

func (c *Consumer) giveUp(in *incoming, o outcome, reason string) disposition {
	return setAside(in, o, wire.DeadLetterQueue(c.queue.Name), reason)
}

func (c *Consumer) park(in *incoming, reason string) disposition {
	return setAside(in, outcomeParked, wire.ParkedQueue(c.queue.Name), reason)
}

func setAside(in *incoming, o outcome, target, reason string) disposition {
	envelope := in.envelope
	envelope.Error = reason
	return disposition{outcome: o, target: target, envelope: envelope}
}

// nextAttempt returns the envelope of the next delivery. A reason to set the message aside, left from a time when it
// was, does not travel on.
func nextAttempt(e Envelope) Envelope {
	e.Attempt++
	e.Error = ""
	return e
}
