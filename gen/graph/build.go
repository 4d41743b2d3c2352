package graph

import (
	"fmt"
	"strings"

	"github.com/acemq/acemq-gen/gen/outline"
)

// builder makes a graph of an outline.
type builder struct {
	outline *outline.Outline
	graph   Graph
	known   map[string]bool // the nodes that are there
}

func (b *builder) node(n Node) {
	if !b.known[n.ID] {
		b.known[n.ID] = true
		b.graph.Nodes = append(b.graph.Nodes, n)
	}
}

func (b *builder) edge(from, to, label string, way Way) {
	b.graph.Edges = append(b.graph.Edges, Edge{from, to, label, way})
}

func exchangeID(name string) string { return "exchange:" + name }
func queueID(name string) string    { return "queue:" + name }

func placeID(kind string, p outline.Place, title string) string {
	return fmt.Sprintf("%s:%s.%s.%s@%s", kind, p.Package, p.Name, title, p.Pos)
}

// publisher adds a publisher and its way to an exchange, or through the default exchange to a queue.
func (b *builder) publisher(p *outline.Publisher) {
	id := placeID("publisher", p.Place, p.Message.Go+" "+p.Key)
	b.node(Node{ID: id, Kind: Publisher, Title: p.Name, Notes: []string{"sends " + p.Message.Go}})
	if p.Exchange != "" {
		b.edge(id, exchangeID(p.Exchange), p.Key, Forward)
		return
	}
	name := p.Key
	if q, found := b.outline.Queue(name); found {
		name = q.Name
	} else {
		b.node(Node{ID: queueID(name), Kind: Queue, Title: name, External: true, Notes: []string{"queue of another flow"}})
	}
	b.edge(id, queueID(name), "", Forward)
}

// queue adds a queue, what leads to it, and what it leads to.
func (b *builder) queue(q *outline.Queue) {
	id := queueID(q.Name)
	b.node(Node{ID: id, Kind: Queue, Title: q.Name, Notes: queueNotes(q), External: q.External})
	for _, binding := range q.Bindings {
		if !b.passedOn(q, binding) {
			b.edge(exchangeID(binding.Exchange), id, strings.Join(binding.Keys, ", "), Forward)
		}
	}
	for i := range q.Consumers {
		b.consumer(id, &q.Consumers[i])
	}
	if len(q.Failure.Rungs) > 0 {
		waiting := Node{ID: "waiting:" + q.Name, Kind: Waiting, Notes: []string{"hold a retry until its time"}}
		waiting.Title = within(rungNames(q.Failure.Rungs))
		b.node(waiting)
		b.edge(id, waiting.ID, "", Failing)
		b.edge(waiting.ID, id, "", Home)
	}
	aside := Node{ID: "aside:" + q.Name, Kind: SetAside, Title: within(q.Failure.DeadLetter),
		Notes: []string{"parked: " + within(q.Failure.Parked)}}
	b.node(aside)
	b.edge(id, aside.ID, "", Failing)
}

// passedOn reports whether a binding of a step's queue is used by the step before it alone, whose edge then stands for
// it.
func (b *builder) passedOn(q *outline.Queue, binding outline.Binding) bool {
	for _, p := range b.outline.Reaching(q) {
		if p.Exchange == binding.Exchange {
			return false
		}
	}
	for i := range b.outline.Queues {
		for _, c := range b.outline.Queues[i].Consumers {
			if c.Next == q.Name {
				return true
			}
		}
	}
	return false
}

// consumer adds a consumer of a queue.
func (b *builder) consumer(queue string, c *outline.Consumer) {
	id := placeID("consumer", c.Place, c.Title)
	n := Node{ID: id, Kind: Consumer, Title: c.Title, Notes: []string{"takes " + messageNames(c.Takes)}}
	if c.Route != "" {
		n.Notes = append([]string{strings.ToLower(c.Kind) + " of " + c.Route}, n.Notes...)
	}
	if c.Returns != nil && c.Next == "" {
		n.Notes = append(n.Notes, "returns "+c.Returns.Go)
	}
	b.node(n)
	b.edge(queue, id, "", Forward)
	if c.Next != "" {
		b.edge(id, queueID(c.Next), c.Returns.Go, Forward)
	}
}

func queueNotes(q *outline.Queue) []string {
	notes := []string{external("queue", q.External)}
	if len(q.Properties) > 0 {
		notes[0] += ", " + strings.Join(q.Properties, ", ")
	}
	if q.Failure.Words != "" {
		notes = append(notes, q.Failure.Words)
	}
	return notes
}

// external adds to what something is whether another service declares it.
func external(what string, is bool) string {
	if is {
		return what + " of another service"
	}
	return what
}

func rungNames(rungs []outline.Rung) []string {
	names := make([]string, len(rungs))
	for i, rung := range rungs {
		names[i] = rung.Queue
	}
	return names
}

// within names a row of queues by the first and the last: "orders.retry.1m … orders.retry.8m".
func within(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	case 2:
		return names[0] + ", " + names[1]
	}
	return names[0] + " … " + names[len(names)-1]
}

// messageNames lists the types that a consumer takes, the first few of them by name.
func messageNames(messages []outline.Message) string {
	const shown = 3
	var names []string
	for _, m := range messages[:min(len(messages), shown)] {
		names = append(names, m.Go)
	}
	if more := len(messages) - shown; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
