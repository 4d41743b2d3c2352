package outbox

import (
	"context"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// batch is a number of records on lease, on their way.
type batch struct {
	token   string
	ends    time.Time        // of the lease
	answers func() []outcome // waits for the broker
}

// pass takes a batch, publishes it and settles it. It reports whether there may be more to do at once.
func (r *Relay) pass() bool {
	b := r.begin()
	return b != nil && r.settle(b, b.answers())
}

// begin claims a batch and begins to publish it, or returns nil where there is nothing to do. Batches begin one after
// another, so that older records go first.
func (r *Relay) begin() *batch {
	r.turn.Lock()
	defer r.turn.Unlock()
	if state := r.conn.State(); !state.Up || state.Blocked {
		return nil // records would wait on lease for what may take an hour
	}
	lease := Lease{Token: acemq.NewID(), Length: r.settings.lease}
	ends := time.Now().Add(lease.Length) // from before the claim, so that it ends here before it ends in the store
	claimed, err := r.claim(lease)
	if err != nil || len(claimed) == 0 {
		return nil
	}
	if len(claimed) == r.settings.batch {
		signal(r.backlog)
	}
	return &batch{lease.Token, ends, r.publish(ends, claimed)}
}

// claim leases a batch. Close lets it finish: a claim that is broken off may have been made.
func (r *Relay) claim(lease Lease) ([]Claimed, error) {
	ctx, cancel := context.WithTimeout(r.working, lease.Length/2)
	defer cancel()
	claimed, err := r.store.Claim(ctx, lease, r.settings.batch)
	switch {
	case err == nil:
		r.troubles.Store(0)
	case r.working.Err() == nil:
		r.troubles.Add(1)
		r.settings.logger.Error("acemq: the outbox cannot be read", "error", err)
	}
	return claimed, err
}

// rest waits for the next poll, a kick or the end. A store that fails is asked less and less often.
func (r *Relay) rest() {
	wait := r.settings.poll
	for range r.troubles.Load() {
		wait = min(2*wait, longestRest)
	}
	timer := time.NewTimer(max(wait, r.settings.poll))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.kicked:
	case <-r.stopping.Done():
	}
}

// longestRest is the most that a relay waits before it asks a store that fails again.
const longestRest = 30 * time.Second

// purge removes published records that are past their retention.
func (r *Relay) purge() {
	for r.stopping.Err() == nil {
		ctx, cancel := context.WithTimeout(r.stopping, r.settings.lease)
		n, err := r.store.Purge(ctx)
		cancel()
		if err != nil && r.stopping.Err() == nil {
			r.settings.logger.Error("acemq: published records cannot be removed from the outbox", "error", err)
		}
		if err != nil || n == 0 {
			return
		}
	}
}
