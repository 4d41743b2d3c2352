package rabbit

import (
	"sync"
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// delivery answers for a message on the channel it came from. It implements transport.Settler.
type delivery struct {
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

	// ackShare is the part of the prefetch that is acked together: one in four. The broker has three of four to deliver on
	// meanwhile.
	ackShare = 4

	// ackDelay is how long an ack waits for others.
	ackDelay = 2 * time.Millisecond
)

// settler settles the deliveries of one channel. Acks are told in batches, one ack for all deliveries up to the first
// that is unsettled and never over it. Those behind it wait for it, but no longer than a moment: then they are told one
// by one.
type settler struct {
	channel acknowledger
	empty   func() // called when all is settled after retire; it must not wait

	mu      sync.Mutex
	batch   int         // how many acks are told together
	open    []*delivery // what the broker waits for, in the order of the tags; unused with a batch of 1
	added   uint64      // how many deliveries were counted in
	highest uint64      // the highest of their tags, which are counted from 1
	ready   int         // how many of the open ones are acked; the timer runs while there are any
	held    int         // how many deliveries are unsettled
	retired bool        // no more deliveries come
	timer   *time.Timer
}

func newSettler(channel acknowledger, prefetch int, empty func()) *settler {
	s := &settler{channel: channel, empty: empty, batch: 1}
	if prefetch > ackEach {
		s.batch = prefetch / ackShare
	}
	return s
}

// add counts a delivery in. Deliveries that are taken side by side come nearly in the order of their tags.
func (s *settler) add(d *delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held++
	if s.batch == 1 {
		return
	}
	s.added++
	s.highest = max(s.highest, d.tag)
	s.open = append(s.open, d)
	for i := len(s.open) - 1; i > 0 && s.open[i-1].tag > d.tag; i-- {
		s.open[i-1], s.open[i] = d, s.open[i-1]
	}
}

// complete reports whether every delivery before the last is counted in. Where one is not, somebody has taken it and is
// about to, and it must not be acked together with those behind it. The caller holds the mutex.
func (s *settler) complete() bool { return s.added == s.highest }

func (s *settler) ack(d *delivery) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.batch == 1 || s.retired {
		d.state = told
		return s.count(s.channel.Ack(d.tag, false))
	}
	d.state = acked
	s.ready++
	switch {
	case s.ready >= s.batch:
		return s.count(s.flushPrefix())
	case s.ready == 1:
		s.schedule()
	}
	return s.count(nil)
}

func (s *settler) requeue(d *delivery) error { return s.nack(d, true) }

func (s *settler) reject(d *delivery) error { return s.nack(d, false) }

func (s *settler) nack(d *delivery, requeue bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	d.state = told
	return s.count(s.channel.Nack(d.tag, false, requeue))
}

// count counts a settled delivery out, and passes err on. The caller holds the mutex.
func (s *settler) count(err error) error {
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

// flushPrefix tells the acks before the first delivery that is unsettled, in one. The caller holds the mutex.
func (s *settler) flushPrefix() error {
	if !s.complete() {
		return nil
	}
	settled, last := 0, (*delivery)(nil)
	for _, d := range s.open {
		if d.state == unsettled {
			break
		}
		// The tag of a multiple ack must be one that the broker still waits for.
		if d.state == acked {
			last = d
			s.ready--
		}
		settled++
	}
	clear(s.open[:settled])
	s.open = s.open[settled:]
	if last == nil {
		return nil
	}
	return s.channel.Ack(last.tag, true)
}

// flush tells all acks and forgets what is settled. The caller holds the mutex.
func (s *settler) flush() error {
	if err := s.flushPrefix(); err != nil || s.ready == 0 {
		return err
	}
	s.ready = 0
	kept := s.open[:0]
	for _, d := range s.open {
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
