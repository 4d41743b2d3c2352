package acemq

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
)

// chain is what stands around the messages of a connection: its interceptors in their order, and its observers. It does
// not change: a connection swaps it for another one.
type chain struct {
	conn *Conn
	list []Interceptor
}

// bare returns the chain without its interceptors, for messages that only observers see.
func (c *chain) bare() *chain { return &chain{conn: c.conn} }

// before runs one place of an interceptor whose error refuses the message. It returns the context for what follows.
func (c *chain) before(ctx context.Context, i Interceptor, f func() (context.Context, error)) (context.Context, error) {
	next := ctx
	err := c.guard(i, func() (err error) {
		next, err = f()
		return err
	})
	switch {
	case err != nil:
		return ctx, &InterceptorError{Interceptor: i.Name, Cause: err}
	case next == nil:
		return ctx, nil
	}
	return next, nil
}

// tell runs one place of an interceptor whose error changes nothing.
func (c *chain) tell(ctx context.Context, i Interceptor, place string, f func() error) {
	err := c.guard(i, f)
	if err == nil {
		return
	}
	c.conn.settings.logger.Error("acemq: an interceptor failed", "interceptor", i.Name, "place", place, "error", err)
	c.conn.Observe(ctx, Event{Name: EventInterceptorFailed, Step: place, Err: err})
}

// guard makes an error of a panic.
func (c *chain) guard(i Interceptor, f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("it panicked: %v", value)
			c.conn.settings.logger.Error("acemq: an interceptor panicked", "interceptor", i.Name,
				"panic", fmt.Sprint(value), "stack", string(debug.Stack()))
		}
	}()
	return f()
}

// beforePublish runs the interceptors before a publish, as far as none refuses it.
func (c *chain) beforePublish(ctx context.Context, m *PublishedMessage) (context.Context, error) {
	for _, i := range c.list {
		if i.BeforePublish == nil {
			continue
		}
		if m.Headers == nil {
			m.Headers = make(Headers)
		}
		var err error
		ctx, err = c.before(ctx, i, func() (context.Context, error) {
			next, err := i.BeforePublish(ctx, m)
			if err == nil {
				err = checkNames(m.Headers)
			}
			return next, err
		})
		if err != nil {
			return ctx, err
		}
	}
	return ctx, nil
}

// afterPublish runs the interceptors after a publish with its outcome.
func (c *chain) afterPublish(ctx context.Context, m *PublishedMessage, outcome error) {
	for _, i := range c.list {
		switch {
		case outcome == nil && i.AfterConfirm != nil:
			c.tell(ctx, i, "AfterConfirm", func() error { return i.AfterConfirm(ctx, m) })
		case outcome != nil && i.PublishFailed != nil:
			c.tell(ctx, i, "PublishFailed", func() error { return i.PublishFailed(ctx, m, outcome) })
		}
	}
}

// checkNames says whether all headers are the application's to set, by the first in alphabetical order that is not.
func checkNames(headers Headers) error {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if err := checkName(name); err != nil {
			return err
		}
	}
	return nil
}

// beforeHandle runs the interceptors before a handler, as far as none refuses the message.
func (c *chain) beforeHandle(ctx context.Context, m *Message[[]byte]) (context.Context, error) {
	for _, i := range c.list {
		if i.BeforeHandle == nil {
			continue
		}
		var err error
		ctx, err = c.before(ctx, i, func() (context.Context, error) { return i.BeforeHandle(ctx, m) })
		if err != nil {
			return ctx, err
		}
	}
	return ctx, nil
}

// afterHandle runs the interceptors after a handler with its answer.
func (c *chain) afterHandle(ctx context.Context, m *Message[[]byte], ack Ack) {
	ctx = context.WithoutCancel(ctx)
	if err := ack.failure(); err != nil {
		for _, i := range slices.Backward(c.list) {
			if i.HandleFailed != nil {
				c.tell(ctx, i, "HandleFailed", func() error { return i.HandleFailed(ctx, m, err) })
			}
		}
	}
	for _, i := range slices.Backward(c.list) {
		if i.AfterHandle != nil {
			c.tell(ctx, i, "AfterHandle", func() error { return i.AfterHandle(ctx, m, ack) })
		}
	}
}
