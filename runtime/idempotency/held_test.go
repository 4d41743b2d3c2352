package idempotency_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/acemq/acemq-gen/runtime/idempotency"
)

const lease = time.Minute

// take takes a claim that must be there to take.
func take(t *testing.T, ctx context.Context, store idempotency.Store) *idempotency.Held {
	t.Helper()
	held, claim, err := idempotency.Take(ctx, store, "k", lease)
	if err != nil || claim != idempotency.Claimed || held == nil {
		t.Fatalf("take: %v, %v, %v", held, claim, err)
	}
	return held
}

func TestHeld(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(t *testing.T, held *idempotency.Held, m *idempotency.Memory) error
		want idempotency.Claim
	}{
		{"confirmed", func(_ *testing.T, held *idempotency.Held, _ *idempotency.Memory) error {
			return held.Confirm()
		}, idempotency.Duplicate},
		{"confirmed late", func(_ *testing.T, held *idempotency.Held, _ *idempotency.Memory) error {
			time.Sleep(lease)
			return held.Confirm()
		}, idempotency.Duplicate},
		{"released", func(_ *testing.T, held *idempotency.Held, _ *idempotency.Memory) error {
			return held.Release()
		}, idempotency.Claimed},
		{"released once somebody else took it over", func(t *testing.T, held *idempotency.Held, m *idempotency.Memory) error {
			time.Sleep(lease)
			take(t, t.Context(), m)
			return held.Release()
		}, idempotency.InProgress},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := idempotency.NewMemory()
				ctx, cancel := context.WithCancel(t.Context())
				held := take(t, ctx, m)
				cancel() // the handler's end is not the claim's
				if err := c.end(t, held, m); err != nil {
					t.Fatal(err)
				}
				wantClaim(t, m, "k", c.want)
				if other, _, err := idempotency.Take(t.Context(), m, "k", lease); other != nil || err != nil {
					t.Errorf("taken once more: %v, %v", other, err)
				}
			})
		})
	}
}

// stuck is a store that answers when its context ends.
type stuck struct{}

func (stuck) Claim(ctx context.Context, _ string, _ time.Duration) (idempotency.Claim, error) {
	<-ctx.Done()
	return idempotency.Duplicate, ctx.Err()
}

func (stuck) Confirm(ctx context.Context, _ string) error { <-ctx.Done(); return ctx.Err() }
func (stuck) Release(ctx context.Context, _ string) error { <-ctx.Done(); return ctx.Err() }

// claims is a store that has one answer, and is stuck otherwise.
type claims struct {
	stuck
	answer idempotency.Claim
}

func (c claims) Claim(context.Context, string, time.Duration) (idempotency.Claim, error) {
	return c.answer, nil
}

func TestCallsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		held := take(t, t.Context(), claims{answer: idempotency.Claimed})
		for name, call := range map[string]func() error{
			"claim": func() error {
				held, _, err := idempotency.Take(t.Context(), stuck{}, "k", lease)
				if held != nil {
					t.Error("a claim that failed is held")
				}
				return err
			},
			"confirm": held.Confirm,
			"release": held.Release,
		} {
			began := time.Now()
			if err := call(); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 10*time.Second {
				t.Errorf("%s: %v after %v", name, err, time.Since(began))
			}
		}
	})
}

func TestNoAnswer(t *testing.T) {
	for _, answer := range []idempotency.Claim{0, -1, 4} {
		if held, _, err := idempotency.Take(t.Context(), claims{answer: answer}, "k", lease); held != nil || err == nil {
			t.Errorf("the answer %d gives %v, %v", int(answer), held, err)
		}
	}
}
