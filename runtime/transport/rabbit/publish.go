package rabbit

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// lane publishes one kind of messages, on one channel at a time; messages of one publisher stay in their order.
type lane struct {
	link    *link
	window  int
	missing func() // called when the broker says that an exchange is missing
	current atomic.Pointer[publishChannel]
	opening chan struct{} // held while a channel is opened
}

func newLane(l *link, window int, missing func()) *lane {
	return &lane{link: l, window: window, missing: missing, opening: make(chan struct{}, 1)}
}

// publish writes a message. It waits only where it must, and makes its timers only then.
func (l *lane) publish(ctx context.Context, m transport.Message) (transport.Pending, error) {
	if ctx.Err() != nil {
		return nil, refused(m, context.Cause(ctx))
	}
	if c := l.current.Load(); c != nil {
		if p, err := c.publish(m); p != nil || isFinal(err) {
			return p, refused(m, err)
		}
	}
	ctx, cancel := l.link.bound(ctx)
	defer cancel()
	timeout := l.link.dialer.options.WaitTimeout
	ctx, stop := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("no place to publish came free within %v", timeout))
	defer stop()
	for {
		c, err := l.channel(ctx)
		if err != nil {
			return nil, refused(m, err)
		}
		p, err := c.publish(m)
		if p != nil || isFinal(err) {
			return p, refused(m, err)
		}
		if err := c.await(ctx, err); err != nil {
			return nil, refused(m, err)
		}
	}
}

// refused returns the error of a message of which nothing was written, or nil where there is none.
func refused(m transport.Message, cause error) error {
	if cause == nil {
		return nil
	}
	return &transport.RefusedError{Address: m.Address(), Cause: cause}
}

// channel returns a channel to publish on, opened where there is none.
func (l *lane) channel(ctx context.Context) (*publishChannel, error) {
	if c := l.current.Load(); c != nil && !c.ch.IsClosed() {
		return c, nil
	}
	select {
	case l.opening <- struct{}{}:
		defer func() { <-l.opening }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	for {
		if c := l.current.Load(); c != nil && !c.ch.IsClosed() {
			return c, nil
		}
		e, err := l.link.epoch(ctx)
		if err != nil {
			return nil, err
		}
		if blocked := e.blocked.Load(); blocked != nil {
			return nil, blocked
		}
		c, err := await(ctx, func() (*publishChannel, error) { return l.open(e) },
			func(c *publishChannel) { e.request(c.ch.Close) })
		switch {
		case err == nil:
			l.current.Store(c)
		case ctx.Err() != nil || !e.conn.IsClosed():
			return nil, err
		default:
			if err := l.link.awaitChange(ctx, e); err != nil {
				return nil, err
			}
		}
	}
}

// drain waits until what was published is answered.
func (l *lane) drain(ctx context.Context) {
	if c := l.current.Load(); c != nil {
		c.window.drain(ctx)
	}
}

// publishChannel is a channel in confirm mode on which nothing is done but publish.
type publishChannel struct {
	epoch   *epoch
	ch      *amqp.Channel
	window  *window
	returns *returns
	gone    chan struct{} // closed when the channel is
	reason  *amqp.Error   // why; read it after gone

	headers int // how large headers may be, where the broker takes less than the contract; 0 elsewhere
}

// open opens a channel on an epoch.
func (l *lane) open(e *epoch) (*publishChannel, error) {
	c := &publishChannel{
		epoch:   e,
		window:  newWindow(l.window),
		returns: newReturns(l.window),
		gone:    make(chan struct{}),
		headers: headerLimit(e.conn.Config.FrameSize),
	}
	err := e.request(func() (err error) {
		c.ch, err = e.conn.Channel()
		return err
	})
	if err != nil {
		return nil, err
	}
	closes := c.ch.NotifyClose(make(chan *amqp.Error, 1))
	c.ch.NotifyReturn(c.returns.incoming)
	go func() {
		c.reason = <-closes
		if c.reason != nil && c.reason.Code == amqp.NotFound {
			l.missing()
		}
		close(c.gone)
	}()
	return c, e.request(func() error { return c.ch.Confirm(false) })
}

// What keeps a publish waiting.
var (
	errWindowFull = errors.New("the window of unanswered publishes is full")
	errBufferFull = errors.New("the network is slow to take what is written")
	errGone       = errors.New("the channel is gone")
)

// isFinal reports whether waiting does not help.
func isFinal(err error) bool {
	return err != nil && err != errWindowFull && err != errBufferFull && err != errGone
}

// publish writes a message if it can be done without waiting; otherwise nothing is written.
func (c *publishChannel) publish(m transport.Message) (transport.Pending, error) {
	if blocked := c.epoch.blocked.Load(); blocked != nil {
		return nil, blocked
	}
	if c.ch.IsClosed() {
		return nil, errGone
	}
	if c.headers > 0 && wire.HeaderSize(m.Headers) > c.headers {
		return nil, fmt.Errorf("the headers are larger than the %d bytes that fit into a frame of this broker", c.headers)
	}
	if c.epoch.network.full() != nil {
		return nil, errBufferFull
	}
	if !c.window.reserve() {
		return nil, errWindowFull
	}
	confirm, err := c.ch.PublishWithDeferredConfirm(m.Exchange, m.Key, !m.Optional, false, publishing(m))
	if err != nil {
		c.window.cancel()
		if errors.Is(err, amqp.ErrClosed) {
			return nil, errGone
		}
		// Frames of concurrent publishes share a buffer, so this one may have left with another.
		return broken{&transport.UnknownError{Address: m.Address(), Cause: err}}, nil
	}
	p := &pending{address: m.Address(), optional: m.Optional, confirm: confirm, channel: c}
	c.window.fill(p)
	return p, nil
}

// await waits until what kept a publish waiting may be over.
func (c *publishChannel) await(ctx context.Context, reason error) error {
	switch reason {
	case errWindowFull:
		return c.window.await(ctx, c.gone)
	case errGone:
		select {
		case <-c.gone:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	case errBufferFull:
		room := c.epoch.network.full()
		if room == nil {
			return nil
		}
		select {
		case <-room:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// publishing returns a message in the form of the library.
func publishing(m transport.Message) amqp.Publishing {
	p := amqp.Publishing{
		Headers:      encoded(m.Headers),
		ContentType:  m.ContentType,
		DeliveryMode: amqp.Persistent,
		Priority:     m.Priority,
		ReplyTo:      m.ReplyTo,
		MessageId:    m.MessageID,
		Body:         m.Body,
	}
	if m.Transient {
		p.DeliveryMode = amqp.Transient
	}
	if m.Expiration > 0 {
		p.Expiration = strconv.FormatInt(m.Expiration.Milliseconds(), 10)
	}
	return p
}

// headerLimit returns how large headers may be on a connection with such frames, or 0 where the limit of the contract
// is enough. Headers and properties travel in one frame, and a larger one costs the connection.
func headerLimit(frame int) int {
	const properties = 4096 // more than all other properties together
	if frame == 0 || frame >= wire.MaxCopyHeaders+properties {
		return 0
	}
	return max(1, frame-properties)
}

func milliseconds(n int) time.Duration { return time.Duration(n) * time.Millisecond }
