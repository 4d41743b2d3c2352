package acemq

import (
	"errors"

	"github.com/acemq/acemq-gen/runtime/idempotency"
)

// ConsumeOption changes how one consumer consumes its queue.
type ConsumeOption func(*consuming)

// consuming is what the options of one consumer change.
type consuming struct {
	queue   Queue
	codec   Codec
	private bool
	store   idempotency.Store // nil: none
	err     error             // the last option that makes no sense
}

// consuming returns what the options come to, with the queue complete.
func (c *Conn) consuming(queue Queue, opts []ConsumeOption) (consuming, error) {
	own := consuming{queue: queue, codec: c.settings.codec}
	for _, option := range opts {
		option(&own)
	}
	switch {
	case own.err != nil:
		return own, own.err
	case own.codec == nil:
		return own, errors.New("the codec is nil")
	case own.store == nil && own.queue.Idempotent > 0:
		return own, errNoStore
	case own.store != nil && own.queue.Idempotent == 0:
		own.queue.Idempotent = idempotency.DefaultLease
	}
	var err error
	own.queue, err = own.queue.complete()
	return own, err
}

// WithPrefetch sets the prefetch of the consumer, 1 to 65,535.
func WithPrefetch(n int) ConsumeOption {
	return func(c *consuming) { c.queue.Prefetch = n }
}

// WithConcurrency sets how many handlers run at once.
func WithConcurrency(n int) ConsumeOption {
	return func(c *consuming) { c.queue.Concurrency = n }
}

// DecodeWith sets the codec of the consumer. The default is the connection's.
func DecodeWith(codec Codec) ConsumeOption {
	return func(c *consuming) { c.codec = codec }
}

// Private makes a consumer declare nothing: it is for queues whose messages are never set aside, such as reply queues
// and the control queue of a scheduler (contract: consuming, what a consumer declares). A message that is to be set
// aside all the same finds no queue, and stays in its own.
func Private() ConsumeOption {
	return func(c *consuming) { c.private = true }
}
