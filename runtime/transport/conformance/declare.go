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
	{"a queue of another type is another queue, and a classic one needs no type", queueTypes},
	{"arguments that cannot be are refused and cost no connection", badArguments},
	{"the exchanges of the broker are there", brokerExchanges},
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

func queueTypes(r *rig) {
	queue := r.queue("q", nil)
	r.declare(topology.Topology{Queues: []topology.Queue{{Name: queue, Arguments: wire.Table{"x-queue-type": "classic"}}}})
	t := topology.Topology{Queues: []topology.Queue{{Name: queue, Arguments: wire.Table{"x-queue-type": "quorum"}}}}
	wantAs[*transport.ConflictError](r, r.broker.Declare(r.within(), &t))
}

func badArguments(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "m")
	held := r.take(r.consume(r.broker, queue, 1))
	for name, arguments := range map[string]wire.Table{
		"a negative time to live":         {"x-message-ttl": int64(-1)},
		"a time to live in words":         {"x-message-ttl": "1m"},
		"a time to live that is too long": {"x-message-ttl": int64(1) << 40},
		"a queue that lives no time":      {"x-expires": int64(0)},
		"a negative length":               {"x-max-length": int64(-1)},
		"an unknown overflow":             {"x-overflow": "drop-tail"},
		"a key without an exchange":       {"x-dead-letter-routing-key": "k"},
		"an exchange that is a number":    {"x-dead-letter-exchange": int64(1)},
		"an unknown type":                 {"x-queue-type": "heap"},
		"priorities in a quorum queue":    {"x-queue-type": "quorum", "x-max-priority": int64(2)},
	} {
		t := topology.Topology{Queues: []topology.Queue{{Name: r.name(name), Arguments: arguments}}}
		r.forget(t)
		if err := r.broker.Declare(r.within(), &t); err == nil {
			r.Errorf("%s was declared", name)
		}
	}
	for name, t := range map[string]topology.Topology{
		"a queue of the broker's":     {Queues: []topology.Queue{{Name: "amq." + r.name("q")}}},
		"an exchange of the broker's": {Exchanges: []topology.Exchange{{Name: "amq." + r.name("x"), Kind: topology.Topic}}},
		"an unknown kind":             {Exchanges: []topology.Exchange{{Name: r.name("kind"), Kind: "heap"}}},
	} {
		if err := r.broker.Declare(r.within(), &t); err == nil {
			r.Errorf("%s was declared", name)
		}
	}
	if !held.Live() || !r.broker.State().Up {
		r.Error("a refusal cost a connection")
	}
	r.ack(held)
	r.fill(queue, "next")
}

func brokerExchanges(r *rig) {
	queue := r.queue("q", nil)
	for _, name := range []string{"amq.direct", "amq.topic"} {
		r.bind(topology.Binding{Queue: queue, Exchange: name, Key: queue})
		r.publish(transport.Message{Exchange: name, Key: queue, MessageID: name})
	}
	r.contents(queue, "amq.direct", "amq.topic")
}
