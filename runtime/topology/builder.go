package topology

import (
	"reflect"
	"slices"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// New returns an empty topology. Its methods add to it and return it, so that a topology reads as one expression.
// Input that cannot be declared is kept and reported by [Topology.Check].
func New() *Topology { return &Topology{} }

// Exchange adds a durable exchange.
func (t *Topology) Exchange(name string, kind Kind) *Topology {
	return t.addExchange(Exchange{Name: name, Kind: kind})
}

// ExternalExchange adds an exchange that somebody else declares: it is verified, never declared.
func (t *Topology) ExternalExchange(name string, kind Kind) *Topology {
	return t.addExchange(Exchange{Name: name, Kind: kind, External: true})
}

// Queue adds a durable queue of work, and around it what the contract asks for: {queue}.dlq and {queue}.parked, bound
// to the exchange "acemq.dlx", and, with [Retry], the rungs of the policy, the exchange "acemq.retry" and the binding
// home. The queue is a quorum queue unless it is [Classic], and sends what the broker takes off it to {queue}.dlq
// unless it is [Bare] (contract: topology, dead-lettering).
func (t *Topology) Queue(name string, opts ...QueueOption) *Topology {
	s := t.settings(name, opts)
	arguments := wire.Table{}
	if !s.bare {
		arguments = wire.DeadLetterArguments(name)
	}
	if !s.classic {
		arguments["x-queue-type"] = "quorum"
	}
	for key, value := range s.arguments {
		arguments[key] = value
	}
	return t.addQueue(Queue{Name: name, Arguments: arguments}).setAside(name, s.retry)
}

// ExternalQueue adds a queue of work that somebody else declares: it is verified, never declared. What the contract
// puts around it is declared as for [Topology.Queue], because it belongs to the consumer. [Retry] is the only option
// that fits: the others are the owner's to choose.
func (t *Topology) ExternalQueue(name string, opts ...QueueOption) *Topology {
	s := t.settings(name, opts)
	if s.classic || len(s.arguments) > 0 {
		t.fault("queue %q is external: its owner chooses its type and limits, so leave all options but Retry out", name)
	}
	return t.addQueue(Queue{Name: name, External: true}).setAside(name, s.retry)
}

// Bind binds a queue to an exchange with each key, or once with an empty key where none is given, as a fanout
// exchange needs it.
func (t *Topology) Bind(queue, exchange string, keys ...string) *Topology {
	if len(keys) == 0 {
		keys = []string{""}
	}
	for _, key := range keys {
		t.addBinding(Binding{Queue: queue, Exchange: exchange, Key: key})
	}
	return t
}

// Merge adds what other topologies hold. What is equal is kept once.
func (t *Topology) Merge(others ...*Topology) *Topology {
	for _, other := range others {
		for _, e := range other.Exchanges {
			t.addExchange(e)
		}
		for _, q := range other.Queues {
			t.addQueue(q)
		}
		for _, b := range other.Bindings {
			t.addBinding(b)
		}
		t.faults = append(t.faults, other.faults...)
	}
	return t
}

// addExchange adds an exchange that is not there yet. One that is external here and declared there is declared: its
// owner is part of the topology.
func (t *Topology) addExchange(e Exchange) *Topology {
	for i, have := range t.Exchanges {
		if have.Name == e.Name && have.Kind == e.Kind {
			t.Exchanges[i].External = have.External && e.External
			return t
		}
	}
	t.Exchanges = append(t.Exchanges, e)
	return t
}

// addQueue adds a queue that is not there yet, as addExchange does.
func (t *Topology) addQueue(q Queue) *Topology {
	for i, have := range t.Queues {
		switch {
		case have.Name != q.Name:
		case have.External:
			t.Queues[i] = q
			return t
		case q.External || sameTable(have.Arguments, q.Arguments):
			return t
		}
	}
	t.Queues = append(t.Queues, q)
	return t
}

func (t *Topology) addBinding(b Binding) *Topology {
	if !slices.ContainsFunc(t.Bindings, b.equal) {
		t.Bindings = append(t.Bindings, b)
	}
	return t
}

func (b Binding) equal(c Binding) bool {
	return b.Queue == c.Queue && b.Exchange == c.Exchange && b.Key == c.Key && sameTable(b.Arguments, c.Arguments)
}

// sameTable compares arguments as a broker does not: by type, too. All of ours are written by one hand.
func sameTable(a, b wire.Table) bool {
	return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b)
}
