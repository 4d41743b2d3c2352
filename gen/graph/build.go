package graph

import (
	"fmt"
	"slices"
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
	notes := append([]string{"sends " + p.Message.Go}, p.Manner()...)
	b.node(Node{ID: id, Kind: Publisher, Title: p.Name, Notes: notes})
	if p.Exchange != "" {
		b.edge(id, exchangeID(p.Exchange), p.Key, Forward)
		return
	}
	name := p.Key
	if q, found := b.outline.Queue(name); found {
		name = q.Name
	} else {
		b.node(Node{ID: queueID(name), Kind: Queue, Title: name, External: true, Notes: []string{ofAnother}})
	}
	b.edge(id, queueID(name), "", Forward)
}

// queue adds a queue, what leads to it, and what it leads to.
func (b *builder) queue(q *outline.Queue) {
	id := queueID(q.Name)
	b.node(Node{ID: id, Kind: Queue, Title: q.Name, Notes: queueNotes(q), External: q.External})
	b.bindings(id, q)
	for i := range q.Consumers {
		b.consumer(id, &q.Consumers[i])
	}
	if names := rungNames(q.Failure.Rungs); len(names) > 0 {
		waiting := Node{ID: "waiting:" + q.Name, Kind: Waiting, Title: names[0], Notes: names[1:]}
		b.node(waiting)
		b.edge(id, waiting.ID, "", Failing)
		b.edge(waiting.ID, id, "", Home)
	}
	aside := Node{ID: "aside:" + q.Name, Kind: SetAside, Title: within(q.Failure.DeadLetter),
		Notes: []string{"parked: " + within(q.Failure.Parked)}}
	b.node(aside)
	b.edge(id, aside.ID, "", Failing)
}

// bindings adds an edge from each exchange that a queue is bound to, with all its keys.
func (b *builder) bindings(id string, q *outline.Queue) {
	var exchanges []string
	keys := map[string][]string{}
	for _, binding := range q.Bindings {
		if b.passedOn(q, binding) {
			continue
		}
		if !slices.Contains(exchanges, binding.Exchange) {
			exchanges = append(exchanges, binding.Exchange)
		}
		for _, key := range binding.Keys {
			if !slices.Contains(keys[binding.Exchange], key) {
				keys[binding.Exchange] = append(keys[binding.Exchange], key)
			}
		}
	}
	for _, exchange := range exchanges {
		b.edge(exchangeID(exchange), id, strings.Join(keys[exchange], ", "), Forward)
	}
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
	notes := slices.Clone(q.Properties)
	if q.External {
		notes = append(notes, ofAnother)
	}
	if q.Failure.Words != "" {
		notes = append(notes, q.Failure.Words)
	}
	return notes
}

// ofAnother is the note of what another service declares.
const ofAnother = "of another service"

// exchangeNotes tell what kind an exchange is, and whose.
func exchangeNotes(e *outline.Exchange) []string {
	if e.External {
		return []string{e.Kind + " exchange " + ofAnother}
	}
	return []string{e.Kind + " exchange"}
}

// rungNames names the queues of retries, the first and the last of many.
func rungNames(rungs []outline.Rung) []string {
	const shown = 4
	var names []string
	for i, rung := range rungs {
		if i < shown-1 || i == len(rungs)-1 {
			names = append(names, rung.Queue)
		} else if i == shown-1 {
			names = append(names, "…")
		}
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
