package flow

import "time"

// OrderedFlow is a declared ordered queue of messages of type T.
type OrderedFlow[T any] struct{}

// Ordered declares that messages of type T are handled in order, key by key: they are spread over partitions, one queue
// {name}.{i} each, all messages of a key in the same one. The key is a named function or a method expression. The
// variable Ledger gives NewLedgerPublisher, whose Publish returns the partition, and ConsumeLedger, whose consumer
// resumes the partitions that a message has halted.
//
// A number of partitions that is a power of two gives every library of the family the same partition for a key; with
// another number, say [PartitionedAs]. Changing the number moves keys to other partitions: drain the queues first.
//
//	// Ledger applies the entries of one account in order.
//	var Ledger = flow.Ordered("ledger", 8, LedgerEntry.Account, flow.OnFailure(flow.Halt, 3, time.Second))
func Ordered[T any](name string, partitions int, key func(T) string, opts ...OrderedOption) OrderedFlow[T] {
	return OrderedFlow[T]{}
}

// FailureMode is what an ordered queue does with a message that fails.
type FailureMode int

// The failure modes.
const (
	Halt         FailureMode = iota // after the attempts, stop the partition and keep the message until it is resumed
	RetryInPlace                    // try for ever, and keep all messages behind it waiting
	Skip                            // send it to the dead letters and go on: later messages of its key may be wrong
)

// OnFailure sets what becomes of a message that fails, how often it is tried, and the delay between the tries. The
// tries are made in place, because a message that goes back to its queue is overtaken. Without it, a partition halts
// after 3 attempts, a second apart.
//
//	flow.OnFailure(flow.Halt, 3, time.Second)
func OnFailure(mode FailureMode, attempts int, delay time.Duration) OrderedOption { return option{} }

// Partitioner is how a hash becomes the number of a partition.
type Partitioner int

// The partitioners. They agree wherever the number of partitions is a power of two.
const (
	DotNet   Partitioner = iota // the hash without its top bit, as .NET takes it
	Java                        // the hash as a signed number, as Java takes it
	Unsigned                    // the hash as an unsigned number, as Go, Python and Ruby take it
)

// PartitionedAs sets the partitioner, to share the queues with services in another language. The default is [DotNet].
//
//	flow.PartitionedAs(flow.Java)
func PartitionedAs(p Partitioner) OrderedOption { return option{} }
