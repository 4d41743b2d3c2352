package memory

import (
	"context"
	"fmt"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
)

// connection is a service's access to the broker.
type connection struct {
	node      *node
	slots     chan struct{} // taken by each message that waits for its answer
	consumers map[*consumer]struct{}
	pending   map[*pending]struct{} // messages whose answer is late
	declared  topology.Topology

	up      chan struct{} // closed while the connection is up, and after Close
	closed  bool
	blocked bool   // the broker has said that it blocks
	reason  string // why it is not up
	delay   backoff
	retry   *time.Timer
}

// connect opens a connection on a broker that was joined for it.
func connect(n *node) *connection {
	c := &connection{
		node:      n,
		slots:     make(chan struct{}, window),
		consumers: map[*consumer]struct{}{},
		pending:   map[*pending]struct{}{},
		up:        make(chan struct{}),
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.connections[c] = struct{}{}
	c.rise()
	return c
}

// isUp reports whether the connection stands.
func (c *connection) isUp() bool { return !c.closed && c.reason == "" }

// enter waits until the connection is up, and returns with the broker's mutex held.
func (c *connection) enter(ctx context.Context) error {
	c.node.mu.Lock()
	if c.isUp() {
		return nil
	}
	limit := time.NewTimer(waitLimit)
	defer limit.Stop()
	for !c.isUp() {
		if c.closed {
			c.node.mu.Unlock()
			return transport.ErrClosed
		}
		up, reason := c.up, c.reason
		c.node.mu.Unlock()
		select {
		case <-up:
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", reason, ctx.Err())
		case <-limit.C:
			return fmt.Errorf("%s, for more than %v", reason, waitLimit)
		}
		c.node.mu.Lock()
	}
	return nil
}

// fall loses connections at once: what is unsettled goes back, what is unanswered stays unknown, and they are made again
// after a delay. Those that are not up are left alone.
func (n *node) fall(reason string, connections ...*connection) {
	var channels []*channel
	for _, c := range connections {
		if !c.isUp() {
			continue
		}
		c.reason = reason
		c.up = make(chan struct{})
		channels = append(channels, c.detach()...)
		c.unknown(fmt.Errorf("the connection was lost: %s", reason))
		c.retryLater()
	}
	for _, ch := range channels {
		ch.giveBack()
	}
}

// detach takes all channels off the connection.
func (c *connection) detach() []*channel {
	c.blocked = false
	var channels []*channel
	for consumer := range c.consumers {
		if ch := consumer.detach(); ch != nil {
			channels = append(channels, ch)
		}
	}
	return channels
}

func (c *connection) retryLater() {
	c.retry = time.AfterFunc(c.delay.next(c.node.config), func() {
		c.node.mu.Lock()
		defer c.node.mu.Unlock()
		switch {
		case c.closed:
		case c.node.down:
			c.retryLater()
		default:
			c.rise()
		}
	})
}

// rise brings the connection up: what was declared is declared again, and the consumers are subscribed again.
func (c *connection) rise() {
	if c.node.down {
		c.reason = "the broker is down"
		c.retryLater()
		return
	}
	c.reason, c.delay = "", backoff{}
	close(c.up)
	c.redeclare()
	for consumer := range c.consumers {
		consumer.attach()
	}
}

// redeclare declares again what can be: a part that the broker refuses stops no other.
func (c *connection) redeclare() {
	n, t := c.node, c.declared
	for _, x := range t.Exchanges {
		_ = n.declare(&topology.Topology{Exchanges: []topology.Exchange{x}})
	}
	for _, q := range t.Queues {
		_ = n.declare(&topology.Topology{Queues: []topology.Queue{q}})
	}
	for _, b := range t.Bindings {
		_ = n.declare(&topology.Topology{Bindings: []topology.Binding{b}})
	}
}

func (c *connection) State() transport.State {
	c.node.mu.Lock()
	defer c.node.mu.Unlock()
	state := transport.State{Up: c.isUp(), Blocked: c.blocked, Reason: c.reason}
	switch {
	case c.closed:
		state.Reason = transport.ErrClosed.Error()
	case c.blocked:
		state.Reason = c.node.alarm
	}
	return state
}

func (c *connection) Close(context.Context) error {
	c.node.mu.Lock()
	if c.closed {
		c.node.mu.Unlock()
		return nil
	}
	if !c.isUp() {
		close(c.up)
	}
	c.closed = true
	stop(c.retry)
	for _, ch := range c.detach() {
		ch.giveBack()
	}
	c.unknown(transport.ErrClosed)
	for consumer := range c.consumers {
		consumer.finish()
	}
	delete(c.node.connections, c)
	c.node.mu.Unlock()
	c.node.leave()
	return nil
}
