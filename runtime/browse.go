package acemq

import (
	"context"
	"fmt"
	"math"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// Browse shows see what waits in a queue, oldest first, and leaves it there. It is for the queues beside a queue of
// work, {queue}.dlq and {queue}.parked: the broker marks what was shown as redelivered, and a quorum queue counts it.
// It shows what was ready when it was called, at most 65,535 messages, and may show one twice when the connection is
// lost. A missing queue is a [*NotFoundError].
func (c *Conn) Browse(ctx context.Context, queue string, see func(*Message[[]byte])) error {
	state, err := c.broker.Inspect(ctx, queue)
	if err == nil && state.Ready > 0 {
		err = c.browse(ctx, queue, min(state.Ready, math.MaxUint16), see)
	}
	if err != nil {
		return fmt.Errorf("acemq: browse %q: %w", queue, err)
	}
	return nil
}

// browse takes n messages and gives them back where they were, by giving up their channel.
func (c *Conn) browse(ctx context.Context, queue string, n int, see func(*Message[[]byte])) error {
	sub, err := c.broker.Consume(ctx, transport.Subscription{Queue: queue, Prefetch: n, InOrder: true})
	if err != nil {
		return err
	}
	defer leave(ctx, sub)
	for range n {
		d, err := next(ctx, sub)
		if err != nil || d == nil {
			return err
		}
		in := received(d, Bytes)
		m := view[[]byte](&in)
		m.Payload = d.Body
		see(m)
	}
	return nil
}
