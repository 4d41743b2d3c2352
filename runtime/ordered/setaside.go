package ordered

import (
	"context"
	"errors"
	"fmt"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// skip moves the message to {queue}.dlq. What is behind it goes on.
func (p *partition) skip(attempts int, err error) {
	target := wire.DeadLetterQueue(p.queue)
	if p.move(target, reason(attempts, err)) {
		p.consumer.tally.skipped.Add(1)
		p.observeEnd(acemq.OutcomeDeadLettered, target, err)
	}
}

// park moves a message that no handler can read to {queue}.parked. What is behind it goes on.
func (p *partition) park(err error) {
	target := wire.ParkedQueue(p.queue)
	if p.move(target, wire.UndecodableReason(err)) {
		p.consumer.tally.parked.Add(1)
		p.observeEnd(acemq.OutcomeParked, target, err)
	}
}

// wearOut moves the message that halted the partition to {queue}.dlq, because the broker is about to take it off.
func (p *partition) wearOut(attempts int, err error) {
	target := wire.DeadLetterQueue(p.queue)
	if p.move(target, reason(attempts, err)) {
		p.held = nil
		p.observeEnd(acemq.OutcomeDeadLettered, target, err)
		p.log.Error("acemq: a message halted its partition too often and is dead-lettered; the partition stays halted")
	}
}

// errWornOut is why a message is not tried any more that was lost with its consumer again and again.
var errWornOut = fmt.Errorf("the broker has handed it out more than %d times, and nobody has settled it", wornOut)

func reason(attempts int, err error) string {
	switch {
	case errors.As(err, new(refusedError)):
		return wire.RefusedReason(err)
	case acemq.IsFatal(err):
		return wire.FatalReason(err)
	}
	return wire.ExhaustedReason(attempts, err)
}

// move sends a copy of the message to another queue until it lands, and settles the message then. It reports false when
// the message is not here any more: the consumer was stopped, or it did not come again.
func (p *partition) move(queue, reason string) bool {
	for pause := time.Duration(0); p.wait(pause); pause = min(max(2*pause, firstPause), longestPause) {
		err := p.send(queue, reason)
		if err == nil {
			p.log.Warn("acemq: a message was set aside", "target", queue, "id", identity(p.held), "reason", reason)
			p.settle()
			return true
		}
		p.consumer.tally.setAsideFailed.Add(1)
		p.observe(acemq.Event{Name: acemq.EventSetAsideFailed, Target: queue, Err: err})
		p.log.Error("acemq: a message could not be moved to another queue, and is kept", "target", queue,
			"id", identity(p.held), "error", err)
	}
	return false
}

// send publishes a copy of the message. One that no queue took is sent once more after its queue was declared again.
func (p *partition) send(queue, reason string) error {
	d := p.held
	m, err := acemq.Receive[[]byte](d, acemq.Bytes)
	if err != nil {
		return err
	}
	m.Envelope.Error = reason
	out := acemq.Outgoing{
		Key:         queue,
		Envelope:    m.Envelope,
		Headers:     d.Headers,
		Body:        d.Body,
		ContentType: d.ContentType,
		ReplyTo:     d.ReplyTo,
		Priority:    d.Priority,
		Copy:        true,
	}
	conn := p.consumer.conn
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.consumer.handling), patience)
	defer cancel()
	err = conn.Send(ctx, out)
	if gone := new(acemq.UnroutableError); errors.As(err, &gone) {
		if err = conn.Declare(ctx, p.consumer.setAside); err == nil {
			err = conn.Send(ctx, out)
		}
	}
	return err
}
