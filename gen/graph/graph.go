// Package graph draws message flows: as Mermaid, as DOT for Graphviz, and as SVG that it lays out by itself.
package graph

import "github.com/acemq/acemq-gen/gen/outline"

// Graph is a flow as nodes and edges, in the order in which the flow declares them. Edges lead from publishers to
// exchanges, to queues, to consumers, and on where a consumer passes messages to another queue.
type Graph struct {
	Nodes []Node
	Edges []Edge
}

// Node is a part of a flow.
type Node struct {
	ID       string // unlike that of every other node, and the same in every run: "queue:billing.orders"
	Kind     Kind
	Title    string
	Notes    []string // what is to be known about it, a line each
	External bool     // another service declares it
}

// Kind is what a node stands for.
type Kind int

// The kinds of nodes.
const (
	Publisher Kind = iota
	Exchange
	Queue
	Consumer
	Waiting  // the queues in which failed messages of a queue wait for their next delivery
	SetAside // the queues of messages of a queue that were given up or could not be read
)

// Edge is a way that messages take.
type Edge struct {
	From, To string // the ID of a node
	Label    string // the routing keys, or what is passed on; may be empty
	Way      Way
}

// Way says when messages take an edge.
type Way int

// The ways of messages.
const (
	Forward Way = iota // as long as all is well
	Failing            // when they fail
	Home               // back to their queue, when they have waited
)

// Of returns the graph of flows.
func Of(o *outline.Outline) *Graph {
	b := &builder{outline: o, known: map[string]bool{}}
	for i := range o.Publishers {
		b.publisher(&o.Publishers[i])
	}
	for i := range o.Exchanges {
		e := &o.Exchanges[i]
		b.node(Node{
			ID: exchangeID(e.Name), Kind: Exchange, Title: e.Name, Notes: exchangeNotes(e), External: e.External,
		})
	}
	for i := range o.Queues {
		b.queue(&o.Queues[i])
	}
	return &b.graph
}
