package acemq

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
)

// Observer hears of what happens on a connection: it is where metrics, traces and audit trails come from.
// [WithObserver] installs it, and [LogObserver] is one.
type Observer interface {
	// Observe is called for each event as it happens, in the goroutine that it happens in, and must be quick. It is
	// called concurrently. ctx carries the values that interceptors gave the message, such as a span; it does not end. A
	// panic is logged.
	Observe(ctx context.Context, e Event)
}

// ObserverFunc is an [Observer] that is a function.
type ObserverFunc func(ctx context.Context, e Event)

// Observe calls f.
func (f ObserverFunc) Observe(ctx context.Context, e Event) { f(ctx, e) }

// WithObserver has an observer hear of what happens on the connection. It may be given more than once.
func WithObserver(observer Observer) DialOption {
	return func(s *settings) error {
		if observer == nil {
			return errors.New("the observer is nil: leave WithObserver out for none")
		}
		s.observers = append(s.observers, observer)
		return nil
	}
}

// Observe tells the observers of the connection of an event. It is for the pattern packages, and may be called
// concurrently.
func (c *Conn) Observe(ctx context.Context, e Event) {
	for _, observer := range c.settings.observers {
		c.observe(ctx, observer, e)
	}
}

// Observed reports whether the connection has observers, for pattern packages whose events cost something to make.
func (c *Conn) Observed() bool { return len(c.settings.observers) > 0 }

func (c *Conn) observe(ctx context.Context, observer Observer, e Event) {
	defer func() {
		if value := recover(); value != nil {
			c.settings.logger.Error("acemq: an observer panicked", "event", e.Name, "panic", fmt.Sprint(value),
				"stack", string(debug.Stack()))
		}
	}()
	observer.Observe(ctx, e)
}
