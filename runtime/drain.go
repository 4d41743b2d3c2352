package acemq

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	// drainGrace is what handlers have after their context was cancelled.
	drainGrace = 500 * time.Millisecond

	// closeGrace is what the transport has to close in good order once the time is up.
	closeGrace = time.Second
)

// ErrDrainTimeout is what every [DrainTimeoutError] is.
var ErrDrainTimeout = errors.New("acemq: handlers did not return in time")

// DrainTimeoutError says that closing did not wait for every handler. The messages they hold are unsettled, and will be
// delivered again.
type DrainTimeoutError struct {
	Queues   []string // whose handlers had to be cancelled
	Stranded int      // messages that were not settled even then
}

func (e *DrainTimeoutError) Error() string {
	return fmt.Sprintf("acemq: handlers of %s did not return in time and were cancelled: %d messages stay unsettled and "+
		"will be delivered again", strings.Join(e.Queues, ", "), e.Stranded)
}

// Is reports that e is [ErrDrainTimeout].
func (e *DrainTimeoutError) Is(target error) bool { return target == ErrDrainTimeout }

// Stop begins to close the consumer and returns at once. No further handler starts, what was fetched goes back to the
// queue, and messages that wait for their next attempt are sent at once. [Consumer.Done] tells when all is settled.
// It is the way to stop from inside a handler, and may be repeated.
func (c *Consumer) Stop() {
	c.stop.Do(func() {
		close(c.draining)
		go func() {
			defer c.holding.Done() // the consumer's own, from its start
			defer close(c.stopped)
			ctx, cancel := context.WithTimeout(context.Background(), DefaultDrainTimeout)
			defer cancel()
			if err := c.sub.Stop(ctx); err != nil {
				c.log.Warn("acemq: the subscription could not be ended in good order", "error", err)
				c.free()
			}
		}()
	})
}

// Close stops the consumer, waits for its handlers, and gives up its channel. When the drain timeout or ctx ends first,
// it cancels the context of the handlers, waits half a second more, and returns a [*DrainTimeoutError]. What is
// unsettled then is delivered again.
//
// With the context of one of the consumer's own handlers it only begins, as [Consumer.Stop] does, and returns nil: a
// handler cannot wait for itself. Further calls wait as well.
func (c *Consumer) Close(ctx context.Context) error {
	c.Stop()
	if handlerOf(ctx).member == member(c) {
		return nil
	}
	ctx, cancel := c.conn.settings.drainContext(ctx)
	defer cancel()
	if late := c.drain(ctx); late != nil {
		return late
	}
	return nil
}

// drain waits until everything is settled or ctx ends, and then cuts the rest off.
func (c *Consumer) drain(ctx context.Context) *DrainTimeoutError {
	select {
	case <-c.done:
		return nil
	case <-ctx.Done():
	case <-c.handling.Done(): // somebody else's time was up
	}
	if c.isDone() {
		return nil
	}
	c.cancel()
	grace := time.NewTimer(drainGrace)
	defer grace.Stop()
	select {
	case <-c.done:
	case <-grace.C:
	}
	late := &DrainTimeoutError{Queues: []string{c.queue.Name}, Stranded: int(c.held.Load())}
	c.free()
	return late
}

// end waits until a consumer that stopped holds nothing any more.
func (c *Consumer) end() {
	c.holding.Wait()
	c.free()
	c.conn.remove(c)
	close(c.done)
	c.cancel()
}

// free gives up the subscription and everything unsettled on it, once.
func (c *Consumer) free() {
	if c.freed.Swap(true) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	if err := c.sub.Close(ctx); err != nil {
		c.log.Warn("acemq: the channel could not be closed in good order", "error", err)
	}
}

// DrainContext bounds ctx by the drain timeout of the connection. It is for the pattern packages.
func (c *Conn) DrainContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return c.settings.drainContext(ctx)
}

// drainContext bounds ctx by the drain timeout.
func (s settings) drainContext(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.drainTimeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, s.drainTimeout)
}

// Close closes all consumers at once, as [Consumer.Close] does and under one drain timeout for all of them, and then
// the connection. With the context of a handler on this connection it only begins, and goes on in the background.
// Further calls wait for the first one, and return what it returned, or else that their context has ended.
func (c *Conn) Close(ctx context.Context) error {
	inside, first := handlerOf(ctx).conn == c, false
	c.closing.Do(func() {
		first = true
		members := c.shut()
		for _, m := range members {
			m.Stop()
		}
		if inside {
			ctx = context.WithoutCancel(ctx)
		}
		go c.close(ctx, members)
	})
	switch {
	case inside:
		return nil
	case first || isClosed(c.closed):
		<-c.closed // bounded by ctx and by the drain timeout
		return c.closeErr
	}
	select {
	case <-c.closed:
		return c.closeErr
	case <-ctx.Done():
		return fmt.Errorf("acemq: close: %w", context.Cause(ctx))
	}
}

// close drains members that were stopped, and closes the connection.
func (c *Conn) close(ctx context.Context, members []member) {
	defer close(c.closed)
	ctx, cancel := c.settings.drainContext(ctx)
	defer cancel()
	late := drainAll(ctx, members)
	ctx, cancelClose := atLeast(ctx, closeGrace)
	defer cancelClose()
	c.closeErr = c.broker.Close(ctx)
	if late != nil {
		c.closeErr = errors.Join(late, c.closeErr)
	}
}

// drainAll drains members side by side, and returns what was late, nil for nothing.
func drainAll(ctx context.Context, members []member) *DrainTimeoutError {
	results := make([]*DrainTimeoutError, len(members))
	var wait sync.WaitGroup
	for i, m := range members {
		wait.Go(func() { results[i] = m.drain(ctx) })
	}
	wait.Wait()
	var all *DrainTimeoutError
	for _, late := range results {
		switch {
		case late == nil:
		case all == nil:
			all = late
		default:
			all.Queues = append(all.Queues, late.Queues...)
			all.Stranded += late.Stranded
		}
	}
	return all
}

// atLeast returns ctx where it has at least d left, and otherwise a context of its own that has.
func atLeast(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	deadline, bounded := ctx.Deadline()
	if ctx.Err() == nil && (!bounded || time.Until(deadline) >= d) {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(context.WithoutCancel(ctx), d)
}
