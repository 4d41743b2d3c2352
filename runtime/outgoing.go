package acemq

import (
	"context"
	"maps"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Outgoing is a message whose body is encoded already: the hop of a pipeline, a record of an outbox, a message that was
// scheduled. It is for the pattern packages; applications publish with a [Publisher].
type Outgoing struct {
	Exchange    string   // "" is the default exchange, whose keys are queue names
	Key         string   // the routing key
	Envelope    Envelope // what it leaves empty is completed; an empty Origin becomes that of the connection
	Headers     Headers  // the application's; a reserved one or a broker's among them is left behind
	Body        []byte   // sent as it is
	ContentType string   // of Body; empty is none
	ReplyTo     string   // goes out as a property and, unless Copy, as a header; empty is none
	Priority    uint8
	Expires     time.Duration // how long it may wait in a queue; 0 is for ever

	Intercepted bool // interceptors have seen it, see Conn.SendBy

	FromData bool // the exchange comes from data and may not exist: kept apart from other publishes
	Copy     bool // the content is that of a message that was received: held to what brokers take
}

// Send publishes o in the way that cannot lose it, persistent and mandatory, and returns once the broker has confirmed
// it and put it into a queue, or ctx or the publish timeout has ended (contract: publishes for the caller). Its
// outcomes are those of a [Publisher]. It may be called concurrently.
func (c *Conn) Send(ctx context.Context, o Outgoing) error {
	ctx, cancel := c.bound(ctx)
	defer cancel()
	pending, err := c.write(ctx, o.outbound(c.origin))
	if err != nil {
		return err
	}
	return pending.Wait(ctx)
}

// SendAsync is [Conn.Send] without the wait for the broker's answer, which is the confirmation's. An error is a
// [*RefusedError].
func (c *Conn) SendAsync(ctx context.Context, o Outgoing) (*Confirmation, error) {
	ctx, cancel := c.bound(ctx)
	defer cancel()
	pending, err := c.write(ctx, o.outbound(c.origin))
	if err != nil {
		return nil, err
	}
	return confirmation(pending), nil
}

// SendBy runs send, which sends o in a way of its own, between the interceptors of the connection, as [Conn.Send] sends
// between them. What send is given is o as they left it, and marked as Intercepted, which send passes on. An error is a
// [*RefusedError] by an interceptor, or that of send. It is for the pattern packages, and may be called concurrently.
func (c *Conn) SendBy(ctx context.Context, o Outgoing, send func(context.Context, Outgoing) error) error {
	chain := c.chain.Load()
	if chain == nil {
		return send(ctx, o)
	}
	out := o.outbound(c.origin)
	s := newSending(ctx, chain, out)
	if err := s.begin(ctx, &out); err != nil {
		return err
	}
	o.Envelope, o.Headers, o.Intercepted = out.envelope, out.headers, true
	err := send(ctx, o)
	chain.afterPublish(s.ctx, s.message, err)
	return err
}

// outbound returns o on its way out.
func (o Outgoing) outbound(origin string) outbound {
	e := o.Envelope
	if e.Origin == "" {
		e.Origin = origin
	}
	e = e.Complete(wire.Arrival{RoutingKey: o.Key, Now: time.Now(), NewID: NewID})
	headers := o.Headers
	if o.ReplyTo != "" && !o.Copy {
		headers = maps.Clone(headers)
		if headers == nil {
			headers = make(Headers, 1)
		}
		headers[wire.HeaderReplyTo] = o.ReplyTo
	}
	return outbound{envelope: e, headers: headers, intercepted: o.Intercepted || o.Copy, message: transport.Message{
		Exchange:    o.Exchange,
		Key:         o.Key,
		Body:        o.Body,
		ContentType: o.ContentType,
		ReplyTo:     o.ReplyTo,
		Priority:    o.Priority,
		Expiration:  o.Expires,
		FromData:    o.FromData,
		Copy:        o.Copy,
	}}
}
