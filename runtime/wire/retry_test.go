package wire

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"
)

// policies are the policies of the contract's fixtures, with what the fixtures say of them ("retrySchedules").
var policies = []struct {
	name     string
	retry    Retry
	attempts int
	maxAge   time.Duration
	jitter   float64
	schedule []int64 // milliseconds
	rungs    []int64 // milliseconds
}{
	{"exponential-uncapped", Exponential(5, time.Second, 24*time.Hour), 5, 0, 0.2, []int64{1000, 2000, 4000, 8000},
		nil},
	{"exponential-capped", Exponential(6, 10*time.Second, time.Minute), 6, 0, 0.2,
		[]int64{10000, 20000, 40000, 60000, 60000}, []int64{40000, 60000}},
	{"exponential-give-up-on-age", Exponential(5, time.Second, 24*time.Hour).GiveUpAfter(2 * time.Minute),
		5, 2 * time.Minute, 0.2,
		[]int64{1000, 2000, 4000, 8000}, nil},
	{"fixed", Fixed(4, 30*time.Second), 4, 0, 0, []int64{30000, 30000, 30000}, []int64{30000}},
	{"none", NoRetry(), 1, 0, 0, nil, nil},
	{"topology", Exponential(6, 10*time.Second, 5*time.Minute), 6, 0, 0.2,
		[]int64{10000, 20000, 40000, 80000, 160000}, []int64{40000, 80000, 160000}},
}

func TestPolicies(t *testing.T) {
	for _, test := range policies {
		t.Run(test.name, func(t *testing.T) {
			p := policyOf(t, test.retry)
			if p.MaxAttempts() != test.attempts || p.MaxAge() != test.maxAge || p.JitterFactor() != test.jitter {
				t.Errorf("got %d attempts, age limit %v, jitter %v", p.MaxAttempts(), p.MaxAge(), p.JitterFactor())
			}
			if p.BrokerWait() != 30*time.Second {
				t.Errorf("the threshold is %v", p.BrokerWait())
			}
			if got := milliseconds(p.Schedule()); !slices.Equal(got, test.schedule) {
				t.Errorf("schedule: got %v, want %v", got, test.schedule)
			}
			if got := milliseconds(p.RungDelays()); !slices.Equal(got, test.rungs) {
				t.Errorf("rungs: got %v, want %v", got, test.rungs)
			}
		})
	}
}

// FuzzSchedule derives the schedule a second way, with whole numbers that have no end, and the rungs from the schedule.
func FuzzSchedule(f *testing.F) {
	f.Add(5, int64(time.Second), int64(24*time.Hour), int64(DefaultBrokerWait))
	f.Add(4, int64(30*time.Second), int64(30*time.Second), int64(DefaultBrokerWait))
	f.Add(6, int64(1500*time.Microsecond), int64(0), int64(0))
	f.Add(100, int64(time.Hour), int64(math.MaxInt64), int64(0))
	f.Add(90, int64(7*time.Millisecond), int64(2500*time.Microsecond), int64(time.Millisecond))
	f.Fuzz(func(t *testing.T, attempts int, initial, limit, threshold int64) {
		retry := Exponential(attempts%200, time.Duration(initial), time.Duration(limit))
		p, err := retry.WaitInBrokerFrom(time.Duration(threshold)).Policy()
		if err != nil {
			return
		}
		var want, rungs []int64
		for k := range p.MaxAttempts() - 1 {
			ms := exactDelay(initial, limit, k)
			want = append(want, ms)
			if threshold > 0 && ms*int64(time.Millisecond) >= threshold && !slices.Contains(rungs, ms) {
				rungs = append(rungs, ms)
			}
		}
		if got := milliseconds(p.Schedule()); !slices.Equal(got, want) {
			t.Errorf("schedule: got %v, want %v", got, want)
		}
		if got := milliseconds(p.RungDelays()); !slices.Equal(got, rungs) {
			t.Errorf("rungs: got %v, want %v", got, rungs)
		}
		for _, ms := range rungs {
			if ms%1000 != 0 || ms > math.MaxUint32 {
				t.Errorf("a rung of %d ms was let through", ms)
			}
		}
	})
}

// exactDelay is initial · 2^k in milliseconds, at most limit, and at most what a Duration holds.
func exactDelay(initial, limit int64, k int) int64 {
	ms := int64(time.Millisecond)
	delay := new(big.Int).Lsh(big.NewInt(initial/ms), uint(k))
	most := math.MaxInt64 / ms
	if limit > 0 {
		most = limit / ms
	}
	if delay.Cmp(big.NewInt(most)) > 0 {
		return most
	}
	return delay.Int64()
}

