package rabbit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// epoch is the life of one connection, from its handshake to its loss.
type epoch struct {
	number  uint64
	conn    *amqp.Connection
	network *wireConn
	to      endpoint
	options Options
	closes  chan *amqp.Error
	blocks  chan amqp.Blocking
	blocked atomic.Pointer[blockedError] // nil while the broker takes messages

	mu      sync.Mutex
	aborted error // why this side gave the connection up
}

// blockedError says that the broker takes no messages.
type blockedError struct{ reason string }

func (e *blockedError) Error() string { return "the broker blocks publishing: " + e.reason }

func newEpoch(number uint64, conn *amqp.Connection, network *wireConn, to endpoint, options Options) *epoch {
	return &epoch{
		number:  number,
		conn:    conn,
		network: network,
		to:      to,
		options: options,
		closes:  conn.NotifyClose(make(chan *amqp.Error, 1)),
		blocks:  conn.NotifyBlocked(make(chan amqp.Blocking, 1)),
	}
}

// hold watches the connection until it is lost, and returns why, or until ended is closed.
func (e *epoch) hold(ended <-chan struct{}) error {
	log := e.options.Logger.With("broker", e.to.name, "epoch", e.number)
	for {
		select {
		case <-ended:
			return nil
		case reason := <-e.closes:
			return e.whyLost(reason)
		case block, open := <-e.blocks:
			switch {
			case !open:
				e.blocks = nil
			case block.Active:
				e.blocked.Store(&blockedError{block.Reason})
				e.network.patient.Store(true)
				log.Warn("the broker blocks publishing", "reason", block.Reason)
			default:
				e.blocked.Store(nil)
				e.network.patient.Store(false)
				log.Info("the broker takes messages again")
			}
		}
	}
}

// whyLost puts into words why the connection, or a channel of it, is gone.
func (e *epoch) whyLost(reason *amqp.Error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.aborted != nil:
		return e.aborted
	case reason != nil && reason.Server:
		return fmt.Errorf("the broker answered %d: %s", reason.Code, reason.Reason)
	case reason != nil:
		return fmt.Errorf("the connection was lost: %s", reason.Reason)
	}
	return errors.New("the connection was closed")
}

// abort gives the connection up at once; its supervisor makes another.
func (e *epoch) abort(cause error) {
	e.mu.Lock()
	if e.aborted == nil {
		e.aborted = cause
	}
	e.mu.Unlock()
	e.network.abort(cause)
}

// close closes the connection in good order, by force when ctx ends.
func (e *epoch) close(ctx context.Context) {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		e.conn.Close()
	}()
	select {
	case <-closed:
	case <-ctx.Done():
		e.abort(context.Cause(ctx))
		<-closed
	}
}

// request runs f, which waits for one answer of the broker, and gives the connection up when none comes in time: the
// library has no other way to end the wait.
func (e *epoch) request(f func() error) error {
	guard := time.AfterFunc(e.options.RequestTimeout, func() {
		e.abort(fmt.Errorf("the broker did not answer a request within %v", e.options.RequestTimeout))
	})
	defer guard.Stop()
	return f()
}

// await runs f, which may wait for the broker, in a goroutine of its own and returns its result, or when ctx ends. A
// result that comes later is given to discard.
func await[T any](ctx context.Context, f func() (T, error), discard func(T)) (T, error) {
	type result struct {
		value T
		err   error
	}
	results := make(chan result, 1)
	go func() {
		value, err := f()
		results <- result{value, err}
	}()
	select {
	case r := <-results:
		return r.value, r.err
	case <-ctx.Done():
		go func() {
			if r := <-results; r.err == nil {
				discard(r.value)
			}
		}()
		var zero T
		return zero, context.Cause(ctx)
	}
}
