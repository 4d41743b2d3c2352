package ordered

import (
	"context"
	"fmt"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// Route says how the messages of one publisher are spread over an ordered queue, and what they carry. Generated code
// has one for each ordered queue.
type Route[T any] struct {
	Declaration
	Key     func(T) string // messages of one key keep their order; an empty key is a key like any other
	Type    string         // the logical type, "ledger.entry"; empty takes the routing key, as .NET does
	Version int            // the schema version of the payload, from 1
	Codec   acemq.Codec    // nil takes the connection's
}

// Publisher sends messages to the partitions of their keys. It may be used concurrently.
type Publisher[T any] struct {
	key        func(T) string
	route      Declaration
	partitions []*acemq.Publisher[T]
	fault      error // what is wrong with the route
}

// NewPublisher returns a publisher on conn. It costs nothing and needs no closing. What is wrong with the route, each
// publish says.
func NewPublisher[T any](conn *acemq.Conn, route Route[T]) *Publisher[T] {
	p := &Publisher[T]{key: route.Key, route: route.Declaration, fault: route.Check()}
	if p.fault == nil && route.Key == nil {
		p.fault = fmt.Errorf("the ordered queue %q has no key function", route.Name)
	}
	if p.fault != nil {
		return p
	}
	for i := range route.Partitions {
		p.partitions = append(p.partitions, acemq.NewPublisher(conn, acemq.Route[T]{
			Exchange: route.Partitioner.PartitionExchange(route.Name),
			Key:      route.Partitioner.PartitionKey(route.Name, i),
			Type:     route.Type,
			Version:  route.Version,
			Codec:    route.Codec,
		}))
	}
	return p
}

// Publish sends m to the partition of its key, and returns that partition, counted from 0, once the broker has
// confirmed the message and put it into the queue. The outcomes are those of [acemq.Publisher].
//
// The order of a key is the order in which its messages were confirmed: send the next one when this one has returned
// nil. After an [*acemq.UnknownError], send the same message again, under the same id ([acemq.WithID]), before the next.
func (p *Publisher[T]) Publish(ctx context.Context, m T, opts ...acemq.PublishOption) (partition int, err error) {
	if p.fault != nil {
		return 0, &acemq.RefusedError{Cause: p.fault}
	}
	partition = p.route.Partition(p.key(m))
	return partition, p.partitions[partition].Publish(ctx, m, opts...)
}
