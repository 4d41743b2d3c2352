package wire

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

// Decision is what becomes of a message that failed.
type Decision int

// The decisions, and where each message goes.
const (
	Exhausted      Decision = iota // {queue}.dlq: it was its last attempt
	TooOld                         // {queue}.dlq: it passed its age limit
	WaitInConsumer                 // {queue}, after the delay, with the attempt advanced
	WaitInBroker                   // {queue}.retry.{delay} at once, with the attempt advanced
)

// Decide says what becomes of a message that failed on an attempt, counted from 1, at an age, and after which delay
// it is tried again (contract: retry, the decision). An unknown age is negative and counts as young. The delay is
// exact; a wait in the consumer is then varied with [Policy.Vary].
func (p Policy) Decide(attempt int, age time.Duration) (Decision, time.Duration) {
	if attempt >= p.r.attempts {
		return Exhausted, 0
	}
	if p.r.maxAge > 0 && age >= p.r.maxAge {
		return TooOld, 0
	}
	delay := p.Delay(attempt)
	if p.WaitsInBroker(delay) {
		return WaitInBroker, delay
	}
	return WaitInConsumer, delay
}

// Vary applies the policy's jitter to a wait in the consumer. The random number goes from 0 up to 1; the result is at
// least a millisecond.
func (p Policy) Vary(delay time.Duration, random float64) time.Duration {
	varied := float64(delay) * (1 + p.r.jitter*(2*random-1))
	if varied >= math.MaxInt64 {
		return math.MaxInt64
	}
	return max(time.Duration(varied), time.Millisecond)
}

// maxReason is the longest text of the x-acemq-error header, in bytes. A header frame is never split, and one that is
// too large costs the connection.
const maxReason = 2048

// Reason texts of the x-acemq-error header.

// ExhaustedReason says that all attempts failed.
func ExhaustedReason(attempts int, cause error) string {
	unit := "attempts"
	if attempts == 1 {
		unit = "attempt"
	}
	return cut(fmt.Sprintf("exhausted %d %s: %s", attempts, unit, because(cause)))
}

// TooOldReason says that the message passed its age limit.
func TooOldReason(limit time.Duration, cause error) string {
	return cut(fmt.Sprintf("exceeded the maximum message age of %v: %s", limit, because(cause)))
}

// RejectedReason says that a handler gave the message up.
func RejectedReason(cause error) string { return cut("the handler rejected it: " + because(cause)) }

// FatalReason says that a handler reported an error that no retry can help.
func FatalReason(cause error) string {
	return cut("the handler reported an unprocessable message: " + because(cause))
}

// RefusedReason says that an interceptor refused the message before its handler.
func RefusedReason(cause error) string { return cut("an interceptor refused it: " + because(cause)) }

// ParkedReason says that a handler parked the message.
func ParkedReason(cause error) string { return cut("the handler parked it: " + because(cause)) }

// UndecodableReason says that nothing could read the message.
func UndecodableReason(cause error) string { return cut("could not be decoded: " + because(cause)) }

func because(cause error) string {
	if cause == nil || cause.Error() == "" {
		return "no reason given"
	}
	return cause.Error()
}

// cut makes a text one that the error header may hold: valid UTF-8, and shortened between two runes.
func cut(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= maxReason {
		return text
	}
	end := maxReason
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
