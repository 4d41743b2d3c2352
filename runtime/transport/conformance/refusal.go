package conformance

import (
	"strings"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

var refusalCases = []testCase{
	{"a message that cannot be sent is refused and costs no connection", refusedMessages},
	{"a subscription that cannot be made is refused and costs no connection", refusedSubscriptions},
	{"limits are limits, not one less", atTheLimit},
}

var long = strings.Repeat("é", 128) // 256 bytes

func refusedMessages(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "held")
	held := r.take(r.consume(r.broker, queue, 1))

	for name, spoil := range map[string]func(m *transport.Message){
		"a long exchange":       func(m *transport.Message) { m.Exchange = long },
		"a long key":            func(m *transport.Message) { m.Key = long },
		"a long message id":     func(m *transport.Message) { m.MessageID = long },
		"no message id":         func(m *transport.Message) { m.MessageID = "" },
		"a long content type":   func(m *transport.Message) { m.ContentType = long },
		"a long reply-to":       func(m *transport.Message) { m.ReplyTo = long },
		"a long header name":    func(m *transport.Message) { m.Headers = wire.Table{long: "v"} },
		"a struct as a header":  func(m *transport.Message) { m.Headers = wire.Table{"h": struct{ A int }{1}} },
		"a channel as a header": func(m *transport.Message) { m.Headers = wire.Table{"h": make(chan int)} },
		"a header too large":    func(m *transport.Message) { m.Headers = wire.Table{"h": uint64(1) << 63} },
		"heavy headers":         func(m *transport.Message) { m.Headers = wire.Table{"h": strings.Repeat("x", 200_000)} },
		"a heavy body":          func(m *transport.Message) { m.Body = make([]byte, 16<<20+1) },
		"a negative expiration": func(m *transport.Message) { m.Expiration = -time.Second },
		"a tiny expiration":     func(m *transport.Message) { m.Expiration = time.Microsecond },
		"a far expiration":      func(m *transport.Message) { m.Expiration = 1 << 32 * time.Millisecond },
	} {
		m := to(queue, name)
		spoil(&m)
		pending, err := r.broker.Publish(r.within(), m)
		if pending != nil || err == nil {
			r.Errorf("%s was published", name)
			continue
		}
		if e := wantAs[*transport.RefusedError](r, err); e.Cause == nil {
			r.Errorf("%s was refused without a cause", name)
		}
		if state := r.broker.State(); !state.Up {
			r.Fatalf("%s cost the connection: %s", name, state.Reason)
		}
	}
	r.ready(queue, 0)
	r.fill(queue, "next")
	if !held.Live() {
		r.Error("a refusal cost the channel of a consumer")
	}
	r.ack(held)
}

func refusedSubscriptions(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "held", "next")
	held := r.take(r.consume(r.broker, queue, 1))
	for name, s := range map[string]transport.Subscription{
		"no prefetch":         {Queue: queue},
		"a negative prefetch": {Queue: queue, Prefetch: -1},
		"a large prefetch":    {Queue: queue, Prefetch: 65_536},
		"no queue":            {Prefetch: 1},
		"a long queue":        {Queue: long, Prefetch: 1},
		"a bad argument":      {Queue: queue, Prefetch: 1, Arguments: wire.Table{"a": struct{}{}}},
	} {
		if c, err := r.broker.Consume(r.within(), s); err == nil {
			r.Errorf("%s was accepted", name)
			r.end(c)
		}
	}
	for name, t := range map[string]topology.Topology{
		"a long queue":    {Queues: []topology.Queue{{Name: long}}},
		"a long exchange": {Exchanges: []topology.Exchange{{Name: long, Kind: topology.Topic}}},
		"a bad argument":  {Queues: []topology.Queue{{Name: r.name("bad"), Arguments: wire.Table{"a": struct{}{}}}}},
	} {
		if err := r.broker.Declare(r.within(), &t); err == nil {
			r.Errorf("%s was declared", name)
		}
	}
	if !held.Live() || !r.broker.State().Up {
		r.Error("a refusal cost a connection")
	}
	r.ack(held)
}

func atTheLimit(r *rig) {
	exchange := r.exchange("x", topology.Topic)
	queue := r.name(strings.Repeat("q", 255-len(r.name(""))))
	r.declare(topology.Topology{
		Queues:   []topology.Queue{{Name: queue}},
		Bindings: []topology.Binding{{Queue: queue, Exchange: exchange, Key: "#"}},
	})
	r.publish(transport.Message{
		Exchange: exchange, Key: long[:254] + "k", MessageID: long[:254] + "m", ReplyTo: long[:254] + "r",
		Headers: wire.Table{strings.Repeat("h", 255): strings.Repeat("v", 16_000)}, Body: make([]byte, 16<<20),
	})
	c := r.consume(r.broker, queue, 65_535)
	if d := r.take(c); len(d.Body) != 16<<20 || len(d.Key) != 255 || len(d.Headers) != 1 {
		r.Errorf("arrived with a body of %d bytes, a key of %d bytes and %d headers", len(d.Body), len(d.Key), len(d.Headers))
	}
}
