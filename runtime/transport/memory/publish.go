package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

func (c *connection) Publish(ctx context.Context, m transport.Message) (transport.Pending, error) {
	m, err := transport.Check(m)
	if err != nil {
		return nil, err
	}
	refused := func(cause error) error { return &transport.RefusedError{Address: m.Address(), Cause: cause} }
	if err := c.slot(ctx); err != nil {
		return nil, refused(err)
	}
	if err := c.enter(ctx); err != nil {
		<-c.slots
		return nil, refused(err)
	}
	defer c.node.mu.Unlock()
	answer, err := c.send(copied(m))
	if err != nil {
		<-c.slots
		return nil, refused(err)
	}
	return answer, nil
}

// slot waits for a place among the messages that wait for their answer.
func (c *connection) slot(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case c.slots <- struct{}{}:
		return nil
	default:
	}
	limit := time.NewTimer(waitLimit)
	defer limit.Stop()
	select {
	case c.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%d messages wait for their answer: %w", window, ctx.Err())
	case <-limit.C:
		return fmt.Errorf("%d messages wait for their answer, for more than %v", window, waitLimit)
	}
}

// send lets the broker have a message. An error says that it was not sent. The slot is given back with the answer.
func (c *connection) send(m transport.Message) (transport.Pending, error) {
	n := c.node
	if n.alarm != "" {
		if c.blocked {
			return nil, fmt.Errorf("the broker takes no messages: %s", n.alarm)
		}
		c.blocked = true // it says so after the first message
	}
	targets, exists := n.route(&m)
	if !exists {
		missing := &transport.NotFoundError{Object: "exchange " + m.Exchange}
		if m.FromData {
			return nil, missing
		}
		c.unknown(fmt.Errorf("the channel was closed: %w", missing))
		return c.answered(&transport.UnknownError{Address: m.Address(), Cause: missing}), nil
	}
	switch fault := n.strike(&m); fault {
	case NackPublish:
		return c.answered(&transport.NackedError{Address: m.Address()}), nil
	case LoseConfirm:
		n.store(m, targets)
		return c.unanswered(m), nil
	case CloseBeforePublish, CloseAfterPublish:
		answer := c.unanswered(m)
		if fault == CloseAfterPublish {
			n.store(m, targets)
		}
		n.fall("scripted: closed before a confirm", c)
		return answer, nil
	}
	return c.answered(n.store(m, targets)), nil
}

// store puts a message into its queues and returns the broker's answer.
func (n *node) store(m transport.Message, targets []*queue) error {
	if len(targets) == 0 && !m.Optional {
		return &transport.UnroutableError{Address: m.Address()}
	}
	m.Optional, m.FromData = false, false // they are about the publish and do not travel
	var answer error
	past := published(&m, n.config)
	for _, q := range targets {
		if q.takes(&m) {
			q.push(m, past)
			continue
		}
		answer = &transport.NackedError{Address: m.Address()}
		if q.settings.overflow == rejectPublishDLX {
			q.deadLetter(&entry{message: m, history: past}, diedOfLength)
		}
	}
	return answer
}

// unknown leaves the messages that wait for their answer without one.
func (c *connection) unknown(cause error) {
	for p := range c.pending {
		p.answer(&transport.UnknownError{Address: p.address, Cause: cause})
	}
}

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

// copied returns a message whose body and headers are its own, as they are after a way over a wire.
func copied(m transport.Message) transport.Message {
	m.Body = slices.Clone(m.Body)
	if len(m.Headers) > 0 {
		m.Headers = copiedTable(m.Headers)
	} else {
		m.Headers = nil
	}
	return m
}

func copiedTable(t wire.Table) wire.Table {
	c := make(wire.Table, len(t))
	for name, value := range t {
		c[name] = copiedValue(value)
	}
	return c
}

// copiedValue copies what can be changed in place, and cuts a time to the seconds that AMQP has.
func copiedValue(value any) any {
	switch v := value.(type) {
	case []byte:
		return slices.Clone(v)
	case time.Time:
		return time.Unix(v.Unix(), 0)
	case wire.Table:
		return copiedTable(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = copiedValue(item)
		}
		return list
	}
	return value
}
