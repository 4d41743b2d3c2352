package memory

import (
	"context"
	"fmt"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// consumer is a subscription, over all the channels that it has one after another.
type consumer struct {
	connection *connection
	wanted     transport.Subscription
	deliveries chan *transport.Delivery // as large as the prefetch, so that sending never waits
	channel    *channel                 // nil while the subscription is away
	stopped    bool
	delay      backoff
	retry      *time.Timer
}

func (c *connection) Consume(ctx context.Context, s transport.Subscription) (transport.Consumer, error) {
	s, err := transport.CheckSubscription(s)
	if err != nil {
		return nil, err
	}
	if err := c.enter(ctx); err != nil {
		return nil, fmt.Errorf("consume %s: %w", s.Queue, err)
	}
	defer c.node.mu.Unlock()
	if own := s.Own(); own != nil {
		if err := c.node.declare(own); err != nil {
			return nil, err
		}
	}
	q, err := c.node.queue(s.Queue)
	if err != nil {
		return nil, err
	}
	if err := q.checkConsumer(s.Arguments); err != nil {
		return nil, err
	}
	consumer := &consumer{connection: c, wanted: s, deliveries: make(chan *transport.Delivery, s.Prefetch)}
	c.consumers[consumer] = struct{}{}
	consumer.open(q)
	return consumer, nil
}

func (c *consumer) Next(d *transport.Delivery) bool {
	next, more := <-c.deliveries
	if more {
		*d = *next
	}
	return more
}

func (c *consumer) Deliveries() <-chan *transport.Delivery { return c.deliveries }

func (c *consumer) Stop(context.Context) error {
	c.connection.node.mu.Lock()
	defer c.connection.node.mu.Unlock()
	c.stop()
	return nil
}

func (c *consumer) Close(context.Context) error {
	c.connection.node.mu.Lock()
	defer c.connection.node.mu.Unlock()
	c.finish()
	return nil
}

// stop ends the deliveries and gives back those that were not taken.
func (c *consumer) stop() {
	if c.stopped {
		return
	}
	c.stopped = true
	stop(c.retry)
	switch {
	case c.channel == nil:
	case c.wanted.InOrder:
		c.detach().giveBack()
		c.untaken()
	default:
		c.takeBack()
	}
	close(c.deliveries)
}

// takeBack gives back what was not taken, and leaves the rest to be settled.
func (c *consumer) takeBack() {
	ch := c.channel
	ch.queue.remove(ch)
	var entries []*entry
	for _, s := range c.untaken() {
		s.settled = true
		delete(ch.unsettled, s)
		entries = append(entries, s.entry)
	}
	ch.queue.giveBack(entries, nacked)
	ch.queue.passOn(ch)
}

// finish stops the consumer and closes its channel.
func (c *consumer) finish() {
	c.stop()
	if ch := c.detach(); ch != nil {
		ch.giveBack()
	}
	delete(c.connection.consumers, c)
	c.deleteOwn()
}

// deleteOwn deletes a queue that is temporary, if there is a connection. Otherwise the broker does, in time.
func (c *consumer) deleteOwn() {
	n := c.connection.node
	if q := n.queues[c.wanted.Queue]; q != nil && c.wanted.Own() != nil && c.connection.reason == "" {
		n.deleteQueue(q)
	}
}

// untaken empties the deliveries.
func (c *consumer) untaken() []*settler {
	var settlers []*settler
	for len(c.deliveries) > 0 {
		select {
		case d := <-c.deliveries:
			settlers = append(settlers, d.Settler.(*settler))
		default: // somebody took it in between
		}
	}
	return settlers
}

// detach takes the channel off the consumer and off its queue. What is unsettled on it is lost to the consumer.
func (c *consumer) detach() *channel {
	ch := c.channel
	if ch == nil {
		return nil
	}
	c.channel = nil
	ch.gone.Store(true)
	stop(ch.timeout)
	ch.queue.remove(ch)
	if !c.stopped {
		c.untaken()
	}
	return ch
}

// attach subscribes the consumer again, or tries later while its queue is missing.
func (c *consumer) attach() {
	if c.stopped || c.channel != nil || !c.connection.isUp() {
		return
	}
	stop(c.retry)
	if own := c.wanted.Own(); own != nil {
		_ = c.connection.node.declare(own) // where it is refused, the queue is not ours
	}
	if q := c.connection.node.queues[c.wanted.Queue]; q != nil {
		c.delay = backoff{}
		c.open(q)
		return
	}
	c.attachLater()
}

func (c *consumer) attachLater() {
	c.retry = time.AfterFunc(c.delay.next(c.connection.node.config), func() {
		c.connection.node.mu.Lock()
		defer c.connection.node.mu.Unlock()
		if c.connection.isUp() {
			c.connection.redeclare()
		}
		c.attach()
	})
}

// cancelled ends the channel because its queue was deleted, and tries to come back.
func (c *consumer) cancelled() {
	c.detach()
	if !c.stopped {
		c.attachLater()
	}
}

// open gives the consumer a channel on a queue.
func (c *consumer) open(q *queue) {
	c.channel = &channel{consumer: c, queue: q, unsettled: map[*settler]struct{}{}}
	q.consumers = append(q.consumers, c.channel)
	q.settle()
}
