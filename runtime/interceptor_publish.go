package acemq

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// outbound is a message on its way out whose headers are not put together yet.
type outbound struct {
	message  transport.Message // without its id and headers
	envelope Envelope
	headers  Headers // the application's

	intercepted bool // no interceptor sees it any more
}

// wire returns the message as it goes to the broker.
func (o outbound) wire() transport.Message {
	m := o.message
	m.MessageID = o.envelope.ID
	m.Headers = o.envelope.Headers(o.headers)
	return m
}

// write hands a message to the broker, past the interceptors and observers of the connection. An error is a
// *RefusedError.
func (c *Conn) write(ctx context.Context, o outbound) (transport.Pending, error) {
	chain := c.chain.Load()
	switch {
	case chain == nil:
		return c.broker.Publish(ctx, o.wire())
	case o.intercepted:
		return chain.bare().publish(ctx, o)
	}
	return chain.publish(ctx, o)
}

// refuse returns the outcome of a message that could not be made.
func (c *Conn) refuse(ctx context.Context, o outbound, cause error) error {
	if chain := c.chain.Load(); chain != nil {
		return newSending(ctx, chain, o).refuse(&o, cause)
	}
	return o.refused(cause)
}

// refused returns the outcome of a message that is not written.
func (o *outbound) refused(cause error) error {
	err := &RefusedError{Address: o.message.Address(), Cause: cause}
	err.MessageID = o.envelope.ID
	return err
}

// publish runs a message through the chain and hands it to the broker.
func (c *chain) publish(ctx context.Context, o outbound) (transport.Pending, error) {
	s := newSending(ctx, c, o)
	err := s.begin(ctx, &o)
	if err != nil {
		return nil, err
	}
	if s.pending, err = c.conn.broker.Publish(ctx, o.wire()); err != nil {
		s.conclude(err)
		return nil, err
	}
	return s, nil
}

// sending is a publish that a chain follows to its outcome. It is the pending message of a caller who waits.
type sending struct {
	chain   *chain
	ctx     context.Context // of what follows the publish: values without an end
	message *PublishedMessage
	began   time.Time
	pending transport.Pending

	ended     atomic.Bool
	concluded chan struct{} // closed when the places after the publish have run
}

func newSending(ctx context.Context, c *chain, o outbound) *sending {
	return &sending{
		chain:     c,
		ctx:       context.WithoutCancel(ctx),
		message:   &PublishedMessage{Envelope: o.envelope, message: o.message},
		began:     time.Now(),
		concluded: make(chan struct{}),
	}
}

// begin runs the interceptors before the publish, and takes over what they may change. An error is a *RefusedError.
func (s *sending) begin(ctx context.Context, o *outbound) error {
	if len(s.chain.list) == 0 {
		return nil
	}
	s.message.Headers = wire.Application(o.headers)
	ctx, err := s.chain.beforePublish(ctx, s.message)
	s.ctx = context.WithoutCancel(ctx)
	if err != nil {
		return s.refuse(o, err)
	}
	s.message.Envelope = s.message.Envelope.Complete(wire.Arrival{RoutingKey: o.message.Key, Now: time.Now(), NewID: NewID})
	o.envelope, o.headers = s.message.Envelope, s.message.Headers
	return nil
}

// refuse returns the outcome of a message that is not written, and tells the observers.
func (s *sending) refuse(o *outbound, cause error) error {
	err := o.refused(cause)
	s.chain.conn.Observe(s.ctx, s.event(err))
	return err
}

// Done implements transport.Pending.
func (s *sending) Done() <-chan struct{} { return s.pending.Done() }

// Wait implements transport.Pending. What it returns first is the outcome.
func (s *sending) Wait(ctx context.Context) error {
	err := s.pending.Wait(ctx)
	s.conclude(err)
	return err
}

// conclude runs what follows the publish, once. It returns when that is over.
func (s *sending) conclude(outcome error) {
	if s.ended.Swap(true) {
		<-s.concluded
		return
	}
	defer close(s.concluded)
	s.chain.afterPublish(s.ctx, s.message, outcome)
	s.chain.conn.Observe(s.ctx, s.event(outcome))
}

// unattended is the pending message of a caller who may not wait, or not long enough. The outcome is the broker's.
type unattended struct{ *sending }

// Wait implements transport.Pending. It does not return an answer before the interceptors have seen it.
func (u unattended) Wait(ctx context.Context) error {
	err := u.pending.Wait(ctx)
	if isClosed(u.Done()) {
		err = u.sending.Wait(context.Background()) // the answer, even where ctx ended first
	}
	return err
}

// confirmation returns the confirmation of a message whose outcome somebody has to follow.
func confirmation(p transport.Pending) *Confirmation {
	s, followed := p.(*sending)
	if !followed {
		return &Confirmation{p}
	}
	go s.Wait(context.Background())
	return &Confirmation{unattended{s}}
}