func TestPolicyRefuses(t *testing.T) {
	tests := []struct {
		name  string
		retry Retry
		want  string // a part of the error; empty where the policy is good
	}{
		{"zero", Retry{}, "0 attempts"},
		{"no attempts", Fixed(0, time.Second), "0 attempts"},
		{"fewer than none", Exponential(-1, time.Second, 0), "-1 attempts"},
		{"one attempt needs no delay", Fixed(1, 0), ""},
		{"no delay", Fixed(2, 0), "the delay is 0s"},
		{"delay under a millisecond", Fixed(2, 999*time.Microsecond), "the delay is 999µs"},
		{"a millisecond", Fixed(2, time.Millisecond), ""},
		{"negative delay", Fixed(2, -time.Second), "the delay is -1s"},
		{"negative limit", Exponential(2, time.Second, -1), "negative"},
		{"limit under a millisecond", Exponential(2, time.Second, 1), "the limit is 1ns"},
		{"negative age", NoRetry().GiveUpAfter(-1), "negative"},
		{"negative threshold", NoRetry().WaitInBrokerFrom(-1), "negative"},
		{"negative jitter", NoRetry().Jitter(-0.1), "a jitter of -0.1"},
		{"jitter above 1", NoRetry().Jitter(1.1), "a jitter of 1.1"},
		{"jitter not a number", NoRetry().Jitter(math.NaN()), "a jitter of NaN"},
		{"jitter of 1", NoRetry().Jitter(1), ""},
		{"fractional rung", Fixed(2, 30500*time.Millisecond), "a delay of 30.5s waits in the broker"},
		{"fractional rung below a second", Fixed(2, 500*time.Millisecond).WaitInBrokerFrom(time.Millisecond),
			"a delay of 500ms"},
		{"fractional rung by doubling", Exponential(5, 10100*time.Millisecond, 0), "a delay of 40.4s"},
		{"fractional limit", Exponential(9, 10*time.Second, 90500*time.Millisecond), "a delay of 1m30.5s"},
		{"fractional delay in the consumer", Fixed(2, 29999*time.Millisecond), ""},
		{"fractional delay kept in the consumer", Fixed(2, 30500*time.Millisecond).WaitInBrokerFrom(0), ""},
		{"fraction of a millisecond is cut off", Fixed(2, 30*time.Second+time.Nanosecond), ""},
		{"longest rung", Fixed(2, MaxTTL.Truncate(time.Second)), ""},
		{"rung too long", Fixed(2, (MaxTTL + time.Second).Truncate(time.Second)), "longer than a broker can hold"},
		{"rung too long by doubling", Exponential(100, time.Second, 0), "set a limit"},
		{"long wait in the consumer", Exponential(100, time.Second, 0).WaitInBrokerFrom(0), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.retry.Policy()
			if (err != nil) != (test.want != "") {
				t.Fatalf("got error %v, want %q", err, test.want)
			}
			if err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
		})
	}
}

// TestPolicyOfManyAttempts holds that checking a policy does not cost a step for each attempt.
func TestPolicyOfManyAttempts(t *testing.T) {
	for _, retry := range []Retry{
		Fixed(math.MaxInt32, time.Minute), Exponential(math.MaxInt32, time.Second, time.Hour),
	} {
		p := policyOf(t, retry)
		if decision, delay := p.Decide(math.MaxInt32-1, 0); decision != WaitInBroker || delay < time.Minute {
			t.Errorf("got %v, %v", decision, delay)
		}
	}
}

// TestBrokerWaitThreshold is the "brokerWaitThreshold" part of the contract's fixtures.
func TestBrokerWaitThreshold(t *testing.T) {
	delays := []int64{0, 1, 500, 1000, 29999, 30000, 30001, 60000, 90000, 300000}
	tests := []struct {
		threshold int64
		waits     string // T where a delay waits in the broker, in the order of delays
	}{
		{30000, "FFFFFTTTTT"},
		{60000, "FFFFFFFTTT"},
		{0, "FFFFFFFFFF"},
	}
	for _, test := range tests {
		p := policyOf(t, NoRetry().WaitInBrokerFrom(time.Duration(test.threshold)*time.Millisecond))
		for i, delay := range delays {
			if got := p.WaitsInBroker(time.Duration(delay) * time.Millisecond); got != (test.waits[i] == 'T') {
				t.Errorf("threshold %d, delay %d: got %v", test.threshold, delay, got)
			}
		}
	}
}

func TestRungForADelay(t *testing.T) {
	p := policyOf(t, Exponential(6, 10*time.Second, 5*time.Minute)) // rungs of 40s, 80s and 160s
	tests := []struct{ delay, want time.Duration }{
		{0, 40 * time.Second},
		{40 * time.Second, 40 * time.Second},
		{40*time.Second + 1, 80 * time.Second},
		{100 * time.Second, 160 * time.Second},
		{time.Hour, 160 * time.Second},
	}
	for _, test := range tests {
		if got, ok := p.Rung(test.delay); !ok || got != test.want {
			t.Errorf("%v: got %v, %v, want %v", test.delay, got, ok, test.want)
		}
	}
	if got, ok := policyOf(t, NoRetry()).Rung(time.Minute); ok {
		t.Errorf("no rungs: got %v", got)
	}
}

func TestIsZero(t *testing.T) {
	if !(Retry{}).IsZero() || NoRetry().IsZero() || Fixed(2, time.Second).IsZero() {
		t.Error("only the policy that was not chosen is zero")
	}
}

func policyOf(t *testing.T, r Retry) Policy {
	t.Helper()
	p, err := r.Policy()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func milliseconds(delays []time.Duration) []int64 {
	var ms []int64
	for _, delay := range delays {
		ms = append(ms, delay.Milliseconds())
	}
	return ms
}
