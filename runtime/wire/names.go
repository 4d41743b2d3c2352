package wire

import (
	"strconv"
	"time"
)

// The exchanges of the contract, all durable and direct.
const (
	DeadLetterExchange = "acemq.dlx"   // brings dead letters of the broker to {queue}.dlq
	RetryExchange      = "acemq.retry" // brings an expired message from its rung home to {queue}
)

// IsShared reports whether an exchange is one that all services on a broker share: those above, and [ScheduleExchange].
func IsShared(exchange string) bool {
	switch exchange {
	case DeadLetterExchange, RetryExchange, ScheduleExchange:
		return true
	}
	return false
}

// DeadLetterQueue returns the queue that takes what queue gave up on.
func DeadLetterQueue(queue string) string { return queue + ".dlq" }

// ParkedQueue returns the queue that takes what no consumer of queue could read.
func ParkedQueue(queue string) string { return queue + ".parked" }

// RungQueue returns the queue in which a message of queue waits for delay: the delay in whole hours, minutes or
// seconds, whichever is the largest that divides it (contract: retry, rung names). Rungs have whole seconds, see
// [Retry.Policy]; a part of a second is cut off, as in Go, Python and Ruby.
func RungQueue(queue string, delay time.Duration) string {
	return queue + ".retry." + delayName(max(delay.Truncate(time.Second), 0))
}

// delayName returns a delay of whole seconds in hours, minutes or seconds, whichever is the largest that divides it.
func delayName(delay time.Duration) string {
	unit, letter := time.Second, "s"
	switch {
	case delay == 0:
	case delay%time.Hour == 0:
		unit, letter = time.Hour, "h"
	case delay%time.Minute == 0:
		unit, letter = time.Minute, "m"
	}
	return strconv.FormatInt(int64(delay/unit), 10) + letter
}

// SetAsideArguments returns the arguments of a .dlq or .parked queue: none, so that it is classic and does not
// dead-letter any further.
func SetAsideArguments() Table { return Table{} }

// RungArguments returns the arguments of a rung of queue. There are exactly three: a fourth would make the next
// service's declaration fail (contract: retry, rung arguments).
func RungArguments(queue string, delay time.Duration) Table {
	return Table{
		"x-message-ttl":             delay.Milliseconds(),
		"x-dead-letter-exchange":    RetryExchange,
		"x-dead-letter-routing-key": queue,
	}
}

// DeadLetterArguments returns the arguments that send what the broker itself takes off queue (expired, over its
// length, over its delivery limit) to {queue}.dlq (contract: topology, dead-lettering).
func DeadLetterArguments(queue string) Table {
	return Table{
		"x-dead-letter-exchange":    DeadLetterExchange,
		"x-dead-letter-routing-key": DeadLetterQueue(queue),
	}
}
