// Package outline is message flows as a reader looks at them: by exchange, publisher, queue and saga, whatever
// declaration they come from. Diagrams, pages, answers and AsyncAPI documents are made of it.
package outline

import (
	"time"

	"github.com/acemq/acemq-gen/gen/model"
)

// Outline is what one flow declares, or several together. An exchange or a queue that several declare is listed once.
// Everything keeps the order of the source.
type Outline struct {
	Messages   []Message
	Exchanges  []Exchange
	Publishers []Publisher
	Queues     []Queue
	Sagas      []Saga
}

// Message is a message type.
type Message struct {
	Go      string // its name in Go: "OrderPlaced"
	Type    string // its logical type, "order.placed"; "" where it has none
	Version int
	Pos     model.Pos
}

// Place is where something is declared, and by what.
type Place struct {
	Package string // the name of the package
	Name    string // of the variable: "Billing"
	Doc     string // its doc comment
	Kind    string // the word of runtime/flow, "Consume"
	Pos     model.Pos
}

// Exchange is an exchange on the broker.
type Exchange struct {
	Name     string
	Kind     string // "topic", "direct", "fanout", "headers"
	External bool
	Places   []Place
}

// Publisher sends messages of one type.
type Publisher struct {
	Place
	Message Message
	Address
	Options Options
	Answer  *Message // what comes back for a request; nil for others
}

// Address is where messages are sent.
type Address struct {
	Exchange string // "" is the default exchange
	Key      string // with {Field} in place; "" where each message has one of its own
}

// Options are what is special about how a publisher sends.
type Options struct {
	Outbox      bool
	Schedulable bool
	Optional    bool // a message may be routed nowhere
	Transient   bool
	Expires     time.Duration // 0 for never
	Priority    int
}

// Queue is a queue of work on the broker, with those who take its messages.
type Queue struct {
	Name       string // of an ordered queue, the name without that of a partition
	Partitions []string
	Properties []string // what it differs in from a durable quorum queue: "classic", "expires messages after 1h0m0s"
	External   bool
	Bindings   []Binding
	Consumers  []Consumer
	Failure    Failure
}

// Binding brings messages of an exchange to a queue.
type Binding struct {
	Exchange string
	Keys     []string
	Pos      model.Pos
}

// Consumer takes the messages of a queue.
type Consumer struct {
	Place
	Title   string // "Billing"; of a step, its name: "pack"
	Route   string // the pipeline or slip that a step or stop belongs to; "" for others
	Takes   []Message
	Returns *Message // what a step, a stop or a server answers with; nil for others
	Next    string   // the queue that takes what it returns, in the order of the declaration; "" for none
	Onward  Address  // where it sends what Next takes
	Load    []string // "holds 50 messages at most"
}

// Failure is what becomes of a message that is not handled.
type Failure struct {
	Words      string // "is tried 5 times: after 1s, 2s, 4s and 8s"
	Tries      []Try  // after the first; empty where the policy has no schedule
	Rungs      []Rung
	DeadLetter []string // the queues of what was given up
	Parked     []string // the queues of what could not be read
}

// Try is a further delivery of a message that failed.
type Try struct {
	Number int    // the second delivery is 2
	After  string // the wait before it
	In     string // the queue in which the broker holds it meanwhile; "" where the consumer does
}

// Rung is a queue in which messages wait for their next delivery.
type Rung struct {
	Queue string
	Delay string
}

// Saga is a sequence of actions. It has no part on the broker.
type Saga struct {
	Place
	Title   string
	Subject string
	Actions []Action
}

// Action is an action of a saga.
type Action struct {
	Name string
	Undo string // "" where nothing undoes it
	Pos  model.Pos
}

// Exchange returns the exchange of a name.
func (o *Outline) Exchange(name string) (*Exchange, bool) {
	for i := range o.Exchanges {
		if o.Exchanges[i].Name == name {
			return &o.Exchanges[i], true
		}
	}
	return nil, false
}

// Queue returns the queue of a name, which may be that of a partition.
func (o *Outline) Queue(name string) (*Queue, bool) {
	for i := range o.Queues {
		if o.Queues[i].Is(name) {
			return &o.Queues[i], true
		}
	}
	return nil, false
}

// Is reports whether q has that name, or a partition of it.
func (q *Queue) Is(name string) bool {
	if q.Name == name {
		return true
	}
	for _, partition := range q.Partitions {
		if partition == name {
			return true
		}
	}
	return false
}
