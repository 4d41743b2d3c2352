package schedule

import (
	"context"
	"errors"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// After has m delivered to where p publishes, once d has passed. It returns once the broker has confirmed the message
// and put it into a rung. With a d of less than a second, 0 or less among them, it publishes m at once. There is no
// longest d.
//
// The outcomes are those of [acemq.Publisher.Publish]; they are about the rung, not about the delivery. A route that is
// Optional or Transient is refused, and so is an empty key. After may be called concurrently, and needs no [Scheduler]
// in this process.
func After[T any](ctx context.Context, p *acemq.Publisher[T], d time.Duration, m T, opts ...acemq.PublishOption) error {
	return publish(ctx, p, moment{time.Now().Add(d), d}, m, opts)
}

// At is [After] for a moment. It publishes m at once where the moment has passed, or is less than a second away.
func At[T any](ctx context.Context, p *acemq.Publisher[T], due time.Time, m T, opts ...acemq.PublishOption) error {
	return publish(ctx, p, moment{due, time.Until(due)}, m, opts)
}

// moment is when a message is due, and how long that is from now. They go together: a second look at the clock would
// find less than a minute left of one.
type moment struct {
	due  time.Time
	left time.Duration
}

func publish[T any](ctx context.Context, p *acemq.Publisher[T], at moment, m T, opts []acemq.PublishOption) error {
	o, err := p.Prepare(m, opts...)
	if err == nil {
		err = checkKey(o)
	}
	if err == nil {
		err = p.Conn().SendBy(ctx, o, func(ctx context.Context, o acemq.Outgoing) error {
			return send(ctx, p.Conn(), at, o)
		})
	}
	if err == nil {
		deskOf(p.Conn()).scheduled.Add(1)
	}
	return err
}

// send delivers a message that is due, and puts any other into its first rung.
func send(ctx context.Context, conn *acemq.Conn, at moment, o acemq.Outgoing) error {
	d := deskOf(conn)
	rung := wire.NextRung(at.left)
	if rung == 0 {
		err := conn.Send(ctx, o)
		if err == nil {
			d.delivered.Add(1)
			observeDelivery(ctx, conn, o)
		}
		return err
	}
	if !d.declared.Load() {
		if err := d.declare(ctx, conn); err != nil {
			return refused(o, err)
		}
	}
	return d.put(ctx, conn, rung, acemq.Outgoing{
		Body:        o.Body,
		ReplyTo:     o.ReplyTo,
		Intercepted: o.Intercepted,
		Headers: wire.Scheduled{
			Exchange:    o.Exchange,
			Key:         o.Key,
			Due:         at.due,
			ContentType: o.ContentType,
			Envelope:    o.Envelope,
			Priority:    o.Priority,
			Expires:     o.Expires,
		}.Headers(o.Headers),
	})
}

func checkKey(o acemq.Outgoing) error {
	if o.Key == "" {
		return refused(o, errors.New("the routing key is empty, and schedulers of other libraries take such a message "+
			"for none of theirs: say a key, which a fanout exchange ignores"))
	}
	return nil
}

func refused(o acemq.Outgoing, cause error) error {
	err := acemq.RefusedError{Cause: cause}
	err.Exchange, err.Key, err.MessageID = o.Exchange, o.Key, o.Envelope.ID
	return &err
}
