package acemq

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Consumer takes the messages of one queue to a handler until it is closed. It may be used concurrently.
type Consumer struct {
	conn     *Conn
	queue    Queue
	policy   *wire.Policy // nil: none
	codec    Codec
	process  processor
	setAside *topology.Topology // what the consumer sends its copies to, beside the queue itself; nil: it is private
	log      *slog.Logger

	sub      transport.Consumer
	handling context.Context // of the handlers
	cancel   context.CancelFunc
	draining chan struct{} // closed when no further message is taken and no wait is waited out
	stopped  chan struct{} // closed when draining, and the broker hands out no more
	done     chan struct{} // closed when draining, and nothing is held any more
	stop     sync.Once
	freed    atomic.Bool

	holding sync.WaitGroup // workers, messages that wait off a worker, and the consumer itself until it is stopped
	held    atomic.Int64   // messages that were taken up and not settled
	workers workers
	declare chan struct{} // holds the place of the one that declares the set-aside queues again
	slow    slowdown
	tally   tally
}

// Consume starts a consumer of queue that decodes each message as a T, whatever its type says, and hands it to
// handler. Before it subscribes it verifies that the queue exists, and declares {queue}.dlq, {queue}.parked and the
// rungs of the retry policy; the queue itself is its owner's to declare. A missing queue is a [*NotFoundError].
//
// ctx bounds the start. Handlers get its values and not its end: close the consumer, or the connection, to stop.
func Consume[T any](ctx context.Context, conn *Conn, queue Queue, handler Handler[T], opts ...ConsumeOption) (*Consumer, error) {
	if handler == nil {
		return nil, startError(queue, errors.New("the handler is nil"))
	}
	return start(ctx, conn, queue, decodeAs(handler), opts)
}

// start makes a consumer and subscribes it.
func start(ctx context.Context, conn *Conn, queue Queue, process processor, opts []ConsumeOption) (*Consumer, error) {
	own, err := conn.consuming(queue, opts)
	if err != nil {
		return nil, startError(queue, err)
	}
	queue = own.queue
	policy, err := queue.policy()
	if err != nil {
		return nil, startError(queue, err)
	}
	log := conn.settings.logger.With("queue", queue.Name)
	c := &Consumer{
		conn:     conn,
		queue:    queue,
		policy:   policy,
		codec:    own.codec,
		process:  own.guarded(process, log),
		log:      log,
		draining: make(chan struct{}),
		stopped:  make(chan struct{}),
		done:     make(chan struct{}),
		declare:  make(chan struct{}, 1),
	}
	if !own.private {
		c.setAside = topology.SetAside(queue.Name, queue.Retry)
	}
	c.handling, c.cancel = context.WithCancel(withHandler(ctx, conn, c))
	if err := c.subscribe(ctx); err != nil {
		c.cancel()
		return nil, startError(queue, err)
	}
	return c, nil
}

func startError(queue Queue, err error) error {
	return fmt.Errorf("acemq: consume %q: %w", queue.Name, err)
}

// subscribe declares what the consumer needs, subscribes, and begins to work.
func (c *Consumer) subscribe(ctx context.Context) error {
	if err := c.declareSetAside(ctx); err != nil {
		return err
	}
	sub, err := c.conn.broker.Consume(ctx, transport.Subscription{Queue: c.queue.Name, Prefetch: c.queue.Prefetch})
	if err != nil {
		return err
	}
	c.sub = sub
	c.workers.limit, c.workers.started = c.queue.Concurrency, 1
	c.holding.Add(1) // until Stop
	if err := c.conn.add(c); err != nil {
		return errors.Join(err, sub.Close(ctx))
	}
	c.startWorker()
	go c.end()
	return nil
}

// declareSetAside declares the queues beside the consumer's own.
func (c *Consumer) declareSetAside(ctx context.Context) error {
	if c.setAside == nil {
		return nil
	}
	if err := c.setAside.Check(); err != nil {
		return err
	}
	return c.conn.broker.Declare(ctx, c.setAside)
}

// Queue returns the name of the queue.
func (c *Consumer) Queue() string { return c.queue.Name }

// Done is closed when the consumer has stopped and everything it held is settled.
func (c *Consumer) Done() <-chan struct{} { return c.done }

// isDraining reports whether the consumer was told to stop.
func (c *Consumer) isDraining() bool { return isClosed(c.draining) }

// isDone reports whether the consumer has stopped and holds nothing.
func (c *Consumer) isDone() bool { return isClosed(c.done) }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
