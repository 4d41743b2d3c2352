package acemq

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
)

// Conn is a service's connection to one broker, made by [Dial]. It comes back after every loss, with what was declared
// and consumed on it, until Close. It may be used concurrently.
type Conn struct {
	broker   transport.Broker
	settings settings
	origin   string
	attached sync.Map              // what pattern packages keep, by its type; see Attached
	chain    atomic.Pointer[chain] // of interceptors and observers; nil where there are none

	mu      sync.Mutex
	members map[member]struct{} // what Close drains; nil once the connection closes

	closing  sync.Once
	closed   chan struct{} // closed when Close is over
	closeErr error         // what Close returns, once closed is
}

func newConn(broker transport.Broker, s settings) *Conn {
	c := &Conn{
		broker:   broker,
		settings: s,
		origin:   s.origin(),
		members:  make(map[member]struct{}),
		closed:   make(chan struct{}),
	}
	c.chain.Store(newChain(c, s.interceptors))
	return c
}

// Declare checks a topology and declares it. It is safe to repeat. A [*ConflictError] says that the broker has an
// object of the same name with other settings, a [*NotFoundError] that something external is missing.
func (c *Conn) Declare(ctx context.Context, t *topology.Topology) error {
	if err := t.Check(); err != nil {
		return fmt.Errorf("acemq: declare: %w", err)
	}
	if err := c.broker.Declare(ctx, t); err != nil {
		return fmt.Errorf("acemq: declare: %w", err)
	}
	return nil
}

// Inspect asks for the state of a queue without changing it. A missing queue is a [*NotFoundError].
func (c *Conn) Inspect(ctx context.Context, queue string) (QueueState, error) {
	state, err := c.broker.Inspect(ctx, queue)
	if err != nil {
		return QueueState{}, fmt.Errorf("acemq: inspect: %w", err)
	}
	return state, nil
}

// State tells how the connection is, without asking the broker.
func (c *Conn) State() State { return c.broker.State() }

// Codec returns the codec of every publisher and consumer that has none of its own.
func (c *Conn) Codec() Codec { return c.settings.codec }

// Logger returns where the connection reports. It is for the pattern packages.
func (c *Conn) Logger() *slog.Logger { return c.settings.logger }

// Origin returns the process as its messages name it in x-acemq-origin: service@host.
func (c *Conn) Origin() string { return c.origin }

// Subscribe subscribes to a queue without the engine: the caller settles each delivery itself, and nothing is declared,
// decoded or retried. It is for the pattern packages; applications use [Consume]. The subscription comes back after
// every loss until it or the connection is closed; Close waits for what it holds where its owner has joined the
// connection ([Conn.Join]). A missing queue is a [*NotFoundError].
func (c *Conn) Subscribe(ctx context.Context, s transport.Subscription) (transport.Consumer, error) {
	sub, err := c.broker.Consume(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("acemq: subscribe: %w", err)
	}
	return sub, nil
}

// bound applies the publish timeout.
func (c *Conn) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	if d := c.settings.publishTimeout; d > 0 {
		return context.WithTimeout(ctx, d)
	}
	return ctx, func() {}
}
