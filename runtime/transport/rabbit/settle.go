package rabbit

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// delivery is a message on the channel it came from. It implements transport.Settler.
type delivery struct {
	transport.Delivery
	tag     uint64
	settler *settler
	settled atomic.Bool

	state deliveryState // guarded by the mutex of the settler
}

// deliveryState is what the broker has to be told of a delivery.
type deliveryState uint8

const (
	unsettled deliveryState = iota
	acked                   // the broker is not told yet
	told
)

// Ack implements transport.Settler.
func (d *delivery) Ack() error { return d.answer(d.settler.ack) }

// Nack implements transport.Settler.
func (d *delivery) Nack(requeue bool) error {
	if requeue {
		return d.answer(d.settler.requeue)
	}
	return d.answer(d.settler.reject)
}

// answer settles the delivery, once, if its channel still stands.
func (d *delivery) answer(settle func(*delivery) error) error {
	if !d.settled.CompareAndSwap(false, true) {
		return transport.ErrSettled
	}
	if d.settler.channel.IsClosed() {
		return transport.ErrLost
	}
	if err := settle(d); err != nil {
		return transport.ErrLost
	}
	return nil
}

// Live implements transport.Settler.
func (d *delivery) Live() bool { return !d.settled.Load() && !d.settler.channel.IsClosed() }

// acknowledger is the channel of a settler.
type acknowledger interface {
	Ack(tag uint64, multiple bool) error
	Nack(tag uint64, multiple, requeue bool) error
	IsClosed() bool
}

var _ acknowledger = (*amqp.Channel)(nil)

const (
	// ackEach is the prefetch up to which each delivery is acked by itself: there is nothing to gain.
	ackEach = 20

	// ackDelay is how long an ack waits for others.
	ackDelay = 2 * time.Millisecond
)

// settler settles the deliveries of one channel. Acks are told in batches: one for all deliveries up to the first that
// is unsettled, never over it, and one each for those behind it.
type settler struct {
	channel acknowledger
	empty   func() // called when all is settled after retire; it must not wait

	mu      sync.Mutex
	batch   int         // how many acks are told together
	open    []*delivery // what the broker waits for, in the order of the tags; unused with a batch of 1
	ready   int         // how many deliveries were settled since the last flush
	held    int         // how many deliveries are unsettled
	retired bool        // no more deliveries come
	timer   *time.Timer
}

func newSettler(channel acknowledger, prefetch int, empty func()) *settler {
	s := &settler{channel: channel, empty: empty, batch: 1}
	if prefetch > ackEach {
		s.batch = max(1, prefetch/16)
	}
	return s
}

// add counts a delivery in. Deliveries come in the order of their tags.
func (s *settler) add(d *delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held++
	if s.batch > 1 {
		s.open = append(s.open, d)
	}
}

func (s *settler) ack(d *delivery) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.batch == 1 {
		return errors.Join(s.channel.Ack(d.tag, false), s.note(d, told))
	}
	return s.note(d, acked)
}

func (s *settler) requeue(d *delivery) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.channel.Nack(d.tag, false, true), s.note(d, told))
}

func (s *settler) reject(d *delivery) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.channel.Nack(d.tag, false, false), s.note(d, told))
}

// note counts a delivery out, and tells the acks when there are enough of them. The caller holds the mutex.
func (s *settler) note(d *delivery, state deliveryState) (err error) {
	d.state = state
	s.ready++
	switch {
	case s.ready >= s.batch || s.retired:
		err = s.flush()
	case s.ready == 1:
		s.schedule()
	}
	s.held--
	if s.retired && s.held == 0 {
		s.empty()
	}
	return err
}

// schedule has the acks told after a moment. The caller holds the mutex.
func (s *settler) schedule() {
	if s.timer == nil {
		s.timer = time.AfterFunc(ackDelay, s.tell)
		return
	}
	s.timer.Reset(ackDelay)
}

// tell tells the broker what it waits for.
func (s *settler) tell() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flush()
}

// flush tells all acks and forgets what is settled. The caller holds the mutex.
func (s *settler) flush() error {
	s.ready = 0
	prefix, last := 0, (*delivery)(nil)
	for prefix < len(s.open) && s.open[prefix].state != unsettled {
		// The tag of a multiple ack must be one that the broker still waits for.
		if s.open[prefix].state == acked {
			last = s.open[prefix]
		}
		prefix++
	}
	if last != nil {
		if err := s.channel.Ack(last.tag, true); err != nil {
			return err
		}
	}
	kept := s.open[:0]
	for _, d := range s.open[prefix:] {
		switch d.state {
		case unsettled:
			kept = append(kept, d)
		case acked:
			if err := s.channel.Ack(d.tag, false); err != nil {
				return err
			}
		}
	}
	clear(s.open[len(kept):])
	s.open = kept
	return nil
}

// retire says that no more deliveries come: what is acked is told at once from here on, and empty is called when
// nothing is unsettled any more.
func (s *settler) retire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flush()
	s.retired = true
	if s.held == 0 {
		s.empty()
	}
}
