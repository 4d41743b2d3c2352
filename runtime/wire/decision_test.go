package wire

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestDecisions is the "decisions" part of the contract's fixtures: the attempts 1, n-1 and n, at ages in milliseconds.
func TestDecisions(t *testing.T) {
	const year = 31_536_000_000
	rows := map[string][]struct {
		attempt int
		age     int64
		retries bool
	}{
		"exponential-uncapped": {
			{1, 0, true}, {1, year, true}, {4, 0, true}, {4, year, true}, {5, 0, false}, {5, year, false}},
		"exponential-capped": {
			{1, 0, true}, {1, year, true}, {5, 0, true}, {5, year, true}, {6, 0, false}, {6, year, false}},
		"exponential-give-up-on-age": {
			{1, 0, true}, {1, 119999, true}, {1, 120000, false},
			{4, 0, true}, {4, 119999, true}, {4, 120000, false},
			{5, 0, false}, {5, 119999, false}, {5, 120000, false}},
		"fixed": {
			{1, 0, true}, {1, year, true}, {3, 0, true}, {3, year, true}, {4, 0, false}, {4, year, false}},
		"none": {{1, 0, false}, {1, year, false}},
	}
	for _, test := range policies {
		p := policyOf(t, test.retry)
		for _, row := range rows[test.name] {
			decision, _ := p.Decide(row.attempt, time.Duration(row.age)*time.Millisecond)
			if got := decision == WaitInConsumer || decision == WaitInBroker; got != row.retries {
				t.Errorf("%s, attempt %d, age %d ms: got %v", test.name, row.attempt, row.age, decision)
			}
		}
	}
}

// TestMaxMessageAge is the "maxMessageAge" part of the contract's fixtures.
func TestMaxMessageAge(t *testing.T) {
	ages := []int64{0, 119999, 120000, 120001, 31_536_000_000, -1} // the last one is unknown, and counts as young
	for limit, retries := range map[int64]string{0: "TTTTTT", 120000: "TTFFFT"} {
		p := policyOf(t, Fixed(5, time.Second).GiveUpAfter(time.Duration(limit)*time.Millisecond))
		for i, age := range ages {
			want := WaitInConsumer
			if retries[i] == 'F' {
				want = TooOld
			}
			if got, _ := p.Decide(1, time.Duration(age)*time.Millisecond); got != want {
				t.Errorf("limit %d ms, age %d ms: got %v, want %v", limit, age, got, want)
			}
		}
	}
}

// TestDecideByBruteForce derives each decision from the schedule as the contract words it.
func TestDecideByBruteForce(t *testing.T) {
	ages := []time.Duration{-1, 0, time.Minute, 2 * time.Minute, 1000 * time.Hour}
	for _, test := range policies {
		p := policyOf(t, test.retry)
		for attempt := 1; attempt <= test.attempts+2; attempt++ {
			for _, age := range ages {
				decision, delay := p.Decide(attempt, age)
				want, wait := Exhausted, time.Duration(0)
				switch {
				case attempt > len(test.schedule):
				case test.maxAge > 0 && age >= test.maxAge:
					want = TooOld
				case test.schedule[attempt-1] >= 30_000:
					want, wait = WaitInBroker, time.Duration(test.schedule[attempt-1])*time.Millisecond
				default:
					want, wait = WaitInConsumer, time.Duration(test.schedule[attempt-1])*time.Millisecond
				}
				if decision != want || delay != wait {
					t.Errorf("%s, attempt %d, age %v: got %v after %v, want %v after %v",
						test.name, attempt, age, decision, delay, want, wait)
				}
			}
		}
	}
}

// TestVary is the "jitter" part of the contract's fixtures: 0.8 to 1.2 of the wait, in both directions, and at least a
// millisecond.
func TestVary(t *testing.T) {
	almostOne := math.Nextafter(1, 0)
	exponential, fixed := policyOf(t, Exponential(5, time.Second, 24*time.Hour)), policyOf(t, Fixed(2, time.Second))
	wild := policyOf(t, Fixed(2, time.Second).Jitter(1))
	tests := []struct {
		policy Policy
		delay  time.Duration
		random float64
		want   time.Duration
	}{
		{exponential, 10 * time.Second, 0, 8 * time.Second},
		{exponential, 10 * time.Second, 0.25, 9 * time.Second},
		{exponential, 10 * time.Second, 0.5, 10 * time.Second},
		{exponential, 10 * time.Second, 0.75, 11 * time.Second},
		{exponential, 10 * time.Second, almostOne, 12 * time.Second},
		{exponential, time.Millisecond, 0, time.Millisecond},
		{exponential, 0, 0.5, time.Millisecond},
		{exponential, math.MaxInt64, almostOne, math.MaxInt64},
		{fixed, 10 * time.Second, 0, 10 * time.Second},
		{fixed, 10 * time.Second, almostOne, 10 * time.Second},
		{wild, 10 * time.Second, 0, time.Millisecond},
		{wild, 10 * time.Second, almostOne, 20 * time.Second},
	}
	for _, test := range tests {
		got := test.policy.Vary(test.delay, test.random)
		if difference := (got - test.want).Abs(); difference > time.Microsecond {
			t.Errorf("%v at %v: got %v, want %v", test.delay, test.random, got, test.want)
		}
	}
}

func TestReasons(t *testing.T) {
	cause := fmt.Errorf("charge: %w", errors.New("no such card"))
	tests := []struct{ got, want string }{
		{ExhaustedReason(5, cause), "exhausted 5 attempts: charge: no such card"},
		{ExhaustedReason(1, cause), "exhausted 1 attempt: charge: no such card"},
		{TooOldReason(2*time.Minute, cause), "exceeded the maximum message age of 2m0s: charge: no such card"},
		{RejectedReason(cause), "the handler rejected it: charge: no such card"},
		{FatalReason(cause), "the handler reported an unprocessable message: charge: no such card"},
		{RefusedReason(cause), "an interceptor refused it: charge: no such card"},
		{ParkedReason(cause), "the handler parked it: charge: no such card"},
		{UndecodableReason(cause), "could not be decoded: charge: no such card"},
		{RejectedReason(nil), "the handler rejected it: no reason given"},
		{RejectedReason(errors.New("")), "the handler rejected it: no reason given"},
		{RejectedReason(errors.New("a\xff")), "the handler rejected it: a\uFFFD"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

// TestReasonsFitTheHeader holds that a reason is cut to 2 KiB between two runes, whatever the error says.
func TestReasonsFitTheHeader(t *testing.T) {
	for _, piece := range []string{"a", "é", "€", "😀", "a\xff", "a\x80"} {
		for shift := range 4 {
			text := strings.Repeat("x", shift) + strings.Repeat(piece, 3000)
			got := RejectedReason(errors.New(text))
			if len(got) > 2048 || len(got) < 2045 || !utf8.ValidString(got) {
				t.Errorf("%q: got %d bytes, valid %v", piece, len(got), utf8.ValidString(got))
			}
		}
	}
}
