package ordered

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Handler takes the messages of one partition, one at a time and in order; those of different partitions concurrently.
// An error, or a panic, is a failure: the message is tried again in place. [acemq.Message.Attempt] is the number of the
// try. The context ends when the consumer is closed and the handler did not return within the drain timeout; it carries
// the values of the context that the consumer was started with.
type Handler[T any] func(ctx context.Context, m *acemq.Message[T]) error

// Consumer consumes the partitions of an ordered queue until it is closed. It may be used concurrently.
type Consumer struct {
	conn        *acemq.Conn
	declaration Declaration
	process     processor
	setAside    *topology.Topology // the queues beside the partitions
	log         *slog.Logger
	partitions  []*partition // in order

	handling  context.Context // of the handlers
	cancel    context.CancelFunc
	leave     func()        // out of what the connection drains
	stopping  chan struct{} // closed when no further attempt begins
	abandoned chan struct{} // closed when handlers are waited for no longer
	done      chan struct{} // closed when no worker runs
	stop      sync.Once
	abandon   sync.Once
	workers   sync.WaitGroup
	tally     tally
}

// Consume starts a consumer of an ordered queue: for each partition one worker, to which the broker hands one message
// at a time. It verifies that the partitions exist, and declares their {queue}.dlq and {queue}.parked; the partitions
// themselves are their owner's to declare. A missing queue is a [*acemq.NotFoundError].
//
// Nothing keeps another process from consuming the same partitions, which breaks the order: run one process, give each
// its own with [Partitions], or declare the queue SingleActive.
//
// ctx bounds the start. Close the consumer, or the connection, to stop.
func Consume[T any](ctx context.Context, conn *acemq.Conn, d Declaration, handler Handler[T], opts ...Option) (*Consumer, error) {
	own := options{codec: conn.Codec()}
	for _, option := range opts {
		option(&own)
	}
	c, err := newConsumer(conn, d, own)
	switch {
	case err != nil:
	case handler == nil:
		err = errors.New("the handler is nil")
	default:
		c.process = handle(c, own, handler)
		err = c.start(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("acemq: consume the ordered queue %q: %w", d.Name, err)
	}
	return c, nil
}

// newConsumer checks what a consumer is told and makes it, not started.
func newConsumer(conn *acemq.Conn, d Declaration, own options) (*Consumer, error) {
	d, err := d.complete()
	if err != nil {
		return nil, err
	}
	switch {
	case own.codec == nil:
		return nil, errors.New("the codec is nil")
	case d.Idempotent > 0 && own.store == nil:
		return nil, errors.New("the queue is idempotent and has no store: say WithIdempotency")
	}
	c := &Consumer{
		conn:        conn,
		declaration: d,
		setAside:    topology.New(),
		log:         conn.Logger().With("ordered", d.Name),
		stopping:    make(chan struct{}),
		abandoned:   make(chan struct{}),
		done:        make(chan struct{}),
	}
	return c, c.choose(own.partitions)
}

// choose makes the partitions of these numbers, of all where there are none.
func (c *Consumer) choose(numbers []int) error {
	if numbers == nil {
		for i := range c.declaration.Partitions {
			numbers = append(numbers, i)
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	if len(numbers) == 0 || numbers[0] < 0 || numbers[len(numbers)-1] >= c.declaration.Partitions {
		return fmt.Errorf("the partitions %v: say some of 0 to %d", numbers, c.declaration.Partitions-1)
	}
	for _, n := range numbers {
		queue := c.declaration.Queue(n)
		c.setAside.Merge(topology.SetAside(queue, wire.Retry{}))
		c.partitions = append(c.partitions, &partition{
			consumer: c,
			number:   n,
			queue:    queue,
			log:      c.log.With("queue", queue),
		})
	}
	return nil
}

// start declares what the consumer needs, subscribes to each partition, and begins to work.
func (c *Consumer) start(ctx context.Context) error {
	handling, leave, err := c.conn.Join(ctx, c)
	if err != nil {
		return err
	}
	c.handling, c.cancel = context.WithCancel(handling)
	c.leave = leave
	if err = c.conn.Declare(ctx, c.setAside); err == nil {
		err = c.subscribe(ctx)
	}
	for _, p := range c.partitions {
		if err != nil {
			p.unsubscribe()
			continue
		}
		c.workers.Go(p.run)
	}
	go c.end()
	return err
}

func (c *Consumer) subscribe(ctx context.Context) error {
	for _, p := range c.partitions {
		if err := p.subscribe(ctx); err != nil {
			return err
		}
	}
	return nil
}

// isStopping reports whether the consumer was told to stop.
func (c *Consumer) isStopping() bool {
	select {
	case <-c.stopping:
		return true
	default:
		return false
	}
}

// subscription is how a partition is consumed (contract: ordered by key, hazards). The broker's consumer timeout would
// take a message that is held away from a partition; RabbitMQ 4.3 lets a consumer of a quorum queue set it, earlier
// versions ignore the argument.
func subscription(queue string) transport.Subscription {
	return transport.Subscription{
		Queue:     queue,
		Prefetch:  1,
		InOrder:   true,
		Arguments: wire.Table{"x-consumer-timeout": longestHold.Milliseconds()},
	}
}

// longestHold is the longest time that the broker takes as a consumer timeout.
const longestHold = wire.MaxTTL
