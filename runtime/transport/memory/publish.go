package memory

import (
	"context"
	"fmt"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
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
	m.Optional, m.FromData, m.Copy = false, false, false // they are about the publish and do not travel
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
