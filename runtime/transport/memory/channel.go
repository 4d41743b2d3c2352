package memory

import (
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// channel carries the deliveries of a consumer from its subscription to the loss of it.
type channel struct {
	consumer  *consumer
	queue     *queue
	unsettled map[*settler]struct{}
	gone      atomic.Bool
	timeout   *time.Timer // looks for deliveries that are unsettled for too long; nil while none is unsettled
}

// settler answers one delivery.
type settler struct {
	channel *channel
	entry   *entry
	since   time.Time
	settled bool
}

// hasRoom reports whether the prefetch lets the channel take a message.
func (ch *channel) hasRoom() bool {
	return !ch.gone.Load() && !ch.consumer.stopped && len(ch.unsettled) < ch.consumer.wanted.Prefetch
}

// deliver hands a message to the consumer, which has room for it.
func (ch *channel) deliver(e *entry) {
	s := &settler{channel: ch, entry: e, since: time.Now()}
	ch.unsettled[s] = struct{}{}
	ch.watch()
	m := copied(e.message)
	if e.failures > 0 {
		if m.Headers == nil {
			m.Headers = wire.Table{}
		}
		m.Headers["x-delivery-count"] = e.failures
	}
	ch.consumer.deliveries <- &transport.Delivery{Message: m, Queue: ch.queue.name, Redelivered: e.redelivered, Settler: s}
}

// giveBack returns to the queue what is unsettled on a channel that is gone.
func (ch *channel) giveBack() {
	var entries []*entry
	for s := range ch.unsettled {
		entries = append(entries, s.entry)
	}
	ch.unsettled = nil
	ch.queue.giveBack(entries, lost)
	ch.queue.passOn(ch)
}

func (s *settler) Ack() error {
	return s.answer(func(q *queue) {
		if q.node.strikes(&s.entry.message, CloseBeforeAck) {
			s.channel.unsettled[s] = struct{}{}
			q.node.fall("scripted: closed before an ack was processed", s.channel.consumer.connection)
		}
	})
}

func (s *settler) Nack(requeue bool) error {
	return s.answer(func(q *queue) {
		if requeue {
			q.giveBack([]*entry{s.entry}, nacked)
			return
		}
		q.deadLetter(s.entry, diedOfRejection)
	})
}

// answer settles the delivery, does what the answer asks for, and lets the queue go on.
func (s *settler) answer(do func(*queue)) error {
	ch := s.channel
	n := ch.queue.node
	n.mu.Lock()
	defer n.mu.Unlock()
	if s.settled {
		return transport.ErrSettled
	}
	s.settled = true
	if ch.gone.Load() {
		return transport.ErrLost
	}
	delete(ch.unsettled, s)
	do(ch.queue)
	ch.queue.settle()
	ch.queue.passOn(ch)
	return nil
}

func (s *settler) Live() bool { return !s.channel.gone.Load() }

// tick is how often a broker looks for deliveries that are unsettled for too long.
const tick = time.Minute

// limit returns how long a delivery may stay unsettled; 0 is for ever.
func (ch *channel) limit() time.Duration {
	c := ch.queue.node.config
	quorum := ch.queue.settings.quorum
	if c.atLeast(4, 3) && !quorum {
		return 0
	}
	if ms, ok := wide(ch.consumer.wanted.Arguments["x-consumer-timeout"]).(int64); ok && c.atLeast(4, 3) {
		return time.Duration(ms) * time.Millisecond
	}
	if own := ch.queue.settings.timeout; own > 0 && c.atLeast(3, 12) {
		return own
	}
	return c.consumerTimeout
}

// watch looks after the oldest unsettled delivery, once a tick.
func (ch *channel) watch() {
	if ch.timeout == nil && ch.limit() > 0 {
		ch.timeout = time.AfterFunc(tick, ch.look)
	}
}

// look closes the channel when a delivery has been unsettled for too long. The consumer comes back like after a loss.
func (ch *channel) look() {
	n := ch.queue.node
	n.mu.Lock()
	defer n.mu.Unlock()
	ch.timeout = nil
	if ch.gone.Load() || len(ch.unsettled) == 0 {
		return
	}
	oldest := slices.MinFunc(slices.Collect(maps.Keys(ch.unsettled)), func(a, b *settler) int {
		return a.since.Compare(b.since)
	})
	if time.Since(oldest.since) < ch.limit() {
		ch.watch()
		return
	}
	c := ch.consumer
	c.detach()
	ch.giveBack()
	if !c.stopped {
		c.attachLater()
	}
}
