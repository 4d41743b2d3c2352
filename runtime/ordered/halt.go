package ordered

import (
	"errors"
	"fmt"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// ErrNotHalted is returned by Resume for a partition that is not halted.
var ErrNotHalted = errors.New("the partition is not halted")

// HaltedPartition is a partition that waits to be resumed.
type HaltedPartition struct {
	Partition int
	Queue     string
	MessageID string    // of the message that failed
	Attempts  int       // how often it was tried
	Reason    error     // what its handler returned last
	Since     time.Time // when it halted
}

// halt is a HaltedPartition with its end.
type halt struct {
	HaltedPartition
	over chan struct{} // closed by Resume
}

// HaltedPartitions returns the partitions that are halted, in order. A partition stays halted over lost connections,
// restarts of the broker and its consumer timeout, until it is resumed or the consumer ends.
func (c *Consumer) HaltedPartitions() []int {
	var numbers []int
	for _, h := range c.Halts() {
		numbers = append(numbers, h.Partition)
	}
	return numbers
}

// Halts returns the partitions that are halted, in order, and why.
func (c *Consumer) Halts() []HaltedPartition {
	var halts []HaltedPartition
	for _, p := range c.partitions {
		if h := p.halted(); h != nil {
			halts = append(halts, h.HaltedPartition)
		}
	}
	return halts
}

// Resume has a halted partition try its message again, from the first attempt. It returns at once. The error is
// [ErrNotHalted], or says that the consumer does not consume the partition.
func (c *Consumer) Resume(number int) error {
	for _, p := range c.partitions {
		if p.number != number {
			continue
		}
		if !p.resume() {
			return fmt.Errorf("acemq: resume partition %d of %q: %w", number, c.declaration.Name, ErrNotHalted)
		}
		p.log.Info("acemq: a halted partition was resumed")
		return nil
	}
	return fmt.Errorf("acemq: resume partition %d of %q: it is not consumed here", number, c.declaration.Name)
}

func (p *partition) halted() *halt {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.halt
}

// resume ends the halt, if there is one.
func (p *partition) resume() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.halt == nil {
		return false
	}
	close(p.halt.over)
	p.halt = nil
	return true
}

// stop halts the partition over the message that is held, until it is resumed or the consumer stops.
func (p *partition) stop(attempts int, err error) {
	h := &halt{
		HaltedPartition: HaltedPartition{
			Partition: p.number,
			Queue:     p.queue,
			MessageID: identity(p.held),
			Attempts:  attempts,
			Reason:    err,
			Since:     time.Now(),
		},
		over: make(chan struct{}),
	}
	p.mu.Lock()
	p.halt = h
	p.mu.Unlock()
	p.consumer.tally.halts.Add(1)
	p.log.Error("acemq: a partition is halted: nothing behind its message is delivered until it is resumed",
		"id", h.MessageID, "attempts", attempts, "error", err)
	if deliveries(p.held) >= wornOut {
		p.wearOut(attempts, err)
	}
	p.hold(h)
}

// hold keeps what is held while the partition is halted. Whatever comes in its place is kept as well, and not handled:
// it is the same message, or one behind it. A message that the broker has handed out often is left in its queue, and
// the partition is not consumed.
func (p *partition) hold(h *halt) {
	if p.resumed != nil {
		p.held, p.resumed = p.resumed, nil
	}
	for {
		var coming <-chan *transport.Delivery
		if p.held != nil && deliveries(p.held) >= worn {
			p.unsubscribe()
			p.held = nil
		}
		if p.sub != nil {
			coming = p.sub.Deliveries()
		}
		select {
		case <-h.over:
			p.resumed = p.held
			return
		case <-p.consumer.stopping:
			return
		case d, open := <-coming:
			if !open {
				return
			}
			p.keep(h, d)
		}
	}
}

// keep holds a delivery that came while the partition is halted.
func (p *partition) keep(h *halt, d *transport.Delivery) {
	if !d.Live() {
		return
	}
	if p.held != nil {
		p.consumer.tally.lost.Add(1)
	}
	if id := identity(d); id != h.MessageID {
		p.log.Warn("acemq: another message waits at the head of a halted partition, and is held", "id", id,
			"halted by", h.MessageID)
	}
	p.held = d
}
