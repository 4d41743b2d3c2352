package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
)

func (c *connection) Declare(ctx context.Context, t *topology.Topology) error {
	checked, err := transport.CheckTopology(t)
	if err != nil {
		return err
	}
	if err := c.enter(ctx); err != nil {
		return fmt.Errorf("declare: %w", err)
	}
	defer c.node.mu.Unlock()
	if err := c.node.declare(checked); err != nil {
		return err
	}
	c.remember(checked)
	return nil
}

func (c *connection) Inspect(ctx context.Context, name string) (transport.QueueState, error) {
	if err := c.enter(ctx); err != nil {
		return transport.QueueState{}, fmt.Errorf("inspect %s: %w", name, err)
	}
	defer c.node.mu.Unlock()
	q, err := c.node.queue(name)
	if err != nil {
		return transport.QueueState{}, err
	}
	q.used()
	return transport.QueueState{Ready: q.ready.Len(), Consumers: len(q.consumers)}, nil
}

// remember keeps what was declared, to declare it again after a loss. What is external is somebody else's to declare.
func (c *connection) remember(t *topology.Topology) {
	for _, x := range t.Exchanges {
		if x.External {
			continue
		}
		c.declared.Exchanges = put(c.declared.Exchanges, x,
			func(o topology.Exchange) bool { return o.Name == x.Name })
	}
	for _, q := range t.Queues {
		if q.External {
			continue
		}
		c.declared.Queues = put(c.declared.Queues, q,
			func(o topology.Queue) bool { return o.Name == q.Name })
	}
	for _, b := range t.Bindings {
		c.declared.Bindings = put(c.declared.Bindings, b, func(o topology.Binding) bool {
			return o.Queue == b.Queue && o.Exchange == b.Exchange && o.Key == b.Key &&
				maps.EqualFunc(o.Arguments, b.Arguments, sameValue)
		})
	}
}

// put replaces the item that is the same, or adds one.
func put[T any](list []T, item T, same func(T) bool) []T {
	if i := slices.IndexFunc(list, same); i >= 0 {
		list[i] = item
		return list
	}
	return append(list, item)
}

// declare declares a topology in its order, up to the first part that the broker refuses.
func (n *node) declare(t *topology.Topology) error {
	for _, x := range t.Exchanges {
		if err := n.declareExchange(x); err != nil {
			return err
		}
	}
	for _, q := range t.Queues {
		if err := n.declareQueue(q); err != nil {
			return err
		}
	}
	for _, b := range t.Bindings {
		x, err := n.exchange(b.Exchange)
		if err != nil {
			return err
		}
		q, err := n.queue(b.Queue)
		if err != nil {
			return err
		}
		x.bind(binding{q, b.Key, b.Arguments})
	}
	return nil
}

// exchange returns an exchange, or a *transport.NotFoundError.
func (n *node) exchange(name string) (*exchange, error) {
	if x := n.exchanges[name]; x != nil {
		return x, nil
	}
	return nil, &transport.NotFoundError{Object: "exchange " + name}
}

// queue returns a queue, or a *transport.NotFoundError.
func (n *node) queue(name string) (*queue, error) {
	if q := n.queues[name]; q != nil {
		return q, nil
	}
	return nil, &transport.NotFoundError{Object: "queue " + name}
}

func (n *node) declareExchange(x topology.Exchange) error {
	current, err := n.exchange(x.Name)
	object := "exchange " + x.Name
	switch {
	case x.External:
		return err
	case current != nil && current.kind != x.Kind:
		return &transport.ConflictError{Object: object, Reason: fmt.Sprintf(
			"inequivalent arg 'type' for exchange '%s': received '%s' but current is '%s'", x.Name, x.Kind, current.kind)}
	case current != nil:
		return nil
	case strings.HasPrefix(x.Name, "amq."):
		return fmt.Errorf("declare %s: names that begin with amq. belong to the broker", object)
	}
	n.exchanges[x.Name] = newExchange(x.Name, x.Kind)
	return nil
}

func (n *node) declareQueue(q topology.Queue) error {
	current, err := n.queue(q.Name)
	object := "queue " + q.Name
	switch {
	case q.External:
		return err
	case current != nil:
		if reason := difference(q.Name, current.arguments, q.Arguments); reason != "" {
			return &transport.ConflictError{Object: object, Reason: reason}
		}
		current.used()
		return nil
	case strings.HasPrefix(q.Name, "amq."):
		return fmt.Errorf("declare %s: names that begin with amq. belong to the broker", object)
	}
	s, err := readSettings(q.Arguments, n.config)
	if err != nil {
		return fmt.Errorf("declare %s: %w", object, err)
	}
	n.queues[q.Name] = newQueue(n, q.Name, q.Arguments, s)
	return nil
}
