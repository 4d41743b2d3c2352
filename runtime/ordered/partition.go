package ordered

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
)

// partition is the worker of one partition. It handles one message after another, in place, and gives none back by
// itself: a message that is not done with keeps its place in the queue until its channel ends.
type partition struct {
	consumer *Consumer
	number   int
	queue    string
	log      *slog.Logger
	busy     atomic.Bool // its handler runs

	// What follows is of the worker alone.
	sub     transport.Consumer  // nil while the partition is not consumed
	held    *transport.Delivery // the message that is worked on, as it came last
	resumed *transport.Delivery // the message to work on next; nil for the next one that comes
	settled string              // the identity of the last message that was done with
	watched *acemq.Event        // what observers hear of the message that is worked on; nil where they hear nothing

	mu   sync.Mutex
	halt *halt // nil while the partition is not halted
}

const (
	// patience bounds what a worker asks of the broker beside a message.
	patience = 30 * time.Second

	// closeGrace is what the broker has to close a channel in good order.
	closeGrace = time.Second

	// First and longest pause between attempts at something that the broker does not let happen.
	firstPause   = time.Second
	longestPause = 30 * time.Second
)

// run works until the consumer is stopped.
func (p *partition) run() {
	defer p.unsubscribe()
	for {
		d := p.next()
		if d == nil {
			return
		}
		p.take(d)
	}
}

// next returns the next delivery to work on, nil when the consumer is stopped.
func (p *partition) next() *transport.Delivery {
	d := p.resumed
	p.resumed = nil
	for d == nil || !d.Live() {
		if p.sub == nil && !p.subscribeAgain() {
			return nil
		}
		var open bool
		select {
		case d, open = <-p.sub.Deliveries():
			if !open {
				return nil
			}
		case <-p.consumer.stopping:
			return nil
		}
	}
	if p.consumer.isStopping() {
		return nil
	}
	return d
}

// take works on a delivery. One that was done with, and whose ack was lost, is only acked.
func (p *partition) take(d *transport.Delivery) {
	p.held = d
	p.observeArrival()
	defer p.observeEnd(acemq.OutcomeLost, "", nil) // where nothing else is said before
	switch {
	case d.Redelivered && identity(d) == p.settled:
		p.settle()
		p.observeEnd(acemq.OutcomeAcked, "", nil)
		return
	case deliveries(d) > wornOut:
		p.giveUp()
		return
	}
	for attempt := 1; ; {
		switch verdict, err := p.attempt(attempt); verdict {
		case accepted:
			p.consumer.tally.handled.Add(1)
			p.settle()
			p.observeEnd(acemq.OutcomeAcked, "", nil)
			return
		case again:
			if !p.wait(p.consumer.declaration.Delay) {
				return
			}
			attempt++
		case later:
			if !p.wait(inProgressDelay) {
				return
			}
		case skipped:
			p.skip(attempt, err)
			return
		case unreadable:
			p.park(err)
			return
		case halted:
			p.stop(attempt, err)
			return
		case left:
			return
		}
	}
}

// giveUp ends the tries of a message that was lost with its consumer until the broker is about to take it off.
func (p *partition) giveUp() {
	if p.consumer.declaration.OnFailure == Skip {
		p.skip(wornOut, errWornOut)
		return
	}
	p.stop(wornOut, errWornOut)
}

// settle acks the message, which is done with. Where the ack is lost the message comes again, and is acked then.
func (p *partition) settle() {
	p.settled = identity(p.held)
	if err := p.held.Ack(); err != nil {
		p.consumer.tally.lost.Add(1)
	}
}

// wait holds the message for a time. It reports whether the message is here then: not when the consumer was stopped,
// and not when another message came in its place.
func (p *partition) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	over := false
	for !over || !p.held.Live() {
		select {
		case <-timer.C:
			over = true
		case <-p.consumer.stopping:
			return false
		case d, open := <-p.sub.Deliveries():
			if !open {
				return false
			}
			if !p.comesAgain(d) {
				return false
			}
		}
	}
	return !p.consumer.isStopping()
}

// comesAgain takes a delivery that came while another one was held, whose channel is lost then. It reports false when
// it is another message, which is to be worked on next.
func (p *partition) comesAgain(d *transport.Delivery) bool {
	if !d.Live() {
		return true
	}
	if identity(d) != identity(p.held) {
		p.log.Warn("acemq: a message was lost from the consumer and did not come again", "id", identity(p.held))
		p.resumed = d
		return false
	}
	p.consumer.tally.lost.Add(1)
	p.held = d
	return true
}

// subscribe begins to consume the partition.
func (p *partition) subscribe(ctx context.Context) (err error) {
	s := subscription(p.queue)
	p.sub, err = p.consumer.conn.Subscribe(ctx, s)
	if refused := new(acemq.ConflictError); errors.As(err, &refused) { // a classic queue of RabbitMQ 4.3 takes no timeout
		s.Arguments = nil
		p.sub, err = p.consumer.conn.Subscribe(ctx, s)
	}
	return err
}

// subscribeAgain subscribes until it succeeds. It reports false when the consumer is stopped.
func (p *partition) subscribeAgain() bool {
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		ctx, cancel := context.WithTimeout(p.consumer.handling, patience)
		err := p.subscribe(ctx)
		cancel()
		if err == nil {
			return true
		}
		p.log.Warn("acemq: cannot subscribe to a partition", "pause", pause, "error", err)
		select {
		case <-time.After(pause):
		case <-p.consumer.stopping:
			return false
		}
	}
}

// unsubscribe ends the consuming of the partition. What is held goes back to its place in the queue.
func (p *partition) unsubscribe() {
	if p.sub == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	if err := p.sub.Close(ctx); err != nil {
		p.log.Warn("acemq: the channel of a partition could not be closed in good order", "error", err)
	}
	p.sub = nil
}
