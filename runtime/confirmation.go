package acemq

import (
	"context"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// Confirmation is the broker's answer to one message, which may still be on its way. It may be used concurrently.
type Confirmation struct{ pending transport.Pending }

// Done is closed when the broker has answered, or the connection was lost.
func (c *Confirmation) Done() <-chan struct{} { return c.pending.Done() }

// Wait returns the outcome, as [Publisher.Publish] does, once it is there or ctx has ended. It may be called more than
// once.
func (c *Confirmation) Wait(ctx context.Context) error { return c.pending.Wait(ctx) }
