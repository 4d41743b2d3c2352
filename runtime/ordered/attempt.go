package ordered

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
)

// processor decodes a delivery and hands it to the handler. The attempt counts from 1.
type processor func(ctx context.Context, d *transport.Delivery, attempt int) error

// handle returns the processor of a handler.
func handle[T any](c *Consumer, own options, handler Handler[T]) processor {
	guard := guard{own.store, c.declaration.Idempotent, &c.tally}
	return func(ctx context.Context, d *transport.Delivery, attempt int) error {
		m, err := acemq.Receive[T](d, own.codec)
		if err != nil {
			return unreadableError{err}
		}
		m.Envelope.Attempt = attempt
		return guard.once(ctx, d.Queue, m.Envelope.ID, func() error { return surround(ctx, c.conn, m, d.Body, handler) })
	}
}

// surround runs the handler between the interceptors of its connection.
func surround[T any](ctx context.Context, conn *acemq.Conn, m *acemq.Message[T], body []byte, handler Handler[T]) error {
	refusal, err := acemq.Surround(ctx, conn, m, body, func(ctx context.Context) error { return handler(ctx, m) })
	if refusal != nil {
		return refusedError{refusal}
	}
	return err
}

// refusedError says that an interceptor refused the message.
type refusedError struct{ error }

// unreadableError says that no handler can take the message.
type unreadableError struct{ error }

var (
	errGoexit    = errors.New("the handler ended its goroutine and gave no answer")
	errAbandoned = errors.New("the handler did not return in time")
)

// verdict is what becomes of a message after an attempt.
type verdict int

const (
	accepted   verdict = iota // it is done with
	again                     // it is tried again
	later                     // somebody else may be at it, or nobody can tell: it is tried again, and the attempt does not count
	skipped                   // it goes to {queue}.dlq
	unreadable                // it goes to {queue}.parked
	halted                    // it is held, and the partition with it
	left                      // the consumer is stopped: it goes back to its place
)

// attempt tries the message that is held, and says what becomes of it and why.
func (p *partition) attempt(number int) (verdict, error) {
	err := p.try(number)
	v := p.judge(number, err)
	switch v {
	case again, skipped, halted:
		p.consumer.tally.failed.Add(1)
		p.log.Debug("acemq: an attempt failed", "attempt", number, "id", identity(p.held), "error", err)
	case later:
		p.log.Debug("acemq: an attempt has to wait", "id", identity(p.held), "error", err)
	}
	return v, err
}

// judge says what becomes of a message whose attempt ended with err (contract: ordered by key, failure modes).
func (p *partition) judge(number int, err error) verdict {
	d := &p.consumer.declaration
	last := acemq.IsFatal(err) || number >= d.Attempts
	switch {
	case err == nil:
		return accepted
	case errors.As(err, new(unreadableError)):
		return unreadable
	case p.consumer.isStopping():
		return left
	case errors.As(err, new(unclaimedError)):
		return later
	case errors.As(err, new(refusedError)):
		return skipped
	case d.OnFailure == RetryInPlace && !acemq.IsFatal(err) && deliveries(p.held) < worn:
		return again
	case d.OnFailure != RetryInPlace && !last:
		return again
	case d.OnFailure == Skip:
		return skipped
	default:
		return halted
	}
}

// try runs the handler on the message that is held, in a goroutine of its own, so that nothing it does ends the worker.
func (p *partition) try(number int) error {
	p.busy.Store(true)
	defer p.busy.Store(false)
	defer p.observeAttempt(number, time.Now())
	result := make(chan error, 1)
	go p.call(p.held, number, result)
	select {
	case err := <-result:
		return err
	case <-p.consumer.abandoned:
		return errAbandoned
	}
}

// call sends what the handler returns, or that it did not return.
func (p *partition) call(d *transport.Delivery, number int, result chan<- error) {
	err := errGoexit
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("the handler panicked: %v", value)
			p.log.Error("acemq: a handler panicked", "id", identity(d), "panic", fmt.Sprint(value),
				"stack", string(debug.Stack()))
		}
		result <- err
	}()
	err = p.consumer.process(p.consumer.handling, d, number)
}
