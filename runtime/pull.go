package acemq

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
)

const (
	// idle is how long to wait for a message that a queue said it had: another consumer may have taken it.
	idle = time.Second

	// pullHold is how long a pulled message is kept for its answer. RabbitMQ itself waits half an hour.
	pullHold = 15 * time.Minute
)

// Pulled is one message that [Pull] took from a queue. Until it is accepted it is the queue's: it goes back when it is
// released, when a quarter of an hour has passed, and when the connection is closed or lost, or the process ends. It may
// be used concurrently; the first answer counts.
type Pulled[T any] struct {
	Message[T]
	pull *pull
}

// pull is a delivery outside a consumer, with the subscription it came on.
type pull struct {
	delivery  *transport.Delivery
	sub       transport.Consumer
	forgotten *time.Timer
	answered  atomic.Bool
}

// Pull takes one message from a queue, the oldest that is ready, and decodes it as a T with the codec of the connection
// or of [DecodeWith]; other options change nothing. It returns nil without an error when the queue is empty. The message
// has its [Message.WireHeaders], so that what was set aside in {queue}.dlq can go on where it stopped.
//
// A message that cannot be decoded goes back, and the error says so; Pull[[]byte] with [Bytes] takes any. A missing
// queue is a [*NotFoundError].
func Pull[T any](ctx context.Context, conn *Conn, queue string, opts ...ConsumeOption) (*Pulled[T], error) {
	own, err := conn.consuming(Queue{Name: queue}, opts)
	var p *pull
	if err == nil {
		p, err = conn.pull(ctx, queue)
	}
	if err != nil {
		return nil, fmt.Errorf("acemq: pull from %q: %w", queue, err)
	}
	if p == nil {
		return nil, nil
	}
	in := received(p.delivery, own.codec)
	m, err := read[T](&in)
	if err != nil {
		p.release(ctx)
		return nil, fmt.Errorf("acemq: pull from %q: message %s could not be decoded: %w", queue, in.envelope.ID, err)
	}
	return &Pulled[T]{Message: *m, pull: p}, nil
}

// Accept takes the message off its queue. An error means that it is still there and comes again: its time was up, or
// the connection was lost.
func (p *Pulled[T]) Accept(ctx context.Context) error {
	if err := p.pull.accept(ctx); err != nil {
		return fmt.Errorf("acemq: accept message %s of %q: %w", p.Envelope.ID, p.Queue, err)
	}
	return nil
}

// Release gives the message back to its place in the queue. An error means that it was answered before.
func (p *Pulled[T]) Release(ctx context.Context) error {
	if err := p.pull.release(ctx); err != nil {
		return fmt.Errorf("acemq: release message %s of %q: %w", p.Envelope.ID, p.Queue, err)
	}
	return nil
}

// pull takes one message, nil where there is none.
func (c *Conn) pull(ctx context.Context, queue string) (*pull, error) {
	state, err := c.broker.Inspect(ctx, queue)
	if err != nil || state.Ready == 0 {
		return nil, err
	}
	sub, err := c.broker.Consume(ctx, transport.Subscription{Queue: queue, Prefetch: 1})
	if err != nil {
		return nil, err
	}
	d, err := next(ctx, sub)
	if err == nil && d != nil {
		err = sub.Stop(ctx) // or an answer would bring another message
	}
	if err != nil || d == nil {
		leave(ctx, sub)
		return nil, err
	}
	p := &pull{delivery: d, sub: sub}
	p.forgotten = time.AfterFunc(pullHold, func() {
		if p.giveBack(context.Background()) == nil {
			c.settings.logger.Warn("acemq: a pulled message was not answered in time and went back", "queue", queue,
				"id", d.MessageID)
		}
	})
	return p, nil
}

func (p *pull) accept(ctx context.Context) error {
	if p.answered.Swap(true) {
		return transport.ErrSettled
	}
	defer leave(ctx, p.sub)
	p.forgotten.Stop()
	return p.delivery.Ack()
}

func (p *pull) release(ctx context.Context) error {
	p.forgotten.Stop()
	return p.giveBack(ctx)
}

// giveBack gives up the channel: a nack would send the message to the end of a quorum queue.
func (p *pull) giveBack(ctx context.Context) error {
	if p.answered.Swap(true) {
		return transport.ErrSettled
	}
	leave(ctx, p.sub)
	p.delivery.Nack(true) // where the channel could not be closed in time
	return nil
}

// next returns the next delivery that can be settled, nil where none comes.
func next(ctx context.Context, sub transport.Consumer) (*transport.Delivery, error) {
	timeout := time.NewTimer(idle)
	defer timeout.Stop()
	for ctx.Err() == nil {
		select {
		case d, open := <-sub.Deliveries():
			switch {
			case !open:
				return nil, transport.ErrClosed
			case d.Live():
				return d, nil
			}
		case <-timeout.C:
			return nil, nil
		case <-ctx.Done():
		}
	}
	return nil, context.Cause(ctx)
}

// leave closes a subscription, which gives back what is unsettled, even where ctx has ended.
func leave(ctx context.Context, sub transport.Consumer) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
	defer cancel()
	sub.Close(ctx)
}
