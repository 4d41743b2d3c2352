package acemq

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"time"
)

// watched is what a chain keeps for a delivery.
type watched struct {
	chain *chain
	ctx   context.Context // of the events about the delivery
	took  time.Duration   // in the handler
	err   error           // of the handler
}

// surround runs a handler between the interceptors of its connection.
func surround[T any](ctx context.Context, in *incoming, m *Message[T], handler Handler[T]) Ack {
	w := in.watched
	timed := func(ctx context.Context) Ack {
		w.ctx = context.WithoutCancel(ctx)
		began := time.Now()
		defer func() { w.took = time.Since(began) }()
		return handler(ctx, m)
	}
	if len(w.chain.list) == 0 {
		return timed(ctx)
	}
	return w.chain.handle(ctx, unread(m, in.delivery.Body), timed)
}

// Surround runs handle, which handles m, between the interceptors of the connection, and returns its error. body is
// that of m as it came. A refusal is why an interceptor refused m, which is to be dead-lettered at once; handle did not
// run then. It is for the pattern packages that consume without the engine.
func Surround[T any](ctx context.Context, conn *Conn, m *Message[T], body []byte,
	handle func(context.Context) error) (refusal, err error) {
	chain := conn.chain.Load()
	if chain == nil || len(chain.list) == 0 {
		return nil, handle(ctx)
	}
	ack := chain.handle(ctx, unread(m, body), func(ctx context.Context) Ack {
		if err := handle(ctx); err != nil {
			return Retry(err)
		}
		return Accept()
	})
	if ack.verb == verbRefused {
		return refusedBecause(ack.err), nil
	}
	return nil, ack.err
}

// unread returns m as interceptors see it, which shares nothing with it.
func unread[T any](m *Message[T], body []byte) *Message[[]byte] {
	return &Message[[]byte]{
		Payload:     bytes.Clone(body),
		Envelope:    m.Envelope,
		Headers:     maps.Clone(m.Headers),
		RoutingKey:  m.RoutingKey,
		Queue:       m.Queue,
		ReceivedAt:  m.ReceivedAt,
		Redelivered: m.Redelivered,
		ReplyTo:     m.ReplyTo,
		received:    m.received,
	}
}

// handle runs a handler between the interceptors. A panic goes on once they have heard of it.
func (c *chain) handle(ctx context.Context, m *Message[[]byte], handler func(context.Context) Ack) Ack {
	ctx, err := c.beforeHandle(ctx, m)
	if err != nil {
		c.conn.settings.logger.Warn("acemq: a message is dead-lettered before its handler", "queue", m.Queue,
			"id", m.Envelope.ID, "error", err)
		return Ack{verb: verbRefused, err: err}
	}
	answered := false
	defer func() {
		if answered {
			return
		}
		if value := recover(); value != nil {
			c.afterHandle(ctx, m, DeadLetter(panicked(m.Envelope.ID, value)))
			panic(value)
		}
		c.afterHandle(ctx, m, DeadLetter(errGoexit))
	}()
	ack := handler(ctx)
	answered = true
	c.afterHandle(ctx, m, ack)
	return ack
}

var errNoReason = errors.New("no reason given")

// failure returns why an answer of a handler is a failure, nil where it is none.
func (a Ack) failure() error {
	switch {
	case a.verb == verbAccept || a.verb == verbRelease:
		return nil
	case a.verb == verbNone:
		return errNoAnswer
	case a.err == nil:
		return errNoReason
	}
	return a.err
}

// refusedBecause returns what the interceptor said that refused a message.
func refusedBecause(err error) error {
	if by := new(InterceptorError); errors.As(err, &by) {
		return by.Cause
	}
	return err
}
