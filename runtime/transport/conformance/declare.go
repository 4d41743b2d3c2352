package conformance

import (
	"strings"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

var declareCases = []testCase{
	{"declaring twice changes nothing", declareTwice},
	{"other arguments are a conflict (406)", conflict},
	{"what is missing is not found (404)", notFound},
	{"what is external is verified and never declared", external},
	{"inspect counts messages and consumers", inspect},
}

func declareTwice(r *rig) {
	exchange, queue := r.name("x"), r.name("q")
	whole := topology.Topology{
		Exchanges: []topology.Exchange{{Name: exchange, Kind: topology.Topic}},
		Queues:    []topology.Queue{{Name: queue, Arguments: wire.Table{"x-message-ttl": int64(60_000)}}},
		Bindings:  []topology.Binding{{Queue: queue, Exchange: exchange, Key: "#"}},
	}
	r.declare(whole)
	r.publish(transport.Message{Exchange: exchange, MessageID: "m"})
	whole.Queues = []topology.Queue{{Name: queue, Arguments: wire.Table{"x-message-ttl": int32(60_000)}}}
	r.declare(whole)
	r.contents(queue, "m")
}

func conflict(r *rig) {
	queue, exchange := r.queue("q", wire.Table{"x-message-ttl": int64(60_000)}), r.exchange("x", topology.Topic)
	for name, t := range map[string]topology.Topology{
		"queue " + queue: {Queues: []topology.Queue{
			{Name: queue, Arguments: wire.Table{"x-message-ttl": int64(61_000)}}}},
		"queue " + queue + " ": {Queues: []topology.Queue{{Name: queue}}},
		"exchange " + exchange: {Exchanges: []topology.Exchange{{Name: exchange, Kind: topology.Fanout}}},
	} {
		e := wantAs[*transport.ConflictError](r, r.broker.Declare(r.within(), &t))
		if want := strings.TrimSpace(name); e.Object != want || e.Reason == "" {
			r.Errorf("a conflict of %q because of %q, want one of %q", e.Object, e.Reason, want)
		}
	}
	r.fill(queue, "m")
	r.contents(queue, "m")
}

func notFound(r *rig) {
	missing := r.name("missing")
	queue, exchange := r.queue("q", nil), r.exchange("x", topology.Direct)
	_, inspectErr := r.broker.Inspect(r.within(), missing)
	_, consumeErr := r.broker.Consume(r.within(), transport.Subscription{Queue: missing, Prefetch: 1})
	declareErr := func(t topology.Topology) error { return r.broker.Declare(r.within(), &t) }
	for _, test := range []struct {
		object string
		err    error
	}{
		{"queue", inspectErr},
		{"queue", consumeErr},
		{"queue", declareErr(topology.Topology{Queues: []topology.Queue{{Name: missing, External: true}}})},
		{"exchange", declareErr(topology.Topology{
			Exchanges: []topology.Exchange{{Name: missing, Kind: topology.Topic, External: true}}})},
		{"exchange", declareErr(topology.Topology{Bindings: []topology.Binding{{Queue: queue, Exchange: missing}}})},
		{"queue", declareErr(topology.Topology{Bindings: []topology.Binding{{Queue: missing, Exchange: exchange}}})},
	} {
		if e := wantAs[*transport.NotFoundError](r, test.err); e.Object != test.object+" "+missing {
			r.Errorf("not found: %q, want %q", e.Object, test.object+" "+missing)
		}
	}
	r.fill(queue, "m")
	r.contents(queue, "m")
}

func external(r *rig) {
	queue := r.queue("q", wire.Table{"x-message-ttl": int64(60_000)})
	exchange := r.exchange("x", topology.Topic)
	t := topology.Topology{
		Exchanges: []topology.Exchange{{Name: exchange, Kind: topology.Topic, External: true}},
		Queues:    []topology.Queue{{Name: queue, External: true}},
		Bindings:  []topology.Binding{{Queue: queue, Exchange: exchange, Key: "a.*"}},
	}
	if err := r.broker.Declare(r.within(), &t); err != nil {
		r.Fatalf("declare what is external with the settings of its owner: %v", err)
	}
	r.publish(transport.Message{Exchange: exchange, Key: "a.b", MessageID: "m"})
	r.contents(queue, "m")
}

func inspect(r *rig) {
	queue := r.queue("q", nil)
	r.ready(queue, 0)
	r.fill(queue, "1", "2", "3")
	r.ready(queue, 3)
	c := r.consume(r.broker, queue, 2)
	r.takeIDs(c, "1", "2")
	r.ready(queue, 1)
	if state, err := r.broker.Inspect(r.within(), queue); err != nil || state.Consumers != 1 {
		r.Errorf("inspect says %d consumers (%v), want 1", state.Consumers, err)
	}
}
