package conformance

import (
	"time"

	"github.com/acemq/acemq-gen/runtime/outbox"
)

func leased(s *suite) {
	s.add("a", "b")
	s.claim("t", long, 10, "a", "b")
	s.claim("u", long, 10)
	s.pending(2)
	s.publish("u", 0, "a", "b")
	s.giveBack("u", 0, "a", "b")
	s.postpone("u", "a", 0, false)
	s.retire("u", "a", false)
	s.publish("t", 1, "a", "unknown")
	s.pending(1)
	s.claim("v", long, 10)
}

// leaseEnded has a relay come back after somebody else took over.
func leaseEnded(s *suite) {
	s.add("a", "b", "c")
	s.claim("t", short, 10, "a", "b", "c")
	s.claim("u", long, 10)
	time.Sleep(short + short/2)
	s.claim("u", long, 2, "a", "b")
	s.publish("t", 1, "a", "b", "c") // nobody has taken c
	s.postpone("t", "a", 0, false)
	s.retire("t", "b", false)
	s.giveBack("t", 0, "a", "b")
	s.pending(2)
	s.publish("u", 2, "a", "b")
	s.pending(0)
}

func noToken(s *suite) {
	s.add("a")
	if _, err := s.Store.Claim(s.Context(), outbox.Lease{Length: long}, 1); err == nil {
		s.Error("a lease without a token was given")
	}
}

func givenBack(s *suite) {
	s.add("a", "b")
	s.claim("t", long, 10, "a", "b")
	s.giveBack("t", 1, "a")
	claimed := s.claim("u", long, 10, "a")
	if len(claimed) == 1 {
		equal(s, "the attempts", claimed[0].Attempts, 0)
	}
	s.giveBack("t", 1, "a", "b")
}

func postponed(s *suite) {
	s.add("a", "b")
	s.claim("t", long, 1, "a")
	s.postpone("t", "a", short, true)
	s.postpone("t", "a", short, false) // it is no longer of the lease
	s.claim("t", long, 10, "b")
	s.pending(2)
	time.Sleep(short + short/2)
	claimed := s.claim("t", long, 10, "a")
	if len(claimed) == 1 {
		equal(s, "the attempts", claimed[0].Attempts, 1)
	}
	s.postpone("t", "a", 0, true)
	claimed = s.claim("t", long, 10, "a")
	if len(claimed) == 1 {
		equal(s, "the attempts", claimed[0].Attempts, 2)
	}
}

func retiredAndReleased(s *suite) {
	s.add("a", "b", "c")
	s.claim("t", long, 10, "a", "b", "c")
	s.retire("t", "a", true)
	s.retire("t", "c", true)
	s.publish("t", 1, "b")
	s.pending(2)
	s.claim("u", long, 10)

	before := time.Now().Add(-time.Minute)
	list, err := s.Store.Retired(s.Context(), 10)
	if err != nil || len(list) != 2 {
		s.Fatalf("retired: %v, %v, want a and c", list, err)
	}
	equal(s, "the first record", list[0].Record, record("a", ""))
	equal(s, "its reason", list[0].Reason, "no queue: a")
	equal(s, "its attempts", list[0].Attempts, 1)
	if since := list[0].Since; since.Before(before) || since.After(time.Now().Add(time.Minute)) {
		s.Errorf("it is retired since %v", since)
	}
	if list, err := s.Store.Retired(s.Context(), 1); err != nil || len(list) != 1 || list[0].ID() != "a" {
		s.Errorf("retired, one of them: %v, %v", list, err)
	}

	s.settled("released", 1)(s.Store.Release(s.Context(), "c", "b", "unknown"))
	s.settled("released again", 0)(s.Store.Release(s.Context(), "c"))
	claimed := s.claim("u", long, 10, "c")
	if len(claimed) == 1 {
		equal(s, "the attempts", claimed[0].Attempts, 0)
	}
	s.settled("released on lease", 0)(s.Store.Release(s.Context(), "c"))
	s.settled("released none", 0)(s.Store.Release(s.Context()))
}

func deleted(s *suite) {
	s.add("a", "b")
	s.claim("t", long, 10, "a", "b")
	s.publish("t", 2, "a", "b")
	s.publish("t", 0, "a", "b")
	s.pending(0)
	s.add("a") // nothing of it is left
	s.claim("t", long, 10, "a")
	s.settled("purged", 0)(s.Store.Purge(s.Context()))
}

func kept(s *suite) {
	s.add("a", "b")
	s.claim("t", long, 1, "a")
	s.publish("t", 1, "a")
	s.publish("t", 0, "a")
	s.pending(1)
	s.add("a") // it is there, and published
	s.claim("t", long, 10, "b")
	s.settled("purged at once", 0)(s.Store.Purge(s.Context()))
	time.Sleep(short + short/2)
	s.settled("purged", 1)(s.Store.Purge(s.Context()))
	s.settled("purged again", 0)(s.Store.Purge(s.Context()))
	s.pending(1)
}
