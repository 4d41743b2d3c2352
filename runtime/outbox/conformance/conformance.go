// Package conformance holds what every outbox store must do, for the tests of the stores.
package conformance

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/outbox"
)

const (
	long  = time.Hour              // a lease that does not end during a test
	short = 300 * time.Millisecond // a lease that does
)

// Fixture is a store under test.
type Fixture struct {
	Store outbox.Store
	Add   func(ctx context.Context, records ...outbox.Record) error // adds records and commits
}

// Run runs the suite. It asks open for a store that is empty, once for each test, which keeps published records for as long
// as retention, or, when that is 0, not at all.
func Run(t *testing.T, open func(t *testing.T, retention time.Duration) Fixture) {
	for _, test := range []struct {
		name      string
		retention time.Duration
		run       func(*suite)
	}{
		{"a record comes back as it was added", 0, verbatim},
		{"an id that is there already", 0, twice},
		{"records that are refused", 0, refusedRecords},
		{"the oldest first", 0, oldestFirst},
		{"a lease that holds", 0, leased},
		{"a lease that has ended", 0, leaseEnded},
		{"a claim without a token", 0, noToken},
		{"given back", 0, givenBack},
		{"postponed", 0, postponed},
		{"retired and released", 0, retiredAndReleased},
		{"published and deleted", 0, deleted},
		{"published and kept", short, kept},
		{"the age of a record", 0, aged},
		{"a key on lease", 0, keyOnLease},
		{"a key whose head is postponed", 0, keyPostponed},
		{"a key whose head is retired", 0, keyRetired},
		{"a key whose followers are given back", 0, keyFollowersGivenBack},
		{"keys and a limit", 0, keysAndLimit},
		{"a key with published records that are kept", long, keyKept},
		{"relays at once", 0, relaysAtOnce},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(&suite{T: t, Fixture: open(t, test.retention)}) })
	}
}

type suite struct {
	*testing.T
	Fixture
}

// record returns a record with nothing special about it.
func record(id, key string) outbox.Record {
	return outbox.Record{OrderingKey: key, Message: acemq.Outgoing{
		Exchange: "orders-events",
		Key:      "order.placed.eu",
		Envelope: acemq.Envelope{ID: id, Type: "order.placed", Version: 1, Correlation: id, Attempt: 1,
			FirstSeen: time.UnixMilli(1_700_000_000_000).UTC()},
		Headers:     acemq.Headers{},
		Body:        []byte(`{}`),
		ContentType: "application/json",
	}}
}

// add adds records of the form "id" or "id/key".
func (s *suite) add(names ...string) {
	s.Helper()
	for _, name := range names {
		id, key := name, ""
		if i := len(name) - 2; i > 0 && name[i] == '/' {
			id, key = name[:i], name[i+1:]
		}
		s.addRecord(record(id, key))
	}
}

func (s *suite) addRecord(r outbox.Record) {
	s.Helper()
	if err := s.Add(s.Context(), r); err != nil {
		s.Fatalf("add: %v", err)
	}
}

// claim claims and compares the ids.
func (s *suite) claim(token string, length time.Duration, limit int, want ...string) []outbox.Claimed {
	s.Helper()
	claimed, err := s.Store.Claim(s.Context(), outbox.Lease{Token: token, Length: length}, limit)
	if err != nil {
		s.Fatalf("claim: %v", err)
	}
	if got := ids(claimed); !slices.Equal(got, want) {
		s.Errorf("claim %s: %v, want %v", token, got, want)
	}
	return claimed
}

func ids(claimed []outbox.Claimed) []string {
	var list []string
	for _, c := range claimed {
		list = append(list, c.ID())
	}
	return list
}

// pending compares what the store counts.
func (s *suite) pending(want int) {
	s.Helper()
	if got, err := s.Store.Pending(s.Context()); err != nil || got != want {
		s.Errorf("pending: %d, %v, want %d", got, err, want)
	}
}

// settled checks the answer of a settlement.
func (s *suite) settled(what string, want int) func(got int, err error) {
	s.Helper()
	return func(got int, err error) {
		s.Helper()
		if err != nil || got != want {
			s.Errorf("%s: %d, %v, want %d", what, got, err, want)
		}
	}
}

func (s *suite) publish(token string, want int, ids ...string) {
	s.Helper()
	s.settled("published", want)(s.Store.Published(s.Context(), token, ids))
}

func (s *suite) giveBack(token string, want int, ids ...string) {
	s.Helper()
	s.settled("given back", want)(s.Store.GiveBack(s.Context(), token, ids))
}

func (s *suite) postpone(token, id string, wait time.Duration, want bool) {
	s.Helper()
	got, err := s.Store.Postpone(s.Context(), token, outbox.Failure{ID: id, Reason: "no queue"}, wait)
	if err != nil || got != want {
		s.Errorf("postpone %s: %v, %v, want %v", id, got, err, want)
	}
}

func (s *suite) retire(token, id string, want bool) {
	s.Helper()
	got, err := s.Store.Retire(s.Context(), token, outbox.Failure{ID: id, Reason: "no queue: " + id})
	if err != nil || got != want {
		s.Errorf("retire %s: %v, %v, want %v", id, got, err, want)
	}
}

func equal(s *suite, what string, got, want any) {
	s.Helper()
	if !reflect.DeepEqual(got, want) {
		s.Errorf("%s:\n got %s\nwant %s", what, fmt.Sprintf("%#v", got), fmt.Sprintf("%#v", want))
	}
}
