package acemq

import (
	"context"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// Republish publishes a copy of a message that was received, with the headers that m has and no others, so that those
// of later releases survive. A message without an id gets one; what could lose it is taken off: it is persistent, and
// unroutable where no queue takes it. It returns without waiting for the broker's answer, which is the confirmation's.
// An error is a [*RefusedError]. It is for the pattern packages, and may be called concurrently.
func (c *Conn) Republish(ctx context.Context, m transport.Message) (*Confirmation, error) {
	ctx, cancel := c.bound(ctx)
	defer cancel()
	if m.MessageID == "" {
		m.MessageID = NewID()
	}
	m.Copy, m.Transient, m.Optional, m.Expiration = true, false, false, 0
	pending, err := c.broker.Publish(ctx, m)
	if err != nil {
		return nil, err
	}
	return &Confirmation{pending}, nil
}
