// Package rabbit is the transport over RabbitMQ.
//
// It keeps one connection for publishing and one for everything else, each with a supervisor of its own: a connection
// that is lost is made again for ever, with everything on it new. The life of one connection is an epoch; channels,
// confirms and deliveries belong to theirs and end with it. The recovery of amqp091-go stays off, because it gives a
// channel a second life under the same delivery tags.
package rabbit

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// Dial connects to a RabbitMQ at an amqp:// or amqps:// URL and returns once the connection for publishing stands. A
// URL may name the hosts of a cluster, separated by commas; they are tried in turn, now and at every reconnection. An
// error says which host answered what, and never holds the password.
func Dial(ctx context.Context, url string, options Options) (transport.Broker, error) {
	options = options.withDefaults()
	endpoints, err := parseURL(url, options)
	if err != nil {
		return nil, err
	}
	b := &broker{options: options, consumers: make(map[*consumer]struct{})}
	d := &dialer{endpoints: endpoints, options: options}
	b.publishing = newLink("publishing", d, b.redeclare)
	b.consuming = newLink("consuming", d, b.redeclare)
	b.declared = newLane(b.publishing, declaredWindow, func() {})
	b.data = newLane(b.publishing, dataWindow, b.known.forget)

	first, err := b.publishing.connect(ctx)
	if err != nil {
		return nil, err
	}
	b.publishing.start(first)
	return b, nil
}

// The windows of unanswered publishes. Together they stay below the contract's ceiling of 1,000 on a connection
// (contract: publishing, outstanding publishes).
const (
	declaredWindow = 512
	dataWindow     = 256
)

// broker implements transport.Broker.
type broker struct {
	options    Options
	publishing *link
	consuming  *link // also for declarations and questions: it never publishes, and so is never blocked
	declared   *lane
	data       *lane // for exchanges that come from data: a missing one costs its neighbours their channel
	registry   registry
	known      exchangeCache

	closed    atomic.Bool // set under the mutex
	mu        sync.Mutex
	consumers map[*consumer]struct{}
}

// Publish implements transport.Broker.
func (b *broker) Publish(ctx context.Context, m transport.Message) (transport.Pending, error) {
	m, err := transport.Check(m)
	if err != nil {
		return nil, err
	}
	if b.closed.Load() {
		return nil, refused(m, transport.ErrClosed)
	}
	if !m.FromData {
		return b.declared.publish(ctx, m)
	}
	if err := b.checkExchange(ctx, m.Exchange); err != nil {
		return nil, refused(m, err)
	}
	return b.data.publish(ctx, m)
}

// Inspect implements transport.Broker.
func (b *broker) Inspect(ctx context.Context, queue string) (transport.QueueState, error) {
	var state transport.QueueState
	err := b.ask(ctx, func(s *scratch) (err error) {
		state, err = s.inspect(queue)
		return err
	})
	return state, err
}

// State implements transport.Broker.
func (b *broker) State() transport.State {
	state := b.publishing.state()
	if consuming := b.consuming.state(); state.Up && b.consuming.isStarted() && !consuming.Up {
		consuming.Blocked = state.Blocked
		return consuming
	}
	if state.Reason == "" {
		state.Reason = b.unsubscribed()
	}
	return state
}

// unsubscribed says which consumer is waiting to come back, if one is.
func (b *broker) unsubscribed() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.consumers {
		if err := c.lost(); err != nil {
			return fmt.Sprintf("not consuming queue %q: %v", c.subscription.Queue, err)
		}
	}
	return ""
}

// Close implements transport.Broker. It waits for the answers to what was published, within ctx and its own bound.
func (b *broker) Close(ctx context.Context) error {
	b.mu.Lock()
	b.closed.Store(true)
	consumers := make([]*consumer, 0, len(b.consumers))
	for c := range b.consumers {
		consumers = append(consumers, c)
	}
	b.mu.Unlock()

	ctx, cancel := context.WithTimeout(ctx, b.options.CloseTimeout)
	defer cancel()
	var work sync.WaitGroup
	for _, c := range consumers {
		work.Go(func() { c.Close(ctx) })
	}
	for _, l := range []*lane{b.declared, b.data} {
		work.Go(func() { l.drain(ctx) })
	}
	work.Wait()
	for _, l := range []*link{b.publishing, b.consuming} {
		work.Go(func() { l.close(ctx) })
	}
	work.Wait()
	return nil
}

// enter counts a consumer in, unless the broker is closed.
func (b *broker) enter(c *consumer) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed.Load() {
		return transport.ErrClosed
	}
	b.consumers[c] = struct{}{}
	return nil
}

func (b *broker) leave(c *consumer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.consumers, c)
}
