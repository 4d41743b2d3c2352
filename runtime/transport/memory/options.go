package memory

import "time"

// config is how a broker behaves.
type config struct {
	major, minor    int
	consumerTimeout time.Duration
	confirmTimeout  time.Duration
	firstDelay      time.Duration
	longestDelay    time.Duration
}

// defaults are those of RabbitMQ 4.2, the strictest of the versions, and of a connection (contract: publishing,
// reconnection).
var defaults = config{
	major: 4, minor: 2,
	consumerTimeout: 30 * time.Minute,
	confirmTimeout:  30 * time.Second,
	firstDelay:      time.Second,
	longestDelay:    30 * time.Second,
}

// window is how many messages of a connection wait for their answer at once (contract: publishing, outstanding
// publishes).
const window = 1000

// waitLimit bounds the wait for a connection whose context does not end.
const waitLimit = 30 * time.Second

// An Option changes how a broker behaves.
type Option func(*config)

// Version makes the broker behave as this version of RabbitMQ does; without it, as 4.2. Versions differ here in these
// points: before 4.0 quorum queues have no delivery limit unless they say one, and a published x-death counts as the
// history of a message; from 4.3 on, a delivery that is given back does not count towards the limit.
func Version(major, minor int) Option {
	return func(c *config) { c.major, c.minor = major, minor }
}

// ConsumerTimeout sets how long a delivery may stay unsettled before the broker closes its channel and takes back what
// is on it. Up to RabbitMQ 4.2 the broker looks once a minute. Without it, 30 minutes.
func ConsumerTimeout(d time.Duration) Option { return func(c *config) { c.consumerTimeout = d } }

// ConfirmTimeout sets how long a publisher waits for an answer until the outcome is unknown. Without it, 30 seconds.
func ConfirmTimeout(d time.Duration) Option { return func(c *config) { c.confirmTimeout = d } }

// Reconnect sets how long a lost connection, or a consumer whose queue is missing, waits before it tries again: first
// at the beginning, twice as long after each failure, longest at most. Without it, 1 second and 30 seconds.
func Reconnect(first, longest time.Duration) Option {
	return func(c *config) { c.firstDelay, c.longestDelay = first, longest }
}

// atLeast reports whether the broker behaves as this version or a later one.
func (c config) atLeast(major, minor int) bool {
	return c.major > major || c.major == major && c.minor >= minor
}

// backoff counts the delays between attempts. The zero backoff starts with the first delay.
type backoff struct{ last time.Duration }

// next returns the delay before the next attempt.
func (b *backoff) next(c config) time.Duration {
	b.last = min(max(2*b.last, c.firstDelay), c.longestDelay)
	return b.last
}
