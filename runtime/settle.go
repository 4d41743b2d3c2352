package acemq

import (
	"errors"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// settle carries out what a handler's answer comes to. Waiting is done off the worker.
func (c *Consumer) settle(in *incoming, ack Ack) {
	d := c.decide(in, ack)
	if in.watched != nil {
		in.watched.err = ack.err
	}
	if d.wait > 0 {
		c.carryOutLater(in, d)
		return
	}
	c.carryOut(in, d)
}

func (c *Consumer) carryOutLater(in *incoming, d disposition) {
	c.later(d.wait, in, func(in *incoming) { c.carryOut(in, d) })
}

// later runs f with in after a wait, or at once when the consumer is draining, in a goroutine of its own. The delivery
// that f settles stays with the consumer.
func (c *Consumer) later(wait time.Duration, in *incoming, f func(*incoming)) {
	kept := *in // its worker goes on to the next one
	c.holding.Go(func() {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-c.draining:
		}
		f(&kept)
	})
}

func (c *Consumer) carryOut(in *incoming, d disposition) {
	switch {
	case d.target != "":
		c.send(in, d)
	case d.outcome == outcomeAccepted || d.outcome == outcomeDuplicate:
		c.finish(in, d, in.delivery.Ack())
	default:
		c.finish(in, d, c.nack(&in.delivery))
	}
}

// finish ends the work on a delivery that was answered.
func (c *Consumer) finish(in *incoming, d disposition, answer error) {
	c.held.Add(-1)
	if answer != nil {
		c.noteLost(&in.delivery, answer)
	}
	if answer == nil || d.target != "" { // a copy that landed is there, whatever became of the original
		c.tally.outcomes[d.outcome].Add(1)
		c.report(in, d)
		c.observeOutcome(in, d)
		return
	}
	c.observeLoss(in)
}

// giveBackUnsettled returns a message that was taken up to the queue as it is.
func (c *Consumer) giveBackUnsettled(in *incoming) {
	c.giveBack(&in.delivery)
	c.observeLoss(in)
}

// giveBack returns a delivery to the queue as it is.
func (c *Consumer) giveBack(d *transport.Delivery) {
	err := c.nack(d)
	c.held.Add(-1)
	if err != nil {
		c.noteLost(d, err)
	}
}

// nack gives a delivery back to the broker. While the consumer drains, it waits until the broker hands out no more: it
// would hand the message straight back, and a quorum queue counts how often.
func (c *Consumer) nack(d *transport.Delivery) error {
	if c.isDraining() {
		<-c.stopped
	}
	return d.Nack(true)
}

// noteLost counts an answer that did not reach the broker. It is nothing to repair: the message comes again.
func (c *Consumer) noteLost(d *transport.Delivery, err error) {
	c.tally.lost.Add(1)
	if errors.Is(err, transport.ErrLost) {
		c.log.Debug("acemq: a delivery was lost and comes again", "id", d.MessageID)
		return
	}
	c.log.Error("acemq: a delivery could not be settled", "id", d.MessageID, "error", err)
}

// report logs what became of a message that was not accepted.
func (c *Consumer) report(in *incoming, d disposition) {
	log := c.log.Warn
	switch d.outcome {
	case outcomeAccepted:
		return
	case outcomeRetried, outcomeReleased, outcomeRequeued, outcomeDuplicate, outcomeInProgress:
		log = c.log.Debug
	}
	log("acemq: a message was not accepted", "outcome", d.outcome.String(), "id", in.envelope.ID, "type", in.envelope.Type,
		"attempt", in.envelope.Attempt, "target", d.target, "reason", d.envelope.Error)
}
