package ordered

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/idempotency"
)

// claims is a store that answers by a list, and then that the caller has the claim. It keeps what it was asked.
type claims struct {
	answers []idempotency.Claim // 0: the store fails
	asked   []string
}

func (c *claims) Claim(_ context.Context, key string, _ time.Duration) (idempotency.Claim, error) {
	c.asked = append(c.asked, "claim "+key)
	if len(c.answers) == 0 {
		return idempotency.Claimed, nil
	}
	answer := c.answers[0]
	c.answers = c.answers[1:]
	if answer == 0 {
		return 0, errors.New("the database is away")
	}
	return answer, nil
}

func (c *claims) Confirm(_ context.Context, key string) error {
	c.asked = append(c.asked, "confirm "+key)
	return nil
}

func (c *claims) Release(_ context.Context, key string) error {
	c.asked = append(c.asked, "release "+key)
	return errors.New("the database is away")
}

func TestIdempotent(t *testing.T) {
	ledger := with(Halt, 2, time.Second)
	ledger.Idempotent = time.Minute
	for _, c := range []struct {
		name    string
		answers []idempotency.Claim
		fails   []int
		seen    []int
		times   []time.Duration
		calls   []string // without the key
		counts  Counts
	}{
		{"claimed", nil, nil, []int{1}, []time.Duration{0}, []string{"claim", "confirm"}, Counts{Handled: 1}},
		{"duplicate", []idempotency.Claim{idempotency.Duplicate}, nil, nil, nil, []string{"claim"},
			Counts{Handled: 1, Duplicates: 1}},
		{"in progress", []idempotency.Claim{idempotency.InProgress, idempotency.InProgress}, nil, []int{1},
			[]time.Duration{10 * time.Second}, []string{"claim", "claim", "claim", "confirm"}, Counts{Handled: 1}},
		{"the store fails", []idempotency.Claim{0}, nil, []int{1}, []time.Duration{5 * time.Second},
			[]string{"claim", "claim", "confirm"}, Counts{Handled: 1}},
		{"the handler fails", nil, []int{1}, []int{1, 1}, []time.Duration{0, time.Second},
			[]string{"claim", "release", "claim", "release"}, Counts{Failed: 2, Halts: 1, ClaimsLeft: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, ledger, func(r *rig) {
				r.send("acct-7", 1, 1)
				l := failingAt(errBusy, c.fails...)
				store := &claims{answers: c.answers}
				id := r.server.Peek("ledger.0")[0].MessageID
				consumer := r.consume(r.conn, l.handle, WithIdempotency(store))
				r.sleep(time.Minute)
				r.wantSeen(l, c.seen...)
				wantList(r, "the times", l.times, c.times)
				var calls []string
				for _, call := range c.calls {
					calls = append(calls, call+" ledger.0:"+id)
				}
				wantList(r, "the calls of the store", slices.Clone(store.asked), calls)
				r.wantCounts(consumer, c.counts)
			})
		})
	}
}
