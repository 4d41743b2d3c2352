// Package conformance holds what every idempotency store must do, for the tests of the stores.
package conformance

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/idempotency"
)

const (
	long  = time.Hour              // a lease that does not end during a test
	short = 300 * time.Millisecond // a lease that does
)

// Run runs the suite. It asks open for a store that is empty, once for each test.
func Run(t *testing.T, open func(t *testing.T) idempotency.Store) {
	for _, test := range []struct {
		name string
		run  func(*suite)
	}{
		{"a claim that is held", held},
		{"a claim that is confirmed", confirmed},
		{"a claim that is released", released},
		{"a claim whose lease has ended", ended},
		{"a claim that was taken over", takenOver},
		{"a key that is not claimed", unclaimed},
		{"keys that are alike", alike},
		{"several callers at once", atOnce},
		{"several takers of one claim", takersAtOnce},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(&suite{T: t, store: open(t)}) })
	}
}

type suite struct {
	*testing.T
	store idempotency.Store
}

func (s *suite) claim(key string, lease time.Duration, want idempotency.Claim) {
	s.Helper()
	got, err := s.store.Claim(s.Context(), key, lease)
	if err != nil {
		s.Fatalf("claim %.20q: %v", key, err)
	}
	if got != want {
		s.Errorf("claim %.20q: %v, want %v", key, got, want)
	}
}

// do calls Confirm or Release.
func (s *suite) do(what func(context.Context, string) error, key string) {
	s.Helper()
	if err := what(s.Context(), key); err != nil {
		s.Fatalf("%.20q: %v", key, err)
	}
}

func held(s *suite) {
	s.claim("k", long, idempotency.Claimed)
	s.claim("k", long, idempotency.InProgress)
	s.claim("k", short, idempotency.InProgress)
	s.claim("other", long, idempotency.Claimed)
}

func confirmed(s *suite) {
	s.claim("k", long, idempotency.Claimed)
	s.do(s.store.Confirm, "k")
	s.claim("k", long, idempotency.Duplicate)
	s.do(s.store.Confirm, "k")
	s.do(s.store.Release, "k")
	s.claim("k", long, idempotency.Duplicate)
}

func released(s *suite) {
	s.claim("k", long, idempotency.Claimed)
	s.do(s.store.Release, "k")
	s.do(s.store.Release, "k")
	s.claim("k", long, idempotency.Claimed)
	s.claim("k", long, idempotency.InProgress)
}

func ended(s *suite) {
	s.claim("k", short, idempotency.Claimed)
	s.claim("confirmed", short, idempotency.Claimed)
	s.do(s.store.Confirm, "confirmed")
	time.Sleep(short + short/2)
	s.claim("k", long, idempotency.Claimed)
	s.claim("k", long, idempotency.InProgress)
	s.claim("confirmed", short, idempotency.Duplicate)
}

// takenOver has the first one finish after a second one took over: what is done is done.
func takenOver(s *suite) {
	s.claim("k", short, idempotency.Claimed)
	time.Sleep(short + short/2)
	s.claim("k", long, idempotency.Claimed)
	s.do(s.store.Confirm, "k")
	s.do(s.store.Release, "k")
	s.claim("k", long, idempotency.Duplicate)
}

func unclaimed(s *suite) {
	s.do(s.store.Release, "released")
	s.claim("released", long, idempotency.Claimed)
	s.do(s.store.Confirm, "confirmed")
	s.claim("confirmed", long, idempotency.Duplicate)
}

// alike has keys that a database may take for one another.
func alike(s *suite) {
	long255 := idempotency.Key("queue", fmt.Sprintf("%0300d", 1))
	for _, key := range []string{"key", "KEY", "kéy", "key ", " key", "k'ey", `k"ey\`, "k%y", "", "日本", "🐇",
		long255, idempotency.Key("queue", fmt.Sprintf("%0300d", 2))} {
		s.claim(key, long, idempotency.Claimed)
		s.do(s.store.Confirm, key)
		s.claim(key, long, idempotency.Duplicate)
	}
}

func atOnce(s *suite) {
	s.oneOf("k", idempotency.InProgress)
	s.do(s.store.Confirm, "k")
	s.claim("k", long, idempotency.Duplicate)
}

func takersAtOnce(s *suite) {
	s.claim("k", short, idempotency.Claimed)
	time.Sleep(short + short/2)
	s.oneOf("k", idempotency.InProgress)
}

// oneOf claims a key several times at once: one claim succeeds, and the others get another answer.
func (s *suite) oneOf(key string, others idempotency.Claim) {
	s.Helper()
	const callers = 8
	var answers [callers]idempotency.Claim
	var wait sync.WaitGroup
	for i := range callers {
		wait.Go(func() {
			var err error
			if answers[i], err = s.store.Claim(s.Context(), key, long); err != nil {
				s.Errorf("claim at once: %v", err)
			}
		})
	}
	wait.Wait()
	count := make(map[idempotency.Claim]int)
	for _, answer := range answers {
		count[answer]++
	}
	if count[idempotency.Claimed] != 1 || count[others] != callers-1 {
		s.Errorf("of %d callers: %v", callers, count)
	}
}
