package wire

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// DefaultBrokerWait is the delay from which a retry waits in the broker and not in the consumer
// (contract: retry, threshold).
const DefaultBrokerWait = 30 * time.Second

// Retry describes when a failed message is tried again. It is a value: each method returns a changed copy.
// [Retry.Policy] checks it.
type Retry struct {
	attempts   int
	initial    time.Duration
	limit      time.Duration
	factor     int
	maxAge     time.Duration
	jitter     float64
	brokerWait time.Duration
}

// NoRetry gives up on the first failure.
func NoRetry() Retry { return Retry{attempts: 1, factor: 1, brokerWait: DefaultBrokerWait} }

// Fixed delivers a message at most attempts times, the first included, with the same delay before each further one.
// It has no jitter: an exact delay is the point.
func Fixed(attempts int, delay time.Duration) Retry {
	return Retry{attempts: attempts, initial: delay, factor: 1, brokerWait: DefaultBrokerWait}
}

// Exponential delivers a message at most attempts times, the first included. The delay starts at initial and doubles
// up to limit; a limit of 0 means no limit. Waits in the consumer vary by 20 % in both directions.
func Exponential(attempts int, initial, limit time.Duration) Retry {
	return Retry{
		attempts: attempts, initial: initial, limit: limit, factor: 2,
		jitter: 0.2, brokerWait: DefaultBrokerWait,
	}
}

// GiveUpAfter also gives up on a message that was first published age ago or earlier. An age of 0 means no limit.
func (r Retry) GiveUpAfter(age time.Duration) Retry { r.maxAge = age; return r }

// Jitter varies each wait in the consumer by up to factor, from 0 to 1, in both directions. Waits in the broker are
// exact: the time of a rung is fixed when it is declared.
func (r Retry) Jitter(factor float64) Retry { r.jitter = factor; return r }

// WaitInBrokerFrom sets the delay from which a message waits in the broker. 0 means that it never does.
func (r Retry) WaitInBrokerFrom(delay time.Duration) Retry { r.brokerWait = delay; return r }

// Policy checks the description and returns the policy it describes. It refuses fewer than one attempt, delays under
// a millisecond, a jitter outside 0 to 1, negative times, and any delay that waits in the broker and is not a whole
// number of seconds or is longer than RabbitMQ's 2³²-1 ms: the libraries of the family name and time such a rung
// differently, and would not share it.
func (r Retry) Policy() (Policy, error) {
	switch {
	case r.attempts < 1:
		return Policy{}, fmt.Errorf("retry: %d attempts: a message is delivered at least once, so say 1 or more",
			r.attempts)
	case r.attempts > 1 && r.initial < time.Millisecond:
		return Policy{}, fmt.Errorf("retry: the delay is %v: say 1ms or more", r.initial)
	case r.limit < 0 || r.maxAge < 0 || r.brokerWait < 0:
		return Policy{}, errors.New("retry: a time is negative: say 0 for none")
	case r.limit > 0 && r.limit < time.Millisecond:
		return Policy{}, fmt.Errorf("retry: the limit is %v: say 1ms or more, or 0 for none", r.limit)
	case !(r.jitter >= 0 && r.jitter <= 1):
		return Policy{}, fmt.Errorf("retry: a jitter of %v: say a factor from 0 to 1", r.jitter)
	}
	p := Policy{r}
	for _, delay := range p.RungDelays() {
		switch {
		case delay%time.Second != 0:
			return Policy{}, fmt.Errorf("retry: a delay of %v waits in the broker and is not a whole number of "+
				"seconds: round it, or keep it in the consumer with WaitInBrokerFrom", delay)
		case delay > MaxTTL:
			return Policy{}, fmt.Errorf("retry: a delay of %v is longer than a broker can hold a message (%v): "+
				"set a limit", delay, MaxTTL)
		}
	}
	return p, nil
}

// Policy is a checked [Retry]. The zero Policy is that of no attempts; make one with [Retry.Policy].
type Policy struct{ r Retry }

// MaxAttempts returns how often a message is delivered at most, the first time included.
func (p Policy) MaxAttempts() int { return p.r.attempts }

// MaxAge returns the age from which a message is given up, 0 for none.
func (p Policy) MaxAge() time.Duration { return p.r.maxAge }

// JitterFactor returns by how much a wait in the consumer varies, from 0 to 1.
func (p Policy) JitterFactor() float64 { return p.r.jitter }

// BrokerWait returns the delay from which a message waits in the broker, 0 for never.
func (p Policy) BrokerWait() time.Duration { return p.r.brokerWait }

// Delay returns the wait after a failed attempt, before jitter. Attempts count from 1. All arithmetic is in whole
// milliseconds, parts of one cut off (contract: retry, policies).
func (p Policy) Delay(attempt int) time.Duration {
	delay, limit := p.r.initial.Truncate(time.Millisecond), p.r.limit.Truncate(time.Millisecond)
	if limit == 0 {
		limit = longest
	}
	for k := 1; k < attempt && p.r.factor > 1 && delay < limit; k++ {
		delay = min(delay, longest/2) * 2
	}
	return min(delay, limit)
}

// longest is the longest duration in whole milliseconds.
const longest = math.MaxInt64 / time.Millisecond * time.Millisecond

// Schedule returns the delays between the attempts, in order: one fewer than there are attempts.
func (p Policy) Schedule() []time.Duration {
	var delays []time.Duration
	for attempt := 1; attempt < p.r.attempts; attempt++ {
		delays = append(delays, p.Delay(attempt))
	}
	return delays
}

// WaitsInBroker reports whether a delay is waited out in the broker.
func (p Policy) WaitsInBroker(delay time.Duration) bool {
	return p.r.brokerWait > 0 && delay > 0 && delay >= p.r.brokerWait
}

// RungDelays returns the different delays that wait in the broker, from the shortest: one rung each.
func (p Policy) RungDelays() []time.Duration {
	var rungs []time.Duration
	for attempt, last := 1, time.Duration(-1); attempt < p.r.attempts; attempt++ {
		delay := p.Delay(attempt)
		if delay == last {
			break
		}
		last = delay
		if p.WaitsInBroker(delay) {
			rungs = append(rungs, delay)
		}
	}
	return rungs
}

// Rung returns the rung for a delay that the schedule does not name: the shortest that is long enough, or else the
// longest. It reports false where the policy has no rung.
func (p Policy) Rung(delay time.Duration) (time.Duration, bool) {
	rungs := p.RungDelays()
	for _, rung := range rungs {
		if rung >= delay {
			return rung, true
		}
	}
	if len(rungs) == 0 {
		return 0, false
	}
	return rungs[len(rungs)-1], true
}

// IsZero reports whether r describes nothing at all: no policy was chosen.
func (r Retry) IsZero() bool { return r == Retry{} }
