package acemq

import (
	"cmp"
	"context"
	"errors"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// Publisher sends messages of one type along one route. It may be used concurrently.
//
// Every publish has one of five outcomes: nil, confirmed by the broker and, unless the route is Optional, in a queue;
// [*UnroutableError], no queue took it; [*NackedError], the broker refused it; [*RefusedError], nothing was written;
// [*UnknownError], the broker may have it or not.
type Publisher[T any] struct {
	conn  *Conn
	route Route[T]
	codec Codec
}

// NewPublisher returns a publisher on conn. It costs nothing and needs no closing.
func NewPublisher[T any](conn *Conn, route Route[T]) *Publisher[T] {
	codec := route.Codec
	if codec == nil {
		codec = conn.settings.codec
	}
	return &Publisher[T]{conn: conn, route: route, codec: codec}
}

// Publish sends m and returns once the broker has answered, or ctx or the publish timeout has ended.
func (p *Publisher[T]) Publish(ctx context.Context, m T, opts ...PublishOption) error {
	ctx, cancel := p.conn.bound(ctx)
	defer cancel()
	pending, err := p.write(ctx, &m, opts)
	if err != nil {
		return err
	}
	return pending.Wait(ctx)
}

// PublishAsync sends m and returns without waiting for the broker's answer, which is the confirmation's. It waits
// while too many messages are unanswered. An error is a [*RefusedError].
func (p *Publisher[T]) PublishAsync(ctx context.Context, m T, opts ...PublishOption) (*Confirmation, error) {
	ctx, cancel := p.conn.bound(ctx)
	defer cancel()
	pending, err := p.write(ctx, &m, opts)
	if err != nil {
		return nil, err
	}
	return confirmation(pending), nil
}

// PublishAll sends ms in their order, waiting for no answer before the last is sent, and returns once the broker has
// answered for each. It is not atomic: a failure does not stop the rest. A [*BatchError] says which failed.
func (p *Publisher[T]) PublishAll(ctx context.Context, ms []T, opts ...PublishOption) error {
	ctx, cancel := p.conn.bound(ctx)
	defer cancel()
	if len(ms) > 1 && gather(opts).envelope.ID != "" {
		opts = append(opts[:len(opts):len(opts)], refuseWith(errSharedID))
	}
	pendings := make([]transport.Pending, len(ms))
	errs := make([]error, len(ms))
	for i := range ms {
		pendings[i], errs[i] = p.write(ctx, &ms[i], opts)
	}
	for i, pending := range pendings {
		if pending != nil {
			errs[i] = pending.Wait(ctx)
		}
	}
	return batchError(errs)
}

var errSharedID = errors.New("an id is for one message: publish the batch without WithID, or its messages one at a time")

// refuseWith makes every publish fail before it is written.
func refuseWith(err error) PublishOption {
	return func(p *publishing) { p.err = err }
}

// write makes the wire form of m and hands it to the broker. An error is a *RefusedError.
func (p *Publisher[T]) write(ctx context.Context, m *T, opts []PublishOption) (transport.Pending, error) {
	out, err := p.message(m, opts)
	if err != nil {
		out.envelope.Type = cmp.Or(out.envelope.Type, p.route.Type)
		return nil, p.conn.refuse(ctx, out, err)
	}
	return p.conn.write(ctx, out)
}

// message returns m on its way out. With an error it holds what the refusal needs.
func (p *Publisher[T]) message(m *T, opts []PublishOption) (outbound, error) {
	var own publishing
	if len(opts) > 0 {
		own = gather(opts)
	}
	out := outbound{envelope: own.envelope, headers: own.headers, message: transport.Message{
		Exchange:    p.route.Exchange,
		Key:         p.route.Key,
		ContentType: p.codec.ContentType(),
		ReplyTo:     own.replyTo,
		Priority:    p.route.Priority,
		Expiration:  p.route.Expires,
		Transient:   p.route.Transient,
		Optional:    p.route.Optional,
	}}
	if own.err != nil {
		return out, own.err
	}
	var err error
	if out.message.Key, err = p.route.key(m); err != nil {
		return out, err
	}
	if out.message.Body, err = p.codec.Encode(m); err != nil {
		return out, err
	}
	out.envelope = p.route.envelope(own.envelope, out.message.Key)
	if out.envelope.Origin == "" {
		out.envelope.Origin = p.conn.origin
	}
	return out, nil
}
