package ordered

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Declaration says how an ordered queue is split, and what becomes of a message that fails. Generated code has one for
// each ordered queue, which its publisher, its consumer and its topology share.
type Declaration struct {
	Name        string           // of the ordered queue; its partitions are queues of their own
	Partitions  int              // 1 to wire.MaxPartitions; changing it moves keys, so drain the queues first
	Partitioner wire.Partitioner // whose partitions and queue names they are; the zero value is .NET's

	// OnFailure is what becomes of a message that fails; the zero value is Halt.
	OnFailure FailureMode

	// Attempts is how often a message is tried before OnFailure decides; 0 is DefaultAttempts, and 1 for Skip. A
	// partition that is RetryInPlace tries for ever.
	Attempts int

	// Delay is the wait between two attempts, with the message held; 0 is DefaultDelay.
	Delay time.Duration

	// SingleActive lets one process at a time consume a partition, and the next one take over when it goes. The queue
	// then has an argument that services in Java and .NET do not declare it with, so they cannot share it.
	SingleActive bool

	// Idempotent handles a message once, however often it is delivered, and is how long a message may be claimed that
	// is neither done nor failed; 0 is off. The store is given when the consumer starts ([WithIdempotency]).
	Idempotent time.Duration
}

// What a declaration that says nothing else means (contract: ordered by key, failure modes).
const (
	DefaultAttempts = 3
	DefaultDelay    = time.Second
)

// FailureMode is what becomes of a message that fails.
type FailureMode int

// The failure modes.
const (
	// Halt stops the partition once the attempts are used up: the message is held, and nothing behind it is delivered
	// until [Consumer.Resume]. A [acemq.Fatal] error halts at once.
	Halt FailureMode = iota

	// RetryInPlace tries the message for ever, and holds everything behind it. A [acemq.Fatal] error halts the partition.
	RetryInPlace

	// Skip sends the message to {queue}.dlq once the attempts are used up, and goes on with the next: later messages of
	// its key are applied without it.
	Skip
)

// String returns the mode as flow.go spells it.
func (m FailureMode) String() string {
	switch m {
	case Halt:
		return "Halt"
	case RetryInPlace:
		return "RetryInPlace"
	case Skip:
		return "Skip"
	}
	return "FailureMode(" + strconv.Itoa(int(m)) + ")"
}

// Check says what is wrong with the declaration.
func (d Declaration) Check() error {
	switch {
	case d.Name == "":
		return errors.New("the ordered queue has no name")
	case d.Partitioner < wire.DotNet || d.Partitioner > wire.Unsigned:
		return fmt.Errorf("the partitioner %v: say DotNet, Java or Unsigned", d.Partitioner)
	case d.OnFailure < Halt || d.OnFailure > Skip:
		return fmt.Errorf("the failure mode %v: say Halt, RetryInPlace or Skip", d.OnFailure)
	case d.Attempts < 0:
		return fmt.Errorf("%d attempts: say 1 or more, or 0 for the default", d.Attempts)
	case d.Delay < 0:
		return fmt.Errorf("a delay of %v: say a positive one, or 0 for the default", d.Delay)
	case d.Idempotent < 0:
		return fmt.Errorf("a lease of %v: say a positive one, or 0 for none", d.Idempotent)
	}
	return wire.CheckPartitions(d.Partitions)
}

// complete checks the declaration and fills in its defaults.
func (d Declaration) complete() (Declaration, error) {
	switch {
	case d.Attempts != 0:
	case d.OnFailure == Skip:
		d.Attempts = 1
	default:
		d.Attempts = DefaultAttempts
	}
	if d.Delay == 0 {
		d.Delay = DefaultDelay
	}
	return d, d.Check()
}

// Partition returns the partition of a key, counted from 0.
func (d Declaration) Partition(key string) int { return d.Partitioner.Partition(key, d.Partitions) }

// Queue returns the queue of a partition.
func (d Declaration) Queue(partition int) string {
	return d.Partitioner.PartitionQueue(d.Name, partition)
}

// Topology returns what the ordered queue is on a broker: a quorum queue for each partition, with no argument beside
// its type and SingleActive, each with its {queue}.dlq and {queue}.parked; for services in Java, the direct exchange
// {name} and the bindings p0, p1 and so on (contract: ordered by key, topology).
func (d Declaration) Topology() *topology.Topology {
	t := topology.New()
	opts := []topology.QueueOption{topology.Bare()}
	if d.SingleActive {
		opts = append(opts, topology.SingleActive())
	}
	exchange := d.Partitioner.PartitionExchange(d.Name)
	if exchange != "" {
		t.Exchange(exchange, topology.Direct)
	}
	for i := range d.Partitions {
		t.Queue(d.Queue(i), opts...)
		if exchange != "" {
			t.Bind(d.Queue(i), exchange, d.Partitioner.PartitionKey(d.Name, i))
		}
	}
	return t
}
