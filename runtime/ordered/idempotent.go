package ordered

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/acemq/acemq-gen/runtime/idempotency"
)

// inProgressDelay is the wait before a message is tried again that somebody else has claimed, and before a store that
// failed is asked again (contract: consuming, idempotency).
const inProgressDelay = 5 * time.Second

// unclaimedError says that a message was not handled because it could not be claimed.
type unclaimedError struct{ error }

var errInProgress = unclaimedError{errors.New("somebody else is handling the message")}

// guard has each message handled once. Without a lease it has every delivery handled.
type guard struct {
	store idempotency.Store
	lease time.Duration
	tally *tally
}

// once calls f unless the message of an id was handled before.
func (g guard) once(ctx context.Context, queue, id string, f func() error) error {
	if g.lease == 0 {
		return f()
	}
	key := idempotency.Key(queue, id)
	switch claim, err := g.store.Claim(ctx, key, g.lease); {
	case err != nil:
		return unclaimedError{fmt.Errorf("claim the message: %w", err)}
	case claim == idempotency.Duplicate:
		g.tally.duplicates.Add(1)
		return nil
	case claim == idempotency.InProgress:
		return errInProgress
	}
	return g.claimed(ctx, key, f)
}

// claimed calls f, and confirms the claim when it succeeds or else gives it up.
func (g guard) claimed(ctx context.Context, key string, f func() error) (err error) {
	done := false
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		if done {
			g.note(g.store.Confirm(ctx, key))
			return
		}
		g.note(g.store.Release(ctx, key))
	}()
	err = f()
	done = err == nil
	return err
}

// note counts a claim that could not be ended: it ends with its lease.
func (g guard) note(err error) {
	if err != nil {
		g.tally.claimsLeft.Add(1)
	}
}
