package memory

import (
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// settler answers one delivery.
type settler struct {
	channel *channel
	entry   *entry
	since   time.Time
	settled bool
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
