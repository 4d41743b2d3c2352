package topology

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Sort orders the topology by name, in place, and returns it: exchanges, queues, and bindings by queue, exchange and
// key. Two topologies that hold the same are then spelt the same, whatever order they were built in.
func (t *Topology) Sort() *Topology {
	slices.SortStableFunc(t.Exchanges, func(a, b Exchange) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(t.Queues, func(a, b Queue) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(t.Bindings, func(a, b Binding) int {
		return cmp.Or(cmp.Compare(a.Queue, b.Queue), cmp.Compare(a.Exchange, b.Exchange), cmp.Compare(a.Key, b.Key))
	})
	return t
}

// Difference is an object that two topologies do not have alike.
type Difference struct {
	Object string // "queue billing.orders"
	From   string // what the first topology says of it, in words; empty where it has no such object
	To     string // what the second says
}

// String says the difference in a line: "queue a: + quorum queue" where only the second topology has the object,
// "- quorum queue" where only the first has it, and both with an arrow between them otherwise.
func (d Difference) String() string {
	switch {
	case d.From == "":
		return d.Object + ": + " + d.To
	case d.To == "":
		return d.Object + ": - " + d.From
	}
	return d.Object + ": " + d.From + " -> " + d.To
}

// Compare returns how two topologies differ, ordered by object. It returns none for topologies that hold the same in
// another order.
func Compare(from, to *Topology) []Difference {
	a, b := from.describe(), to.describe()
	var differences []Difference
	for object, words := range a {
		if words != b[object] {
			differences = append(differences, Difference{Object: object, From: words, To: b[object]})
		}
	}
	for object, words := range b {
		if _, both := a[object]; !both {
			differences = append(differences, Difference{Object: object, To: words})
		}
	}
	slices.SortFunc(differences, func(x, y Difference) int { return cmp.Compare(x.Object, y.Object) })
	return differences
}

// describe says what each object of the topology is.
func (t *Topology) describe() map[string]string {
	objects := make(map[string]string)
	for _, e := range t.Exchanges {
		objects["exchange "+e.Name] = e.Describe()
	}
	for _, q := range t.Queues {
		objects["queue "+q.Name] = q.Describe()
	}
	for _, b := range t.Bindings {
		object := fmt.Sprintf("binding of queue %s to exchange %s with key %q", b.Queue, b.Exchange, b.Key)
		objects[object] = "bound" + list(b.Arguments)
	}
	return objects
}

func owner(external bool) string {
	if external {
		return "external "
	}
	return ""
}

// Describe says in words what the exchange is: "topic exchange".
func (e Exchange) Describe() string { return owner(e.External) + string(e.Kind) + " exchange" }

// Describe says in words what the queue is: its type, and then its other arguments.
func (q Queue) Describe() string {
	if q.External {
		return owner(q.External) + "queue"
	}
	arguments := maps.Clone(q.Arguments)
	delete(arguments, "x-queue-type")
	return q.Type() + " queue" + list(arguments)
}

// Type returns the type of the queue, "quorum" or "classic". A queue that is not a quorum queue has no argument for it.
func (q Queue) Type() string {
	if kind, ok := q.Arguments["x-queue-type"].(string); ok {
		return kind
	}
	return "classic"
}

func list(arguments map[string]any) string {
	var words strings.Builder
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		fmt.Fprintf(&words, ", %s %v", name, arguments[name])
	}
	return words.String()
}
