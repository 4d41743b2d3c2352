package acemq

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/acemq/acemq-gen/runtime/idempotency"
)

const (
	// inProgressDelay is how long a message waits that somebody else is at (contract: consuming, idempotency).
	inProgressDelay = 5 * time.Second

	// storeDelay is how long a message waits, where nothing else says how long, when the store did not answer.
	storeDelay = 5 * time.Second
)

// WithIdempotency handles each message once, however often it is delivered: the consumer claims it in store, under the
// name of its queue and its id, before the handler runs. The claim holds for the lease of [Queue].Idempotent, or of
// [idempotency.DefaultLease] where the queue names none (contract: consuming, idempotency).
//
// When the handler accepts, the claim is confirmed and then the message acknowledged, so that what the handler published
// is out before. Any other answer, and a panic, releases the claim: the message may be tried again. A message that was
// handled before is acknowledged without the handler. One that somebody else has claimed waits 5 seconds and goes to the
// end of its queue with its attempt unchanged; the retry policy is not asked.
//
// A store that does not answer a claim is a failure like any other: the message is retried, and the handler not run. One
// that does not confirm changes nothing for the message, which is handled; a second copy may run again after the lease.
//
// A message that comes without an id cannot be told from another.
func WithIdempotency(store idempotency.Store) ConsumeOption {
	return func(c *consuming) {
		if store == nil {
			c.err = errors.New("the idempotency store is nil")
		}
		c.store = store
	}
}

var errNoStore = errors.New("the queue is idempotent and has no store that remembers: give WithIdempotency one, such as " +
	"idempotency.NewMemory()")

// guard claims the messages of a processor before they reach it.
type guard struct {
	process processor
	store   idempotency.Store
	lease   time.Duration
	log     *slog.Logger
}

// guarded puts a guard before process, where there is a store.
func (o consuming) guarded(process processor, log *slog.Logger) processor {
	if o.store == nil {
		return process
	}
	g := &guard{process: process, store: o.store, lease: o.queue.Idempotent, log: log}
	return g.once
}

// once processes a delivery that nobody has handled, and nobody else is at.
func (g *guard) once(ctx context.Context, in *incoming) (ack Ack) {
	held, claim, err := idempotency.Take(ctx, g.store, idempotency.Key(in.delivery.Queue, in.envelope.ID), g.lease)
	switch {
	case err != nil:
		return Ack{verb: verbRetry, delay: storeDelay, err: fmt.Errorf("it could not be claimed: %w", err)}
	case claim == idempotency.Duplicate:
		return Ack{verb: verbDuplicate}
	case claim == idempotency.InProgress:
		return Ack{verb: verbInProgress}
	}
	defer func() { g.conclude(held, ack) }() // after a panic as well, and where the goroutine ends
	return g.process(ctx, in)
}

// conclude ends a claim as the handler answered. What the store fails to note loses no message.
func (g *guard) conclude(held *idempotency.Held, ack Ack) {
	if ack.verb == verbAccept {
		if err := held.Confirm(); err != nil {
			g.log.Error("acemq: a message was handled and its claim could not be confirmed: another copy of it may be "+
				"handled again", "key", held.Key(), "error", err)
		}
		return
	}
	if err := held.Release(); err != nil {
		g.log.Warn("acemq: a claim could not be released: its message is handled when the lease is over",
			"key", held.Key(), "lease", g.lease, "error", err)
	}
}
