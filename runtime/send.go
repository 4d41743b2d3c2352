package acemq

import (
	"context"
	"errors"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// sendTimeout bounds what it takes to send one copy. It is not the handler's to cancel (contract: consuming, when the
// hop does not land).
const sendTimeout = 30 * time.Second

// send publishes the copy of a delivery, and settles the delivery once the copy is confirmed and in its queue. A copy
// that no queue took is sent once more after its queue was declared again.
func (c *Consumer) send(in *incoming, d disposition) {
	if !in.delivery.Live() {
		c.giveBackUnsettled(in) // it comes again, and a copy would be a second one
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.handling), sendTimeout)
	defer cancel()
	message := in.copyTo(d.target, d.envelope)
	err := c.publish(ctx, message)
	if isUnroutable(err) && c.declareAgain(ctx) {
		err = c.publish(ctx, message)
	}
	switch {
	case err == nil:
		c.slow.reset(d.target)
		c.finish(in, d, in.delivery.Ack())
	case isUnroutable(err) && d.rung > 0:
		c.missRung(in, d)
	default:
		c.fail(in, d, err)
	}
}

// copyTo returns the message that goes to another queue in place of the delivery: body and properties as they were
// received, the envelope as it stands then (contract: consuming, republishing).
func (in *incoming) copyTo(queue string, envelope Envelope) transport.Message {
	return transport.Message{
		Key:         queue,
		Body:        in.delivery.Body,
		ContentType: in.delivery.ContentType,
		MessageID:   envelope.ID,
		ReplyTo:     in.delivery.ReplyTo,
		Headers:     envelope.Headers(in.delivery.Headers),
		Priority:    in.delivery.Priority,
		Copy:        true,
	}
}

func (c *Consumer) publish(ctx context.Context, m transport.Message) error {
	pending, err := c.conn.broker.Publish(ctx, m)
	if err != nil {
		return err
	}
	return pending.Wait(ctx)
}

func isUnroutable(err error) bool {
	var unroutable *UnroutableError
	return errors.As(err, &unroutable)
}

// declareAgain declares the set-aside queues and the rungs, one caller at a time, and reports whether it could.
func (c *Consumer) declareAgain(ctx context.Context) bool {
	if c.setAside == nil {
		return false
	}
	select {
	case c.declare <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	defer func() { <-c.declare }()
	if err := c.declareSetAside(ctx); err != nil {
		c.log.Error("acemq: the set-aside queues could not be declared again", "error", err)
		return false
	}
	return true
}

// missRung waits in the consumer for what was to wait in a rung that is not there.
func (c *Consumer) missRung(in *incoming, d disposition) {
	c.tally.rungMissing.Add(1)
	c.observe(in, Event{Name: EventRungMissing, Target: d.target})
	c.log.Warn("acemq: a rung is missing, so the message waits in the consumer", "rung", d.target, "id", in.envelope.ID)
	c.carryOutLater(in, c.waitHere(in, d.rung))
}

// holdFrom is how often a broker may have handed a message out before the consumer keeps it where its copy does not
// land. A quorum queue counts what is given back, and RabbitMQ 4 takes a message off after 20 times.
const holdFrom = 10

// fail pauses with a delivery whose copy did not land, longer while copies to the same queue fail, and then gives it
// back: the message is not lost, and comes again until its copy can land. A message that was given back often is kept
// instead, and its copy is sent again.
func (c *Consumer) fail(in *incoming, d disposition, err error) {
	c.tally.setAsideFailed.Add(1)
	c.observe(in, Event{Name: EventSetAsideFailed, Target: d.target, Err: err})
	pause := c.slow.next(d.target, time.Now())
	c.log.Error("acemq: a message could not be moved to another queue, and is kept", "target", d.target,
		"id", in.envelope.ID, "reason", d.envelope.Error, "pause", pause, "error", err)
	c.later(pause, in, func(in *incoming) {
		if c.isDraining() || deliveryCount(in.delivery.Headers) < holdFrom {
			c.giveBackUnsettled(in)
			return
		}
		c.carryOut(in, d)
	})
}
