package ordered

import (
	"context"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// observeArrival tells the observers of the connection of the message that is about to be worked on.
func (p *partition) observeArrival() {
	p.watched = nil
	if !p.consumer.conn.Observed() {
		return
	}
	m, err := acemq.Receive[[]byte](p.held, acemq.Bytes)
	if err != nil {
		return // no message is unreadable as bytes
	}
	p.watched = &acemq.Event{
		Type:        m.Envelope.Type,
		ID:          m.Envelope.ID,
		Correlation: m.Envelope.Correlation,
		Attempt:     m.Envelope.Attempt,
	}
	p.observe(acemq.Event{Name: acemq.EventReceive})
}

// observeAttempt notes an attempt that began at a time and is over, for what observers hear later.
func (p *partition) observeAttempt(number int, began time.Time) {
	if p.watched != nil {
		p.watched.Attempt = number
		p.watched.Duration = time.Since(began)
	}
}

// observeEnd tells the observers what became of the message. What they hear first holds.
func (p *partition) observeEnd(outcome, target string, err error) {
	if p.watched == nil {
		return
	}
	p.observe(acemq.Event{Name: acemq.EventConsume, Outcome: outcome, Target: target, Duration: p.watched.Duration,
		Err: err})
	p.watched = nil
}

// observe tells the observers of an event about the message that is worked on.
func (p *partition) observe(e acemq.Event) {
	if w := p.watched; w != nil {
		e.Queue, e.Type, e.ID, e.Correlation, e.Attempt = p.queue, w.Type, w.ID, w.Correlation, w.Attempt
		p.consumer.conn.Observe(context.WithoutCancel(p.consumer.handling), e)
	}
}
