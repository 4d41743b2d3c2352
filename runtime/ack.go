package acemq

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Handler takes one message and says what becomes of it. It runs concurrently with itself, up to the consumer's
// concurrency. Its context ends when the consumer is closed and the handler did not return within the drain timeout;
// it carries the values of the context that the consumer was started with.
//
// A handler that panics does not end the process: its message is dead-lettered.
type Handler[T any] func(ctx context.Context, m *Message[T]) Ack

// Ack is what becomes of a message. Make one with [Accept], [Retry], [RetryAfter], [DeadLetter], [Park] or [Release].
// The zero Ack is no answer: its message is dead-lettered with that reason.
type Ack struct {
	verb  verb
	delay time.Duration
	err   error
}

// verb is what a handler asks for, or what the engine found before it could ask.
type verb int

const (
	verbNone verb = iota
	verbAccept
	verbRetry
	verbRetryAfter
	verbDeadLetter
	verbPark
	verbRelease
	verbUndecodable
	verbDuplicate
	verbInProgress
	verbRefused
)

// Accept takes the message off the queue: it is done.
func Accept() Ack { return Ack{verb: verbAccept} }

// Retry delivers the message again, when the queue's retry policy says so, with its attempt advanced. When attempts or
// age are used up it is dead-lettered. Without a policy it is tried again after the queue's retry delay, for ever.
func Retry(err error) Ack { return Ack{verb: verbRetry, err: err} }

// RetryAfter is [Retry] with a delay of its own. The attempts and the age of the policy still count. A delay that is
// as long as the policy's waits in the broker takes the shortest rung that is long enough, or else the longest; any
// other is waited out in the consumer, with the message unacknowledged. A delay of 0 or less is none.
func RetryAfter(delay time.Duration, err error) Ack {
	return Ack{verb: verbRetryAfter, delay: delay, err: err}
}

// DeadLetter gives the message up: it goes to {queue}.dlq, with err as the reason.
func DeadLetter(err error) Ack { return Ack{verb: verbDeadLetter, err: err} }

// Park sets the message aside as unreadable: it goes to {queue}.parked, with err as the reason.
func Park(err error) Ack { return Ack{verb: verbPark, err: err} }

// Release gives the message back to the queue as it is, for anybody to take. Its attempt does not advance, and the
// broker hands it out again at once.
func Release() Ack { return Ack{verb: verbRelease} }

// undecodable is the engine's own answer for a message that no handler can take.
func undecodable(err error) Ack { return Ack{verb: verbUndecodable, err: err} }

// String returns the answer in words, for logs and tests.
func (a Ack) String() string {
	word := [...]string{"none", "accept", "retry", "retry", "dead-letter", "park", "release", "undecodable", "duplicate",
		"in progress", "refused"}[a.verb]
	if a.verb == verbRetryAfter {
		word = fmt.Sprintf("retry after %v", a.delay)
	}
	if a.err != nil {
		word += ": " + a.err.Error()
	}
	return word
}

// fatalError marks an error that no retry can help.
type fatalError struct{ error }

func (e fatalError) Unwrap() error { return e.error }

// Fatal marks an error that no retry can help. A message that fails with it is dead-lettered at once, whatever the
// handler asked for; the mark is found through wrapping. Fatal(nil) is nil.
func Fatal(err error) error {
	if err == nil {
		return nil
	}
	return fatalError{err}
}

// isFatal reports whether err is marked, itself or in what it wraps.
func isFatal(err error) bool {
	if err == nil {
		return false
	}
	var mark fatalError
	return errors.As(err, &mark)
}

// Handle makes a handler of a function that only returns an error: nil accepts, a [Fatal] error dead-letters, and any
// other error is a [Retry].
func Handle[T any](f func(ctx context.Context, m *Message[T]) error) Handler[T] {
	return func(ctx context.Context, m *Message[T]) Ack {
		if err := f(ctx, m); err != nil {
			return Retry(err)
		}
		return Accept()
	}
}
