package rabbit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// pending is a publish on a channel in confirm mode. It implements transport.Pending.
type pending struct {
	address  transport.Address
	optional bool
	confirm  *amqp.DeferredConfirmation
	channel  *publishChannel

	mu      sync.Mutex
	decided bool
	outcome error
}

// Done implements transport.Pending.
func (p *pending) Done() <-chan struct{} { return p.confirm.Done() }

// Wait implements transport.Pending.
func (p *pending) Wait(ctx context.Context) error {
	if answered(p) {
		return p.result()
	}
	timeout := p.channel.epoch.options.ConfirmTimeout
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-p.Done():
		return p.result()
	case <-ctx.Done():
		return &transport.UnknownError{Address: p.address, Cause: context.Cause(ctx)}
	case <-timer.C:
		cause := fmt.Errorf("the broker did not answer within %v", timeout)
		return &transport.UnknownError{Address: p.address, Cause: cause}
	}
}

func (p *pending) settle() { p.result() }

// result returns the outcome of an answered publish.
func (p *pending) result() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.decided {
		p.decided, p.outcome = true, p.decide()
	}
	return p.outcome
}

// decide reads the answer. The library answers with a nack what was open when the channel closed, so a nack on a closed
// channel says nothing.
func (p *pending) decide() error {
	switch {
	case !p.optional && p.channel.returns.take(p.address):
		return &transport.UnroutableError{Address: p.address}
	case p.confirm.Acked():
		return nil
	case p.channel.ch.IsClosed():
		return &transport.UnknownError{Address: p.address, Cause: p.channel.whyClosed(p.address)}
	}
	return &transport.NackedError{Address: p.address}
}

// whyClosed says why the channel closed, to one of the publishes on it: a missing exchange is an error of those that
// were sent to it, and an accident to the others.
func (c *publishChannel) whyClosed(address transport.Address) error {
	<-c.gone
	if c.reason != nil && c.reason.Code == amqp.NotFound {
		if strings.Contains(c.reason.Reason, "'"+address.Exchange+"'") {
			return &transport.NotFoundError{Object: named("exchange", address.Exchange)}
		}
		return errors.New("another message on the same channel was sent to an exchange that does not exist: " +
			c.reason.Reason)
	}
	return c.epoch.whyLost(c.reason)
}

// broken is a publish of which an unknown part was written when the connection failed.
type broken struct{ outcome error }

// Done implements transport.Pending.
func (broken) Done() <-chan struct{} { return alwaysDone }

// Wait implements transport.Pending.
func (b broken) Wait(context.Context) error { return b.outcome }

var alwaysDone = func() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}()
