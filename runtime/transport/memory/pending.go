package memory

import (
	"context"
	"errors"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// answered is the answer of a broker that did not let anybody wait.
type answered struct{ outcome error }

// confirmed is the answer to almost every message.
var confirmed = &answered{}

// closed is closed.
var closed = func() <-chan struct{} { c := make(chan struct{}); close(c); return c }()

func (c *connection) answered(outcome error) transport.Pending {
	<-c.slots
	if outcome == nil {
		return confirmed
	}
	return &answered{outcome}
}

func (a *answered) Done() <-chan struct{}      { return closed }
func (a *answered) Wait(context.Context) error { return a.outcome }

// pending is a message whose answer does not come until its connection is lost or its time is over.
type pending struct {
	connection *connection
	address    transport.Address
	done       chan struct{}
	outcome    error // set before done is closed
	limit      *time.Timer
}

var errNoAnswer = errors.New("the broker did not answer in time")

func (c *connection) unanswered(m transport.Message) *pending {
	p := &pending{connection: c, address: m.Address(), done: make(chan struct{})}
	c.pending[p] = struct{}{}
	p.limit = time.AfterFunc(c.node.config.confirmTimeout, func() {
		c.node.mu.Lock()
		defer c.node.mu.Unlock()
		if _, waits := c.pending[p]; waits {
			p.answer(&transport.UnknownError{Address: p.address, Cause: errNoAnswer})
		}
	})
	return p
}

// answer ends the wait of a message.
func (p *pending) answer(outcome error) {
	delete(p.connection.pending, p)
	p.limit.Stop()
	p.outcome = outcome
	close(p.done)
	<-p.connection.slots
}

func (p *pending) Done() <-chan struct{} { return p.done }

func (p *pending) Wait(ctx context.Context) error {
	select {
	case <-p.done:
		return p.outcome
	case <-ctx.Done():
		return &transport.UnknownError{Address: p.address, Cause: ctx.Err()}
	}
}

// unknown leaves the messages that wait for their answer without one.
func (c *connection) unknown(cause error) {
	for p := range c.pending {
		p.answer(&transport.UnknownError{Address: p.address, Cause: cause})
	}
}
