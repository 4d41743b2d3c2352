package saga

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
)

// Run does the actions of the saga on a subject, and undoes them where one fails. ctx ends the way forward: an action
// that would begin after its end counts as failed. It returns when everything is done or undone. A saga that does not
// [Saga.Check] is not run, and the error is that of the result.
func (s Saga[T]) Run(ctx context.Context, subject T, opts ...Option) Result {
	result := Result{Saga: s.Name}
	if result.Err = s.Check(); result.Err != nil {
		return result
	}
	r := run[T]{saga: s, subject: subject, settings: settings{logger: slog.Default()}, result: &result}
	for _, option := range opts {
		option(&r.settings)
	}
	if failed := r.forward(ctx); failed >= 0 {
		r.event(slog.LevelWarn, Event{EventCompensating, s.Name, result.Failed, result.Err})
		r.back(context.WithoutCancel(ctx), failed)
	}
	return result
}

// run is a saga on its way.
type run[T any] struct {
	settings
	saga    Saga[T]
	subject T
	result  *Result
}

// forward does the actions until one fails, whose index it returns, or -1.
func (r *run[T]) forward(ctx context.Context) int {
	for i, a := range r.saga.Actions {
		err := context.Cause(ctx)
		if err == nil {
			err = r.call(ctx, a.Do)
		}
		if err != nil {
			r.result.Failed, r.result.Err = a.Name, err
			return i
		}
		r.result.Completed = append(r.result.Completed, a.Name)
	}
	return -1
}

// back undoes what was done before the action that failed, the last first.
func (r *run[T]) back(ctx context.Context, failed int) {
	for _, a := range slices.Backward(r.saga.Actions[:failed]) {
		if a.Undo == nil {
			continue
		}
		if err := r.undo(ctx, a.Undo); err != nil {
			r.result.Unresolved = append(r.result.Unresolved, Unresolved{a.Name, err})
			r.event(slog.LevelError, Event{EventUnresolved, r.saga.Name, a.Name, err})
			continue
		}
		r.result.Compensated = append(r.result.Compensated, a.Name)
	}
}

func (r *run[T]) undo(ctx context.Context, f Func[T]) error {
	if r.undoWithin > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.undoWithin)
		defer cancel()
	}
	return r.call(ctx, f)
}

var errGoexit = errors.New("it ended its goroutine and returned nothing")

// call runs f in a goroutine of its own, so that nothing it does ends the run.
func (r *run[T]) call(ctx context.Context, f Func[T]) error {
	result := make(chan error, 1)
	go func() {
		err := errGoexit
		defer func() {
			if value := recover(); value != nil {
				err = &PanicError{value, debug.Stack()}
			}
			result <- err
		}()
		err = f(ctx, r.subject)
	}()
	return <-result
}

// PanicError is the failure of an action, or of its Undo, that panicked.
type PanicError struct {
	Value any    // what it panicked with
	Stack []byte // where, as [debug.Stack] prints it
}

func (e *PanicError) Error() string { return fmt.Sprintf("it panicked: %v", e.Value) }

// Unwrap returns the value where it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// event reports an event to the logger and to the observer.
func (r *run[T]) event(level slog.Level, e Event) {
	if r.logger != nil {
		r.logger.Log(context.Background(), level, words[e.Name], "event", e.Name, "saga", e.Saga,
			"action", e.Action, "error", e.Err)
	}
	r.notify(e)
}

// notify tells the observer, which cannot keep anything from being undone.
func (r *run[T]) notify(e Event) {
	defer func() {
		if value := recover(); value != nil && r.logger != nil {
			r.logger.Error("acemq: the observer of a saga panicked", "saga", e.Saga, "panic", fmt.Sprint(value))
		}
	}()
	if r.observe != nil {
		r.observe(e)
	}
}

// words are what the log says of an event.
var words = map[string]string{
	EventCompensating: "acemq: an action of a saga failed, and those before it are undone",
	EventUnresolved:   "acemq: an action of a saga could not be undone: its effect stays until somebody undoes it",
}
