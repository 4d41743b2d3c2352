package topology

import (
	"fmt"
	"time"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// QueueOption changes how a queue is declared.
type QueueOption interface{ apply(*settings) error }

type queueOption func(*settings) error

func (o queueOption) apply(s *settings) error { return o(s) }

// settings is what the options of one queue say together.
type settings struct {
	classic   bool
	bare      bool
	arguments wire.Table
	retry     wire.Retry
}

// Classic makes the queue a classic queue, on one node, in place of a quorum queue.
func Classic() QueueOption {
	return queueOption(func(s *settings) error { s.classic = true; return nil })
}

// Bare leaves the dead-letter arguments out, so that the queue carries its type alone. It is for queues that other
// libraries declare without arguments: the steps of a pipeline and the partitions of an ordered queue (contract:
// pipelines, topology). What the broker itself takes off such a queue is gone; what a consumer sets aside still goes to
// {queue}.dlq and {queue}.parked.
func Bare() QueueOption {
	return queueOption(func(s *settings) error { s.bare = true; return nil })
}

// TTL limits how long a message waits in the queue, in whole milliseconds; then it goes to {queue}.dlq.
func TTL(d time.Duration) QueueOption {
	return queueOption(func(s *settings) error {
		if d < time.Millisecond || d%time.Millisecond != 0 || d > wire.MaxTTL {
			return fmt.Errorf("a TTL of %v: say whole milliseconds, from 1ms to %v", d, wire.MaxTTL)
		}
		s.arguments["x-message-ttl"] = d.Milliseconds()
		return nil
	})
}

// MaxLength limits how many messages wait in the queue; one more sends the oldest to {queue}.dlq.
func MaxLength(n int64) QueueOption {
	return queueOption(func(s *settings) error {
		if n < 1 {
			return fmt.Errorf("a maximum length of %d: say 1 or more", n)
		}
		s.arguments["x-max-length"] = n
		return nil
	})
}

// SingleActive hands the messages to one consumer at a time, in order; the next one takes over when it goes.
func SingleActive() QueueOption {
	return queueOption(func(s *settings) error { s.arguments["x-single-active-consumer"] = true; return nil })
}

// Retry brings a rung for each delay of the policy that waits in the broker. The zero policy brings none.
func Retry(r wire.Retry) QueueOption {
	return queueOption(func(s *settings) error { s.retry = r; return nil })
}

// settings gathers the options of a queue, and keeps what is wrong with them.
func (t *Topology) settings(queue string, opts []QueueOption) settings {
	s := settings{arguments: wire.Table{}}
	for _, opt := range opts {
		if err := opt.apply(&s); err != nil {
			t.fault("queue %q: %w", queue, err)
		}
	}
	return s
}

func (t *Topology) fault(format string, args ...any) {
	t.faults = append(t.faults, fmt.Errorf(format, args...))
}
