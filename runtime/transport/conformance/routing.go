package conformance

import (
	"errors"
	"fmt"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

var routingCases = []testCase{
	{"the default exchange routes to the queue of that name", defaultExchange},
	{"a direct exchange routes by equal keys", directExchange},
	{"a fanout exchange routes to every queue", fanoutExchange},
	{"a topic exchange routes by words", topicExchange},
	{"a headers exchange matches all or any", headersExchange},
	{"a queue that is bound twice gets one copy", boundTwice},
}

func defaultExchange(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "m")
	d := r.take(r.consume(r.broker, queue, 1))
	if d.Exchange != "" || d.Key != queue || d.Queue != queue {
		r.Errorf("delivered from exchange %q with key %q and queue %q", d.Exchange, d.Key, d.Queue)
	}
	wantAs[*transport.UnroutableError](r, r.outcome(r.broker, to(r.name("none"), "m")))
}

// routes publishes a message for each key and compares which queues it reaches. Queues are named by their binding key.
func (r *rig) routes(kind topology.Kind, bindings []string, keys map[string][]string) {
	r.Helper()
	exchange := r.exchange("x", kind)
	for _, key := range bindings {
		queue := r.queue("q-"+key, nil)
		r.bind(topology.Binding{Queue: queue, Exchange: exchange, Key: key})
	}
	held := map[string][]string{}
	for key, reached := range keys {
		err := r.outcome(r.broker, transport.Message{Exchange: exchange, Key: key, MessageID: "m " + key})
		if len(reached) == 0 {
			wantAs[*transport.UnroutableError](r, err)
		} else if err != nil {
			r.Errorf("publish with key %q: %v", key, err)
		}
		for _, queue := range reached {
			held[queue] = append(held[queue], "m "+key)
		}
	}
	for _, key := range bindings {
		r.contents(r.name("q-"+key), held[key]...)
	}
}

func directExchange(r *rig) {
	r.routes(topology.Direct, []string{"order.placed", "order.*"}, map[string][]string{
		"order.placed":  {"order.placed"},
		"order.*":       {"order.*"},
		"order.shipped": nil,
		"":              nil,
	})
}

func fanoutExchange(r *rig) {
	r.routes(topology.Fanout, []string{"", "unused"}, map[string][]string{
		"":        {"", "unused"},
		"any.key": {"", "unused"},
	})
}

func topicExchange(r *rig) {
	all, word, deep, tail, ends := "#", "order.*", "order.#", "order.*.eu", "#.eu"
	r.routes(topology.Topic, []string{all, word, deep, tail, ends}, map[string][]string{
		"":                   {all},
		"order":              {all, deep},
		"order.":             {all, word, deep},
		"order.placed":       {all, word, deep},
		"order.placed.eu":    {all, deep, tail, ends},
		"order.placed.us":    {all, deep},
		"order.placed.x.eu":  {all, deep, ends},
		"eu":                 {all, ends},
		"order.*":            {all, word, deep},
		"orders.placed.eu.x": {all},
	})
}

func headersExchange(r *rig) {
	exchange := r.exchange("x", topology.Headers)
	for name, arguments := range map[string]wire.Table{
		"all":     {"x-match": "all", "region": "eu", "kind": "order"},
		"any":     {"x-match": "any", "region": "eu", "kind": "order"},
		"default": {"region": "eu", "kind": "order"},
	} {
		r.bind(topology.Binding{Queue: r.queue(name, nil), Exchange: exchange, Arguments: arguments})
	}
	for id, headers := range map[string]wire.Table{
		"both":  {"region": "eu", "kind": "order", "more": "x"},
		"one":   {"region": "eu", "kind": "invoice"},
		"other": {"kind": "order"},
	} {
		r.publish(transport.Message{Exchange: exchange, MessageID: id, Headers: headers})
	}
	for id, headers := range map[string]wire.Table{"none": nil, "neither": {"region": "us"}} {
		err := r.outcome(r.broker, transport.Message{Exchange: exchange, MessageID: id, Headers: headers})
		if unroutable := (*transport.UnroutableError)(nil); !errors.As(err, &unroutable) {
			r.Errorf("headers %v: %v, want it unroutable", headers, err)
		}
	}
	r.contents(r.name("all"), "both")
	r.contents(r.name("default"), "both")
	r.contents(r.name("any"), "both", "one", "other")
}

func boundTwice(r *rig) {
	exchange, queue := r.exchange("x", topology.Topic), r.queue("q", nil)
	for _, key := range []string{"a.*", "a.#", "a.b"} {
		r.bind(topology.Binding{Queue: queue, Exchange: exchange, Key: key})
	}
	for n := range 2 {
		r.publish(transport.Message{Exchange: exchange, Key: "a.b", MessageID: fmt.Sprint(n)})
	}
	r.contents(queue, "0", "1")
}
