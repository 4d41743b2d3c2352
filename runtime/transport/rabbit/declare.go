package rabbit

import (
	"context"
	"strings"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
)

// Declare implements transport.Broker.
func (b *broker) Declare(ctx context.Context, t *topology.Topology) error {
	t, err := transport.CheckTopology(t)
	if err != nil {
		return err
	}
	err = b.ask(ctx, func(s *scratch) error { return s.declare(t) })
	if err == nil {
		b.registry.add(t)
	}
	return err
}

// redeclare declares on a new connection what was declared before. What the broker refuses is logged and left: it is
// the business of those who use it, and the rest is still wanted.
func (b *broker) redeclare(ctx context.Context, e *epoch) error {
	t := b.registry.all()
	if empty(t) {
		return nil
	}
	return b.restore(ctx, e, t)
}

// restore declares a topology object by object.
func (b *broker) restore(ctx context.Context, e *epoch, t topology.Topology) error {
	return e.scratch(ctx, func(s *scratch) error {
		for _, declare := range s.steps(&t) {
			err := declare()
			if isLoss(err) || s.ctx.Err() != nil {
				return err
			}
			if err != nil {
				b.options.Logger.Warn("cannot declare again after the connection was lost", "error", err)
			}
		}
		return nil
	})
}

// declare declares a topology and stops at the first refusal.
func (s *scratch) declare(t *topology.Topology) error {
	for _, declare := range s.steps(t) {
		if err := declare(); err != nil {
			return err
		}
	}
	return nil
}

// steps returns the declarations of a topology in their order.
func (s *scratch) steps(t *topology.Topology) []func() error {
	var steps []func() error
	for _, x := range t.Exchanges {
		steps = append(steps, func() error { return s.exchange(x) })
	}
	for _, q := range t.Queues {
		steps = append(steps, func() error { return s.queue(q) })
	}
	for _, bind := range t.Bindings {
		steps = append(steps, func() error { return s.bind(bind) })
	}
	return steps
}

func (s *scratch) exchange(x topology.Exchange) error {
	err := s.do(func(ch *amqp.Channel) error {
		if x.External {
			return ch.ExchangeDeclarePassive(x.Name, string(x.Kind), true, false, false, false, nil)
		}
		return ch.ExchangeDeclare(x.Name, string(x.Kind), true, false, false, false, nil)
	})
	return explain(named("exchange", x.Name), err)
}

func (s *scratch) queue(q topology.Queue) error {
	if q.External {
		_, err := s.inspect(q.Name)
		return err
	}
	err := s.do(func(ch *amqp.Channel) error { return declareQueue(ch, q) })
	return explain(named("queue", q.Name), err)
}

func declareQueue(ch *amqp.Channel, q topology.Queue) error {
	_, err := ch.QueueDeclare(q.Name, true, false, false, false, encoded(q.Arguments))
	return err
}

func (s *scratch) bind(b topology.Binding) error {
	err := s.do(func(ch *amqp.Channel) error {
		return ch.QueueBind(b.Queue, b.Key, b.Exchange, false, encoded(b.Arguments))
	})
	object := named("queue", b.Queue)
	if err != nil && strings.Contains(err.Error(), "no exchange") {
		object = named("exchange", b.Exchange)
	}
	return explain(object, err)
}

// named names an object of the broker in an error.
func named(kind, name string) string { return kind + " " + name }
