package rabbit

import (
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// fakeChannel answers as a broker does: it knows which deliveries are outstanding, and a tag that is not closes it.
type fakeChannel struct {
	t           *testing.T
	next        uint64
	accepted    map[uint64]bool // what the handlers acked; nil where a test does not say
	outstanding map[uint64]bool
	acked       map[uint64]bool
	requeued    map[uint64]bool
	frames      int
	closed      bool
}

func newFakeChannel(t *testing.T) *fakeChannel {
	return &fakeChannel{t: t, outstanding: map[uint64]bool{}, acked: map[uint64]bool{}, requeued: map[uint64]bool{}}
}

func (c *fakeChannel) IsClosed() bool { return c.closed }

func (c *fakeChannel) Ack(tag uint64, multiple bool) error {
	return c.settle(tag, multiple, c.acked)
}

func (c *fakeChannel) Nack(tag uint64, multiple, requeue bool) error {
	if !requeue {
		return c.settle(tag, multiple, c.acked)
	}
	return c.settle(tag, multiple, c.requeued)
}

func (c *fakeChannel) settle(tag uint64, multiple bool, into map[uint64]bool) error {
	if c.closed {
		return amqp.ErrClosed
	}
	c.frames++
	if !c.outstanding[tag] {
		c.t.Errorf("tag %d is not outstanding: the broker closes the channel", tag)
	}
	for other := range c.outstanding {
		if other == tag || multiple && other < tag {
			delete(c.outstanding, other)
			into[other] = true
			if c.accepted != nil && c.acked[other] && !c.accepted[other] {
				c.t.Errorf("tag %d is acked at the broker and by nobody", other)
			}
		}
	}
	return nil
}

// left returns how many deliveries the broker waits for. The settler calls the channel under its mutex.
func (c *fakeChannel) left(s *settler) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(c.outstanding)
}

// deliver makes the next delivery.
func (c *fakeChannel) deliver(s *settler) *delivery {
	s.mu.Lock()
	c.next++
	c.outstanding[c.next] = true
	s.mu.Unlock()
	d := &delivery{tag: c.next, settler: s}
	s.add(d)
	return d
}

func TestSettlerTellsTheBrokerWhatTheHandlersSaid(t *testing.T) {
	for _, prefetch := range []int{1, 20, 21, 50, 200, 1000} {
		for seed := range uint64(10) {
			synctest.Test(t, func(t *testing.T) { settleAtRandom(t, prefetch, seed) })
		}
	}
}

// settleAtRandom settles deliveries in a random order, as concurrent handlers do.
func settleAtRandom(t *testing.T, prefetch int, seed uint64) {
	random := rand.New(rand.NewPCG(seed, uint64(prefetch)))
	channel := newFakeChannel(t)
	empty := 0
	s := newSettler(channel, prefetch, func() { empty++ })
	channel.accepted = map[uint64]bool{}
	requeued := map[uint64]bool{}
	var open []*delivery
	for channel.next < 2000 || len(open) > 0 {
		if channel.next < 2000 && channel.left(s) < prefetch {
			open = append(open, channel.deliver(s))
		}
		if len(open) == 0 {
			synctest.Wait()
			s.tell()
			continue
		}
		if channel.left(s) < prefetch && random.IntN(3) > 0 && channel.next < 2000 {
			continue
		}
		i := random.IntN(min(len(open), 8))
		d := open[i]
		open = append(open[:i], open[i+1:]...)
		if random.IntN(10) == 0 {
			requeued[d.tag] = true
			d.Nack(true)
		} else {
			channel.accepted[d.tag] = true
			d.Ack()
		}
	}
	s.retire()
	if channel.left(s) > 0 {
		t.Errorf("prefetch %d, seed %d: %d deliveries are unsettled at the broker", prefetch, seed, channel.left(s))
	}
	if len(channel.requeued) != len(requeued) || empty != 1 {
		t.Errorf("prefetch %d, seed %d: %d requeued, want %d; empty was called %d times",
			prefetch, seed, len(channel.requeued), len(requeued), empty)
	}
}

func TestSettlerTellsAcksInBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		channel := newFakeChannel(t)
		s := newSettler(channel, 100, func() {})
		for range 100 {
			channel.deliver(s).Ack()
		}
		if channel.frames != 4 {
			t.Errorf("100 acks in order took %d frames, want 4", channel.frames)
		}
		channel.deliver(s).Ack()
		if channel.left(s) != 1 {
			t.Fatal("a single ack was told at once")
		}
		time.Sleep(ackDelay)
		synctest.Wait()
		if channel.left(s) != 0 {
			t.Errorf("an ack was not told within %v", ackDelay)
		}
	})
}

func TestSettlerTellsNothingTogetherWhileADeliveryIsOnItsWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		channel := newFakeChannel(t)
		channel.accepted = map[uint64]bool{}
		s := newSettler(channel, 100, func() {})
		var taken []*delivery // by takers side by side: the first was not counted in yet
		for range 100 {
			channel.next++
			channel.outstanding[channel.next] = true
			taken = append(taken, &delivery{tag: channel.next, settler: s})
		}
		for _, d := range taken[1:] {
			s.add(d)
		}
		for _, d := range taken[1:] {
			channel.accepted[d.tag] = true
			d.Ack()
		}
		time.Sleep(ackDelay)
		synctest.Wait()
		if channel.left(s) != 1 || !channel.outstanding[1] {
			t.Errorf("%d deliveries are outstanding, want the one on its way", channel.left(s))
		}
		s.add(taken[0])
		channel.accepted[1] = true
		taken[0].Ack()
		time.Sleep(ackDelay)
		synctest.Wait()
		if channel.left(s) != 0 {
			t.Errorf("%d deliveries are outstanding at the end", channel.left(s))
		}
	})
}

func TestSettlerTellsAcksBehindOneThatTakesLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		channel := newFakeChannel(t)
		s := newSettler(channel, 100, func() {})
		long := channel.deliver(s)
		for range 1000 {
			channel.deliver(s).Ack()
		}
		time.Sleep(ackDelay)
		synctest.Wait()
		if channel.left(s) != 1 || !channel.outstanding[long.tag] {
			t.Errorf("%d deliveries are outstanding, want the one that takes long", channel.left(s))
		}
		if len(s.open) > 100 {
			t.Errorf("%d deliveries are remembered", len(s.open))
		}
	})
}

func TestDeliveryIsSettledOnce(t *testing.T) {
	channel := newFakeChannel(t)
	s := newSettler(channel, 1, func() {})
	d := channel.deliver(s)
	if err := d.Ack(); err != nil || d.Live() {
		t.Errorf("ack: %v, live %v", err, d.Live())
	}
	for _, again := range []error{d.Ack(), d.Nack(true), d.Nack(false)} {
		if !errors.Is(again, transport.ErrSettled) {
			t.Errorf("again: %v", again)
		}
	}
	if channel.frames != 1 {
		t.Errorf("the broker was told %d times", channel.frames)
	}

	lost := channel.deliver(s)
	channel.closed = true
	if lost.Live() {
		t.Error("a delivery outlives its channel")
	}
	if err := lost.Ack(); !errors.Is(err, transport.ErrLost) {
		t.Errorf("ack on a closed channel: %v", err)
	}
}
