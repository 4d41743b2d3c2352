// Package asyncapi writes message flows as an AsyncAPI 3.0 document with the bindings of AMQP.
//
// What a flow is in the document:
//
//   - A channel is an exchange with a routing key that something is sent to, "exchange.orders-events.order.billed", or a
//     queue, "queue.billing.orders". What goes through the default exchange goes to the channel of the queue. A field in
//     a key is a parameter of the channel, and so is the partition of an ordered queue.
//   - An operation is named by its variable, and by the step or stop: "sendPlaced", "receiveBilling",
//     "receiveFulfilmentPack". What a step or a stop passes on is an operation that sends.
//   - A message is named by its type and version, "order.placed.v1". It has the headers of the contract and, where its
//     package keeps schemas, the schema of its payload.
//   - A request has its reply, in a channel without an address: each caller has a queue of its own.
//   - What AsyncAPI has no place for stands in extensions: "x-acemq-queue" in a channel has the bindings of a queue and
//     the queues around it, "x-acemq-options" in an operation what is special about it, "x-acemq-sagas" the sagas, which
//     have no part on the broker.
//
// Where two things would share a name, a number is added to that of the later one.
package asyncapi

import (
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/gen/outline"
	"github.com/acemq/acemq-gen/gen/schema"
)

// Of returns the document of flows that have no mistakes. Schemas are those of their messages; a message without one has
// no payload in the document.
func Of(flows []*model.Flow, schemas []schema.Document) (*Document, error) {
	b := &builder{
		outline: outline.Of(flows...),
		schemas: schemas,
		document: &Document{
			AsyncAPI:           "3.0.0",
			Info:               infoOf(flows),
			DefaultContentType: "application/json",
			Channels:           map[string]*channel{},
			Operations:         map[string]*operation{},
			Components:         components{Schemas: map[string]headers{}, Messages: map[string]*message{}},
		},
		channels: map[site]string{},
		messages: map[outline.Message]string{},
	}
	for i := range b.outline.Publishers {
		b.publisher(&b.outline.Publishers[i])
	}
	for i := range b.outline.Queues {
		b.consumers(&b.outline.Queues[i])
	}
	b.sagas()
	return b.document, b.payloads()
}

// builder makes a document of an outline.
type builder struct {
	outline  *outline.Outline
	schemas  []schema.Document
	document *Document
	channels map[site]string            // the names of the channels that are there
	messages map[outline.Message]string // the names of the messages that are there
}
