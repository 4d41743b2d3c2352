package memory

import (
	"cmp"
	"slices"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// entry is a message in a queue.
type entry struct {
	message     transport.Message // its body and headers are shared between queues and never changed
	position    uint64            // its place in the order of the queue
	priority    uint8             // as far as the queue has priorities
	expires     time.Time         // zero: never
	history     history           // the deaths that brought it here
	redelivered bool
	failures    int64 // deliveries that count towards the limit of a quorum queue
}

// queue holds messages for its consumers.
type queue struct {
	node      *node
	name      string
	arguments wire.Table
	settings  settings

	ready    order
	bytes    int64 // of the bodies in ready
	position uint64
	gone     bool   // the queue was deleted
	routed   uint64 // the last routing that reached it

	consumers []*channel // in turn: the next to deliver to first
	active    *channel   // of a queue with a single active consumer

	expiry *time.Timer // of the head
	wakes  time.Time   // when expiry fires; zero when it does not
	idle   *time.Timer // of a queue that goes when it is unused
}

func newQueue(n *node, name string, arguments wire.Table, s settings) *queue {
	q := &queue{node: n, name: name, arguments: arguments, settings: s}
	q.used()
	return q
}

// takes reports whether the queue takes one more message, and not rejects it.
func (q *queue) takes(m *transport.Message) bool {
	return q.settings.overflow == dropHead || !q.over(1, int64(len(m.Body)))
}

// over reports whether so many more messages and bytes would be too much.
func (q *queue) over(messages, bytes int64) bool {
	s := &q.settings
	return s.maxLength >= 0 && int64(q.ready.Len())+messages > s.maxLength ||
		s.maxBytes >= 0 && q.bytes+bytes > s.maxBytes
}

// push adds a message at the end of the queue.
func (q *queue) push(m transport.Message, h history) {
	e := &entry{message: m, history: h, priority: min(m.Priority, q.settings.maxPriority)}
	e.expires = q.deadline(m.Expiration)
	q.position++
	e.position = q.position
	if q.ready.Len() == 0 {
		if c := q.free(); c != nil {
			c.deliver(e)
			return
		}
	}
	q.add(e)
	q.settle()
}

// giveBack puts messages that were delivered back in their places. One that failed too often is a dead letter.
func (q *queue) giveBack(entries []*entry, why returning) {
	if q.gone {
		return
	}
	slices.SortFunc(entries, func(a, b *entry) int { return cmp.Compare(a.position, b.position) })
	for _, e := range entries {
		e.redelivered = true
		if q.settings.quorum && why.counts(q.node.config) {
			e.failures++
			if q.settings.limit >= 0 && e.failures > q.settings.limit {
				q.deadLetter(e, diedOfLimit)
				continue
			}
		}
		if why == nacked && q.settings.quorum && q.settings.limit < 0 {
			q.position++
			e.position = q.position // a quorum queue without a limit takes it at its end
		}
		q.add(e)
	}
	q.settle()
}

// returning is why a delivery comes back to its queue.
type returning int

const (
	nacked returning = iota // its consumer gave it back
	lost                    // its channel is gone
)

// counts reports whether the delivery counts towards the limit of a quorum queue.
func (r returning) counts(c config) bool { return r == lost || !c.atLeast(4, 3) }

func (q *queue) add(e *entry) {
	q.ready.add(e)
	q.bytes += int64(len(e.message.Body))
}

func (q *queue) take() *entry {
	e := q.ready.take()
	q.bytes -= int64(len(e.message.Body))
	return e
}

// settle delivers what can be delivered, ends what is over its time, and drops what is too much.
func (q *queue) settle() {
	for q.ready.Len() > 0 {
		if q.expired() {
			q.deadLetter(q.take(), diedOfAge)
			continue
		}
		c := q.free()
		if c == nil {
			break
		}
		c.deliver(q.take())
	}
	for q.settings.overflow == dropHead && q.ready.Len() > 0 && q.over(0, 0) {
		q.deadLetter(q.take(), diedOfLength)
	}
	q.watchHead()
}

// deleteQueue removes a queue and its messages. Its consumers are cancelled.
func (n *node) deleteQueue(q *queue) {
	delete(n.queues, q.name)
	for _, x := range n.exchanges {
		x.unbind(q)
	}
	q.gone = true
	q.ready, q.bytes = nil, 0
	q.stopTimers()
	n.eachChannel(func(ch *channel) {
		if ch.queue == q {
			ch.consumer.cancelled()
		}
	})
}

// snapshot returns copies of the messages that wait, in their order.
func (q *queue) snapshot() []transport.Message {
	rest := slices.Clone(q.ready)
	messages := make([]transport.Message, 0, rest.Len())
	for rest.Len() > 0 {
		messages = append(messages, copied(rest.take().message))
	}
	return messages
}

// forgetTransient drops the messages that do not outlive the broker.
func (q *queue) forgetTransient() {
	waiting := q.ready
	q.ready, q.bytes = nil, 0
	for waiting.Len() > 0 {
		if e := waiting.take(); !e.message.Transient {
			q.add(e)
		}
	}
}
