package memory

import (
	"maps"
	"slices"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// tick is how often a broker looks for deliveries that are unsettled for too long, up to RabbitMQ 4.2.
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

// checkConsumer refuses a consumer's own timeout where the queue has none to change.
func (q *queue) checkConsumer(arguments wire.Table) error {
	_, own := arguments["x-consumer-timeout"]
	if !own || q.settings.quorum || !q.node.config.atLeast(4, 3) {
		return nil
	}
	return &transport.ConflictError{Object: "queue " + q.name,
		Reason: "invalid arg 'x-consumer-timeout': classic queues have no consumer timeout"}
}

// watch looks after the unsettled deliveries, the oldest of which is there since a time: once a tick, and from RabbitMQ
// 4.3 on when its time is over.
func (ch *channel) watch(since time.Time) {
	limit := ch.limit()
	if ch.timeout != nil || limit == 0 {
		return
	}
	wait := tick
	if ch.queue.node.config.atLeast(4, 3) {
		wait = time.Until(since.Add(limit))
	}
	ch.timeout = time.AfterFunc(wait, ch.look)
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
		ch.watch(oldest.since)
		return
	}
	c := ch.consumer
	c.detach()
	ch.giveBack()
	if !c.stopped {
		c.attachLater()
	}
}
