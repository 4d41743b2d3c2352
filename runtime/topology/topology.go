// Package topology describes the exchanges, queues and bindings of a service as data: built, merged, checked and
// compared without a broker, and declared by package acemq.
//
// A queue of work comes with what the contract puts around it: {queue}.dlq for dead letters, {queue}.parked for what
// nothing could read, and a rung {queue}.retry.{delay} for every retry that waits in the broker.
package topology

import "github.com/acemq/acemq-gen/runtime/wire"

// Kind is the type of an exchange.
type Kind string

// The exchange types of AMQP.
const (
	Direct  Kind = "direct"
	Fanout  Kind = "fanout"
	Topic   Kind = "topic"
	Headers Kind = "headers"
)

// Exchange is a durable exchange.
type Exchange struct {
	Name     string
	Kind     Kind
	External bool // somebody else declares it: it is verified, never declared
}

// Queue is a durable queue.
type Queue struct {
	Name      string
	Arguments wire.Table // its type is the argument x-queue-type; without it, the queue is classic
	External  bool       // somebody else declares it: it is verified, never declared
}

// Binding brings messages of an exchange to a queue.
type Binding struct {
	Queue     string
	Exchange  string
	Key       string     // a pattern on a topic exchange; unused by fanout and headers
	Arguments wire.Table // what a headers exchange matches on
}

// Topology is a set of exchanges, queues and bindings. They are declared in this order. The zero Topology is empty and
// ready to use. It is not safe for concurrent change.
type Topology struct {
	Exchanges []Exchange
	Queues    []Queue
	Bindings  []Binding

	faults []error // what the builder was given and cannot be declared; reported by Check
}
