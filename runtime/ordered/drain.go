package ordered

import (
	"context"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// drainGrace is what handlers have after their context was cancelled.
const drainGrace = 500 * time.Millisecond

// Stop begins to close the consumer and returns at once: no further attempt begins, and what is held goes back to its
// place in the queue. It is the way to stop from inside a handler, and may be repeated.
func (c *Consumer) Stop() { c.stop.Do(func() { close(c.stopping) }) }

// Done is closed when the consumer has stopped and holds nothing.
func (c *Consumer) Done() <-chan struct{} { return c.done }

// Close stops the consumer and waits for its handlers. A message that is held, halted or not, goes back to its place in
// the queue. When the drain timeout of the connection or ctx ends first, Close cancels the context of the handlers,
// waits half a second more, and returns an [*acemq.DrainTimeoutError]. With the context of one of the consumer's own
// handlers it only begins, as [Consumer.Stop] does.
func (c *Consumer) Close(ctx context.Context) error {
	c.Stop()
	if acemq.InHandlerOf(ctx, c) {
		return nil
	}
	ctx, cancel := c.conn.DrainContext(ctx)
	defer cancel()
	if late := c.Drain(ctx); late != nil {
		return late
	}
	return nil
}

// Drain waits until a consumer that was stopped has ended. When ctx ends first, it cancels the handlers and gives back
// their messages. It is for the connection; others call [Consumer.Close].
func (c *Consumer) Drain(ctx context.Context) *acemq.DrainTimeoutError {
	select {
	case <-c.done:
		return nil
	case <-ctx.Done():
	case <-c.handling.Done(): // somebody else's time was up
	}
	c.cancel()
	if c.endsWithin(drainGrace) {
		return nil
	}
	late := &acemq.DrainTimeoutError{}
	for _, p := range c.partitions {
		if p.busy.Load() {
			late.Queues = append(late.Queues, p.queue)
			late.Stranded++
		}
	}
	c.abandon.Do(func() { close(c.abandoned) })
	c.endsWithin(closeGrace + drainGrace)
	if late.Stranded == 0 {
		return nil
	}
	return late
}

// endsWithin reports whether the consumer ends within a time.
func (c *Consumer) endsWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c.done:
		return true
	case <-timer.C:
		return false
	}
}

// end waits until no worker runs.
func (c *Consumer) end() {
	c.workers.Wait()
	c.leave()
	c.cancel()
	close(c.done)
}
