package ordered

import (
	"context"
	"errors"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// Handler takes the messages of one partition, one at a time and in order; those of different partitions concurrently.
// An error, or a panic, is a failure: the message is tried again in place. [acemq.Message.Attempt] is the number of the
// try. The context ends when the consumer is closed and the handler did not return within the drain timeout; it carries
// the values of the context that the consumer was started with.
type Handler[T any] func(ctx context.Context, m *acemq.Message[T]) error

// Option changes how a consumer consumes.
type Option func(*options)

type options struct {
	codec      acemq.Codec
	partitions []int
}

// DecodeWith sets the codec of the consumer. The default is the connection's.
func DecodeWith(codec acemq.Codec) Option { return func(o *options) { o.codec = codec } }

// Partitions consumes these partitions alone, so that several processes share an ordered queue without taking
// messages from each other. The default is all of them.
func Partitions(partitions ...int) Option { return func(o *options) { o.partitions = partitions } }

// Consumer consumes the partitions of an ordered queue until it is closed. It may be used concurrently.
type Consumer struct{}

// Consume starts a consumer of an ordered queue: for each partition one worker, to which the broker hands one message
// at a time. It verifies that the partitions exist, and declares their {queue}.dlq and {queue}.parked. A missing queue
// is a [*acemq.NotFoundError].
//
// ctx bounds the start. Close the consumer, or the connection, to stop.
func Consume[T any](ctx context.Context, conn *acemq.Conn, d Declaration, handler Handler[T], opts ...Option) (*Consumer, error) {
	return nil, errors.New("not made yet")
}

// ErrNotHalted is returned by Resume for a partition that is not halted.
var ErrNotHalted = errors.New("the partition is not halted")

// HaltedPartitions returns the partitions that are halted, in order.
func (c *Consumer) HaltedPartitions() []int { return nil }

// HaltOf is a halted partition.
type HaltOf struct {
	Partition int
	Queue     string
	MessageID string    // of the message that is held
	Since     time.Time // when it halted
	Reason    error     // what its handler returned
}

// Halts returns the partitions that are halted, in order, and why.
func (c *Consumer) Halts() []HaltOf { return nil }

// Resume has a halted partition try its message again, from the first attempt. It returns at once. The error is
// [ErrNotHalted], or says that the partition is not consumed here.
func (c *Consumer) Resume(partition int) error { return ErrNotHalted }

// Counts are what a consumer has done since it started.
type Counts struct {
	Handled int64 // messages that their handler took
	Failed  int64 // attempts that failed
	Skipped int64 // messages in {queue}.dlq
	Parked  int64 // messages in {queue}.parked: no handler could read them
	Halts   int64 // times that a partition halted

	SetAsideFailed int64 // copies to {queue}.dlq or {queue}.parked that did not land; they are sent again
	Lost           int64 // messages whose channel was lost while they were held; they came again
}

// Counts returns the counts so far.
func (c *Consumer) Counts() Counts { return Counts{} }

// Done is closed when the consumer has stopped and holds nothing.
func (c *Consumer) Done() <-chan struct{} { return nil }

// Close takes no more messages, waits for running handlers up to [acemq.DefaultDrainTimeout] or the end of ctx, and gives
// back what is held, halted or not, at its place in the queue. What had to be cut off is an
// [*acemq.DrainTimeoutError].
func (c *Consumer) Close(ctx context.Context) error { return nil }
