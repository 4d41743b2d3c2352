package idempotency

import (
	"context"
	"fmt"
	"time"
)

// callTimeout bounds one call of a store.
const callTimeout = 10 * time.Second

// Held is a claim that its holder has. It is for the packages that run handlers: they call either Confirm or Release,
// once the handler has returned.
type Held struct {
	ctx   context.Context // for its values; the handler's end is not the claim's
	store Store
	key   string
	until time.Time
}

// Take claims a key, as [Store].Claim does, within 10 seconds. It returns nil unless the answer is [Claimed], and an
// error where the store gives no answer of the three.
func Take(ctx context.Context, store Store, key string, lease time.Duration) (*Held, Claim, error) {
	until := time.Now().Add(lease)
	call, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	claim, err := store.Claim(call, key, lease)
	switch {
	case err != nil:
		return nil, claim, err
	case claim == Claimed:
		return &Held{ctx: context.WithoutCancel(ctx), store: store, key: key, until: until}, claim, nil
	case claim == Duplicate || claim == InProgress:
		return nil, claim, nil
	}
	return nil, claim, fmt.Errorf("the idempotency store answered %v", claim)
}

// Key returns the key that is claimed.
func (h *Held) Key() string { return h.key }

// Confirm records that the message was handled, within 10 seconds.
func (h *Held) Confirm() error {
	ctx, cancel := context.WithTimeout(h.ctx, callTimeout)
	defer cancel()
	return h.store.Confirm(ctx, h.key)
}

// Release gives the claim up, within 10 seconds. It does nothing once the lease is over: the claim may be somebody
// else's then.
func (h *Held) Release() error {
	if !time.Now().Before(h.until) {
		return nil
	}
	ctx, cancel := context.WithTimeout(h.ctx, callTimeout)
	defer cancel()
	return h.store.Release(ctx, h.key)
}
