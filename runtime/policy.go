package acemq

import (
	"time"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// RetryPolicy describes when a failed message is tried again. It is a value; its methods GiveUpAfter, Jitter and
// WaitInBrokerFrom return changed copies. The zero RetryPolicy is that of no policy: see [Queue].
type RetryPolicy = wire.Retry

// NoRetry gives up on the first failure.
func NoRetry() RetryPolicy { return wire.NoRetry() }

// Fixed delivers a message at most attempts times, the first included, with the same exact delay before each further
// one.
func Fixed(attempts int, delay time.Duration) RetryPolicy { return wire.Fixed(attempts, delay) }

// Exponential delivers a message at most attempts times, the first included. The delay starts at initial and doubles
// up to limit; a limit of 0 means no limit. Waits in the consumer vary by 20 % in both directions.
func Exponential(attempts int, initial, limit time.Duration) RetryPolicy {
	return wire.Exponential(attempts, initial, limit)
}
