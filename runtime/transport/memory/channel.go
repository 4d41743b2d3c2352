package memory

import (
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

// hasRoom reports whether the prefetch lets the channel take a message.
func (ch *channel) hasRoom() bool {
	return !ch.gone.Load() && !ch.consumer.stopped && len(ch.unsettled) < ch.consumer.wanted.Prefetch
}

// deliver hands a message to the consumer, which has room for it.
func (ch *channel) deliver(e *entry) {
	s := &settler{channel: ch, entry: e, since: time.Now()}
	ch.unsettled[s] = struct{}{}
	ch.watch(s.since)
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
