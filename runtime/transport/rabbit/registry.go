package rabbit

import (
	"context"
	"fmt"
	"slices"
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/runtime/topology"
)

// registry is what was declared and is to be declared again on every new connection. Its zero value is empty.
type registry struct {
	mu       sync.Mutex
	declared topology.Topology
	seen     map[string]bool
}

// add remembers what a service declared, once. What is external is somebody else's to declare.
func (r *registry) add(t *topology.Topology) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range t.Exchanges {
		if !x.External && r.first("exchange", x.Name) {
			r.declared.Exchanges = append(r.declared.Exchanges, x)
		}
	}
	for _, q := range t.Queues {
		if !q.External && r.first("queue", q.Name) {
			r.declared.Queues = append(r.declared.Queues, q)
		}
	}
	for _, b := range t.Bindings {
		if r.first("binding", b.Queue, b.Exchange, b.Key, fmt.Sprint(b.Arguments)) {
			r.declared.Bindings = append(r.declared.Bindings, b)
		}
	}
}

// first reports whether an object is seen for the first time. The caller holds the mutex.
func (r *registry) first(parts ...string) bool {
	key := fmt.Sprintf("%q", parts)
	if r.seen[key] {
		return false
	}
	if r.seen == nil {
		r.seen = make(map[string]bool)
	}
	r.seen[key] = true
	return true
}

// all returns what is remembered.
func (r *registry) all() topology.Topology {
	r.mu.Lock()
	defer r.mu.Unlock()
	return topology.Topology{
		Exchanges: slices.Clone(r.declared.Exchanges),
		Queues:    slices.Clone(r.declared.Queues),
		Bindings:  slices.Clone(r.declared.Bindings),
	}
}

// around returns what is remembered of one queue: the queue and its bindings, if this service declared it.
func (r *registry) around(queue string) topology.Topology {
	t := r.all()
	t.Exchanges = nil
	t.Queues = slices.DeleteFunc(t.Queues, func(q topology.Queue) bool { return q.Name != queue })
	t.Bindings = slices.DeleteFunc(t.Bindings, func(b topology.Binding) bool { return b.Queue != queue })
	return t
}

// empty reports whether a topology holds nothing.
func empty(t topology.Topology) bool { return len(t.Exchanges)+len(t.Queues)+len(t.Bindings) == 0 }

// exchangeCache knows which exchanges there are, as far as a question has shown, so that a message to an exchange that
// comes from data is refused with a clear error instead of costing its neighbours their channel. Its zero value knows
// none.
type exchangeCache struct {
	mu    sync.Mutex
	known map[string]bool
}

func (c *exchangeCache) has(exchange string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[exchange]
}

func (c *exchangeCache) add(exchange string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	const most = 10_000
	if c.known == nil || len(c.known) >= most {
		c.known = make(map[string]bool)
	}
	c.known[exchange] = true
}

// forget drops what is known, after an exchange turned out to be gone.
func (c *exchangeCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = nil
}

// checkExchange returns a *transport.NotFoundError where an exchange does not exist.
func (b *broker) checkExchange(ctx context.Context, exchange string) error {
	if exchange == "" || b.known.has(exchange) {
		return nil
	}
	err := b.ask(ctx, func(s *scratch) error {
		return s.do(func(ch *amqp.Channel) error {
			return ch.ExchangeDeclarePassive(exchange, amqp.ExchangeDirect, true, false, false, false, nil)
		})
	})
	if err != nil {
		return explain(named("exchange", exchange), err)
	}
	b.known.add(exchange)
	return nil
}
