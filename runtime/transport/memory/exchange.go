package memory

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// exchange routes messages to queues.
type exchange struct {
	name     string
	kind     topology.Kind
	bindings []binding
	router   router // made of the bindings
}

// binding brings messages to a queue.
type binding struct {
	queue     *queue
	key       string
	arguments wire.Table
}

// router finds the queues of a message. It may find one twice.
type router interface {
	add(b binding)
	route(m *transport.Message, found func(*queue))
}

func newExchange(name string, kind topology.Kind) *exchange {
	x := &exchange{name: name, kind: kind}
	x.build()
	return x
}

// build makes the router of the bindings.
func (x *exchange) build() {
	switch x.kind {
	case topology.Direct:
		x.router = directRouter{}
	case topology.Topic:
		x.router = &topicRouter{}
	case topology.Headers:
		x.router = &headersRouter{}
	default:
		x.router = &fanoutRouter{}
	}
	for _, b := range x.bindings {
		x.router.add(b)
	}
}

// bind adds a binding; one that is there already changes nothing.
func (x *exchange) bind(b binding) {
	same := func(o binding) bool {
		return o.queue == b.queue && o.key == b.key && maps.EqualFunc(o.arguments, b.arguments, sameValue)
	}
	if !slices.ContainsFunc(x.bindings, same) {
		x.bindings = append(x.bindings, b)
		x.router.add(b)
	}
}

func sameValue(a, b any) bool { return reflect.DeepEqual(a, b) }

// unbind removes the bindings of a queue.
func (x *exchange) unbind(q *queue) {
	count := len(x.bindings)
	x.bindings = slices.DeleteFunc(x.bindings, func(b binding) bool { return b.queue == q })
	if len(x.bindings) != count {
		x.build()
	}
}

// route returns the queues that a message to an exchange reaches, each once. It reports whether the exchange exists.
func (n *node) route(m *transport.Message) (targets []*queue, exists bool) {
	if m.Exchange == "" {
		if q := n.queues[m.Key]; q != nil {
			targets = []*queue{q}
		}
		return targets, true
	}
	x := n.exchanges[m.Exchange]
	if x == nil {
		return nil, false
	}
	n.routed++
	x.router.route(m, func(q *queue) {
		if q.routed != n.routed {
			q.routed = n.routed
			targets = append(targets, q)
		}
	})
	return targets, true
}

// directRouter routes by equal keys.
type directRouter map[string][]*queue

func (r directRouter) add(b binding) { r[b.key] = append(r[b.key], b.queue) }

func (r directRouter) route(m *transport.Message, found func(*queue)) {
	for _, q := range r[m.Key] {
		found(q)
	}
}

// fanoutRouter routes everything.
type fanoutRouter struct{ queues []*queue }

func (r *fanoutRouter) add(b binding) { r.queues = append(r.queues, b.queue) }

func (r *fanoutRouter) route(_ *transport.Message, found func(*queue)) {
	for _, q := range r.queues {
		found(q)
	}
}

// headersRouter routes by headers.
type headersRouter struct{ bindings []binding }

func (r *headersRouter) add(b binding) { r.bindings = append(r.bindings, b) }

func (r *headersRouter) route(m *transport.Message, found func(*queue)) {
	for _, b := range r.bindings {
		if matches(b.arguments, m.Headers) {
			found(b.queue)
		}
	}
}

// matches compares headers with the arguments of a binding: all of them, or any with x-match "any". An argument without
// a value asks only that the header is there. Names that begin with "x-" do not take part, unless x-match ends in
// "-with-x".
func matches(arguments, headers wire.Table) bool {
	mode, _ := arguments["x-match"].(string)
	mode, withX := strings.CutSuffix(mode, "-with-x")
	wantAny := mode == "any"
	for name, want := range arguments {
		if name == "x-match" || strings.HasPrefix(name, "x-") && !withX {
			continue
		}
		got, there := headers[name]
		if equal := there && (want == nil || sameValue(got, want)); equal == wantAny {
			return wantAny
		}
	}
	return !wantAny
}
