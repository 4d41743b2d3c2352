package idempotency_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/acemq/acemq-gen/runtime/idempotency"
	"github.com/acemq/acemq-gen/runtime/idempotency/conformance"
)

func TestMemory(t *testing.T) {
	conformance.Run(t, func(*testing.T) idempotency.Store { return idempotency.NewMemory() })
}

// wantClaim claims a key for a minute.
func wantClaim(t *testing.T, m *idempotency.Memory, key string, want idempotency.Claim) {
	t.Helper()
	if got, err := m.Claim(t.Context(), key, time.Minute); err != nil || got != want {
		t.Errorf("claim %s: %v, %v; want %v", key, got, err, want)
	}
}

func confirm(t *testing.T, m *idempotency.Memory, key string) {
	t.Helper()
	if err := m.Confirm(t.Context(), key); err != nil {
		t.Fatal(err)
	}
}

func TestMemoryForgetsByAge(t *testing.T) {
	for age, opts := range map[time.Duration][]idempotency.MemoryOption{
		idempotency.DefaultAge: {idempotency.Age(0)},
		time.Hour:              {idempotency.Age(time.Hour)},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := idempotency.NewMemory(opts...)
			confirm(t, m, "k")
			time.Sleep(age - time.Nanosecond)
			wantClaim(t, m, "k", idempotency.Duplicate)
			confirm(t, m, "k") // which makes it no younger
			time.Sleep(time.Nanosecond)
			wantClaim(t, m, "k", idempotency.Claimed)
		})
	}
}

func TestMemoryForgetsByNumber(t *testing.T) {
	m := idempotency.NewMemory(idempotency.Entries(3), idempotency.Entries(-1))
	wantClaim(t, m, "claimed", idempotency.Claimed)
	for _, key := range []string{"1", "2", "3"} {
		confirm(t, m, key)
	}
	wantClaim(t, m, "3", idempotency.Duplicate)
	wantClaim(t, m, "2", idempotency.Duplicate)
	wantClaim(t, m, "claimed", idempotency.InProgress)
	wantClaim(t, m, "1", idempotency.Claimed) // forgotten: there were four
}

// A store that is full of claims says so. It forgets none: their messages would be handled twice at once.
func TestMemoryFullOfClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := idempotency.NewMemory(idempotency.Entries(2))
		wantClaim(t, m, "1", idempotency.Claimed)
		wantClaim(t, m, "2", idempotency.Claimed)
		if answer, err := m.Claim(t.Context(), "3", time.Minute); err == nil {
			t.Errorf("a third claim: %v", answer)
		}
		if err := m.Confirm(t.Context(), "3"); err == nil {
			t.Error("a message that was not claimed is confirmed")
		}
		wantClaim(t, m, "1", idempotency.InProgress)
		confirm(t, m, "2")
		wantClaim(t, m, "3", idempotency.Claimed)
		time.Sleep(time.Minute) // the leases end
		wantClaim(t, m, "4", idempotency.Claimed)
		wantClaim(t, m, "5", idempotency.Claimed)
	})
}

// Whatever happens at once, a key is never claimed twice at a time, and never again once it is confirmed.
func TestMemoryUnderLoad(t *testing.T) {
	m := idempotency.NewMemory()
	const keys, workers, rounds = 20, 8, 2000
	var mu sync.Mutex
	claimed, handled := make(map[string]bool), make(map[string]bool)
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			for range rounds {
				key := fmt.Sprint(rand.IntN(keys))
				answer, err := m.Claim(context.Background(), key, time.Hour)
				if err != nil {
					t.Error(err)
				}
				if answer != idempotency.Claimed {
					continue
				}
				mu.Lock()
				if claimed[key] || handled[key] {
					t.Errorf("%s is claimed twice", key)
				}
				claimed[key] = true
				mu.Unlock()
				done := rand.IntN(50) == 0
				mu.Lock()
				claimed[key], handled[key] = false, done
				mu.Unlock()
				if done {
					err = m.Confirm(context.Background(), key)
				} else {
					err = m.Release(context.Background(), key)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

func TestKey(t *testing.T) {
	if key := idempotency.Key("orders.price", "id-1"); key != "orders.price:id-1" {
		t.Errorf("the key is %s", key)
	}
	ids := []string{strings.Repeat("é", 124) + "1", strings.Repeat("é", 124) + "2"}
	for length := 245; length <= 255; length++ {
		ids = append(ids, strings.Repeat("x", length))
	}
	seen := make(map[string]bool)
	for _, id := range ids {
		key := idempotency.Key("orders", id)
		if len(key) > idempotency.MaxKey || seen[key] || !utf8.ValidString(key) {
			t.Errorf("the key of %d bytes is %q", len(id), key)
		}
		seen[key] = true
	}
}

func TestClaimString(t *testing.T) {
	for claim, want := range map[idempotency.Claim]string{0: "claim 0", idempotency.Claimed: "claimed",
		idempotency.Duplicate: "duplicate", idempotency.InProgress: "in progress"} {
		if claim.String() != want {
			t.Errorf("%d reads %q, want %q", int(claim), claim, want)
		}
	}
}
