package outbox

import (
	"fmt"
	"log/slog"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Option changes how a relay works.
type Option func(*settings)

// The defaults of a relay (contract: outbox, claiming and relaying).
const (
	DefaultBatch    = 100
	DefaultPoll     = time.Second
	DefaultLease    = time.Minute
	DefaultAttempts = 10
)

type settings struct {
	batch  int
	poll   time.Duration
	lease  time.Duration
	retry  acemq.RetryPolicy
	logger *slog.Logger
}

// WithBatch sets how many records the relay takes at once, 1 to 10,000. While more are waiting, two batches are on the
// way side by side. The default is [DefaultBatch].
func WithBatch(n int) Option { return func(s *settings) { s.batch = n } }

// WithPoll sets how long the relay rests when there was nothing to publish. The default is [DefaultPoll].
func WithPoll(d time.Duration) Option { return func(s *settings) { s.poll = d } }

// WithLease sets for how long the relay takes a batch, at least a second. It is what a batch must be published in, and
// how long the records of a relay that died wait for another one. The default is [DefaultLease].
func WithLease(d time.Duration) Option { return func(s *settings) { s.lease = d } }

// WithRetry sets how often a record is tried before it is retired, and the waits in between. Its age limit has no part
// in it. The default is acemq.Exponential([DefaultAttempts], time.Second, time.Minute).
func WithRetry(policy acemq.RetryPolicy) Option { return func(s *settings) { s.retry = policy } }

// WithLogger sets where the relay reports what it cannot publish. The default is the connection's logger.
func WithLogger(logger *slog.Logger) Option { return func(s *settings) { s.logger = logger } }

func newSettings(conn *acemq.Conn, opts []Option) (settings, wire.Policy, error) {
	s := settings{
		batch:  DefaultBatch,
		poll:   DefaultPoll,
		lease:  DefaultLease,
		retry:  acemq.Exponential(DefaultAttempts, time.Second, time.Minute),
		logger: conn.Logger(),
	}
	for _, option := range opts {
		option(&s)
	}
	switch {
	case s.batch < 1 || s.batch > 10_000:
		return s, wire.Policy{}, fmt.Errorf("outbox: a batch of %d records: say 1 to 10,000", s.batch)
	case s.poll <= 0:
		return s, wire.Policy{}, fmt.Errorf("outbox: a poll every %v: say a positive time", s.poll)
	case s.lease < time.Second:
		return s, wire.Policy{}, fmt.Errorf("outbox: a lease of %v: say a second or more", s.lease)
	case s.logger == nil:
		return s, wire.Policy{}, fmt.Errorf("outbox: the logger is nil: say slog.New(slog.DiscardHandler) for none")
	}
	policy, err := s.retry.WaitInBrokerFrom(0).Policy() // every wait is the store's, and none a rung
	if err != nil {
		return s, wire.Policy{}, fmt.Errorf("outbox: %w", err)
	}
	return s, policy, nil
}
