package conformance

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/acemq/acemq-gen/runtime/outbox"
)

func keyOnLease(s *suite) {
	s.add("a1/a", "b1/b", "a2/a")
	s.claim("t", short, 1, "a1")
	s.add("a3/a", "free", "b2/b")
	s.claim("u", long, 10, "b1", "free", "b2") // a is t's
	s.publish("t", 1, "a1")
	s.claim("u", short, 10, "a2", "a3")
	time.Sleep(short + short/2)
	s.claim("v", long, 10, "a2", "a3")
}

func keyPostponed(s *suite) {
	s.add("a1/a", "a2/a", "free")
	s.claim("t", long, 10, "a1", "a2", "free")
	s.postpone("t", "a1", short, true)
	s.giveBack("t", 1, "a2")
	s.claim("u", long, 10)
	time.Sleep(short + short/2)
	s.claim("u", long, 10, "a1", "a2")
}

func keyRetired(s *suite) {
	s.add("a1/a", "a2/a", "free")
	s.claim("t", long, 10, "a1", "a2", "free")
	s.retire("t", "a1", true)
	s.giveBack("t", 2, "a2", "free")
	s.claim("u", long, 10, "free")
	s.settled("released", 1)(s.Store.Release(s.Context(), "a1"))
	s.claim("u", long, 10, "a1", "a2")
}

// keyFollowersGivenBack has a later record of a key on lease while an earlier one is due, as a relay leaves them that gives
// back what it had begun in another order.
func keyFollowersGivenBack(s *suite) {
	s.add("a1/a", "a2/a", "a3/a")
	s.claim("t", long, 10, "a1", "a2", "a3")
	s.giveBack("t", 1, "a1")
	s.claim("u", long, 10, "a1") // and not a3, over the head of a2
	s.giveBack("t", 1, "a3")
	s.claim("v", long, 10)
	s.publish("u", 1, "a1")
	s.claim("v", long, 10)
	s.publish("t", 1, "a2")
	s.claim("v", long, 10, "a3")
}

// keysAndLimit has claims end in the middle of keys. Which keys a store prefers is its own.
func keysAndLimit(s *suite) {
	s.add("a1/a", "b1/b", "a2/a", "b2/b", "a3/a", "c1/c")
	taken := make(map[string][]string)
	for _, want := range []int{4, 2, 0} {
		claimed, err := s.Store.Claim(s.Context(), outbox.Lease{Token: "t", Length: long}, 4)
		if err != nil || len(claimed) != want {
			s.Fatalf("claim: %v, %v, want %d records", ids(claimed), err, want)
		}
		for _, c := range claimed {
			taken[c.OrderingKey] = append(taken[c.OrderingKey], c.ID())
		}
		s.publish("t", want, ids(claimed)...)
	}
	equal(s, "what was taken", taken, map[string][]string{"a": {"a1", "a2", "a3"}, "b": {"b1", "b2"}, "c": {"c1"}})
}

func keyKept(s *suite) {
	s.add("a1/a", "a2/a", "a3/a")
	s.claim("t", long, 1, "a1")
	s.publish("t", 1, "a1")
	s.claim("t", long, 1, "a2")
	s.publish("t", 1, "a2")
	s.claim("t", long, 1, "a3")
}

// relaysAtOnce has several relays take everything: each record goes to one of them, and each key in its order.
func relaysAtOnce(s *suite) {
	const relays, keys, each, free = 4, 5, 30, 60
	for n := range each {
		for key := range keys {
			s.addRecord(record(fmt.Sprintf("%d-%03d", key, n), fmt.Sprint("key", key)))
		}
	}
	for n := range free {
		s.addRecord(record(fmt.Sprintf("free-%03d", n), ""))
	}
	var mu sync.Mutex
	order := make(map[string][]string)
	var group sync.WaitGroup
	for relay := range relays {
		group.Go(func() {
			for round := 0; ; round++ {
				token := fmt.Sprint(relay, "-", round)
				claimed, err := s.Store.Claim(s.Context(), outbox.Lease{Token: token, Length: long}, 7)
				if err != nil {
					s.Errorf("claim: %v", err)
					return
				}
				mu.Lock()
				for _, c := range claimed {
					order[c.OrderingKey] = append(order[c.OrderingKey], c.ID())
				}
				mu.Unlock()
				if n, err := s.Store.Published(s.Context(), token, ids(claimed)); err != nil || n != len(claimed) {
					s.Errorf("published: %d, %v, want %d", n, err, len(claimed))
					return
				}
				if pending, err := s.Store.Pending(s.Context()); err != nil || pending == 0 {
					return
				}
			}
		})
	}
	group.Wait()
	for key, list := range order {
		want := each
		if key == "" {
			want = free
			slices.Sort(list)
		}
		if len(list) != want || !slices.IsSorted(list) {
			s.Errorf("the key %q was taken as %v", key, list)
		}
	}
	s.pending(0)
}
