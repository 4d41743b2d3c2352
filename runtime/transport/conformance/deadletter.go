package conformance

import (
	"reflect"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

var deadLetterCases = []testCase{
	{"a rejected message is dead-lettered with its history", rejected},
	{"an expired message is dead-lettered with its history and without its expiration", expired},
	{"a second death of one kind is counted", countedDeaths},
	{"without a key of its own a dead letter keeps its keys", keptKey},
	{"a dead letter goes to the end of its target, as a first delivery", deadLetterPosition},
	{"a message without a dead-letter exchange is gone when it is rejected", rejectedForGood},
	{"a dead letter whose exchange or queue is missing is lost without a word", lostDeadLetters},
	{"a cycle of dead letters that nothing rejected is dropped", droppedCycle},
	{"a cycle of dead letters with a rejection in it goes on", rejectedCycle},
	{"a history that a client published counts up to RabbitMQ 3.13", publishedHistory},
}

// deaths returns the entries of x-death, the latest first.
func (r *rig) deaths(headers wire.Table) []wire.Table {
	r.Helper()
	list, _ := headers["x-death"].([]any)
	var deaths []wire.Table
	for _, entry := range list {
		death, ok := entry.(wire.Table)
		if !ok {
			r.Fatalf("an entry of x-death is a %T, want a table", entry)
		}
		deaths = append(deaths, death)
	}
	return deaths
}

// wantDeath compares an entry of x-death, apart from its time.
func (r *rig) wantDeath(death wire.Table, want wire.Table) {
	r.Helper()
	if at, ok := death["time"].(time.Time); !ok || time.Since(at).Abs() > time.Minute {
		r.Errorf("the time of death is %v (%[1]T)", death["time"])
	}
	delete(death, "time")
	if !reflect.DeepEqual(death, want) {
		r.Errorf("the death is\n%v, want\n%v", death, want)
	}
}

func rejected(r *rig) {
	dead := r.queue("dead", nil)
	dlx, exchange := r.exchange("dlx", topology.Direct), r.exchange("x", topology.Topic)
	r.bind(topology.Binding{Queue: dead, Exchange: dlx, Key: "buried"})
	queue := r.queue("q", wire.Table{"x-dead-letter-exchange": dlx, "x-dead-letter-routing-key": "buried"})
	r.bind(topology.Binding{Queue: queue, Exchange: exchange, Key: "order.*"})

	m := to("", "m")
	m.Exchange, m.Key, m.Headers, m.ReplyTo = exchange, "order.placed", wire.Table{"own": "kept"}, "answers"
	r.publish(m)
	r.reject(r.take(r.consume(r.broker, queue, 1)))
	d := r.take(r.consume(r.broker, dead, 1))
	if d.Exchange != dlx || d.Key != "buried" || d.MessageID != "m" || string(d.Body) != "m" || d.ReplyTo != "answers" {
		r.Errorf("the dead letter is %+v", d.Message)
	}
	for name, want := range map[string]any{
		"own": "kept", "x-first-death-reason": "rejected", "x-first-death-queue": queue,
		"x-first-death-exchange": exchange,
	} {
		if d.Headers[name] != want {
			r.Errorf("the header %s is %v, want %v", name, d.Headers[name], want)
		}
	}
	deaths := r.deaths(d.Headers)
	if len(deaths) != 1 {
		r.Fatalf("%d deaths, want 1", len(deaths))
	}
	r.wantDeath(deaths[0], wire.Table{"reason": "rejected", "count": int64(1), "queue": queue, "exchange": exchange,
		"routing-keys": []any{"order.placed"}})
}

func expired(r *rig) {
	dead := r.queue("dead", nil)
	queue := r.queue("q", onward(dead, nil))
	m := to(queue, "m")
	m.Expiration = 100 * time.Millisecond
	r.publish(m)
	d := r.take(r.consume(r.broker, dead, 1))
	if d.Expiration != 0 {
		r.Errorf("the dead letter still expires, after %v", d.Expiration)
	}
	deaths := r.deaths(d.Headers)
	if len(deaths) != 1 {
		r.Fatalf("%d deaths, want 1", len(deaths))
	}
	r.wantDeath(deaths[0], wire.Table{"reason": "expired", "count": int64(1), "queue": queue, "exchange": "",
		"routing-keys": []any{queue}, "original-expiration": "100"})
}

func countedDeaths(r *rig) {
	a, b := r.name("a"), r.name("b")
	r.queue("a", onward(b, nil))
	r.queue("b", onward(a, nil))
	r.fill(a, "m")
	ca, cb := r.consume(r.broker, a, 1), r.consume(r.broker, b, 1)
	for range 2 {
		r.reject(r.take(ca))
		r.reject(r.take(cb))
	}
	d := r.take(ca)
	deaths := r.deaths(d.Headers)
	if len(deaths) != 2 {
		r.Fatalf("%d deaths, want 2: %v", len(deaths), deaths)
	}
	for i, queue := range []string{b, a} {
		if deaths[i]["queue"] != queue || deaths[i]["count"] != int64(2) {
			r.Errorf("death %d is %v, want the second one in %s", i, deaths[i], queue)
		}
	}
	if d.Headers["x-first-death-queue"] != a {
		r.Errorf("the first death was in %v, want %s", d.Headers["x-first-death-queue"], a)
	}
}

func keptKey(r *rig) {
	dead, dlx := r.queue("dead", nil), r.exchange("dlx", topology.Topic)
	r.bind(topology.Binding{Queue: dead, Exchange: dlx, Key: "order.*"})
	exchange := r.exchange("x", topology.Topic)
	queue := r.queue("q", wire.Table{"x-dead-letter-exchange": dlx})
	r.bind(topology.Binding{Queue: queue, Exchange: exchange, Key: "#"})
	m := to("order.placed", "m")
	m.Exchange = exchange
	r.publish(m)
	r.reject(r.take(r.consume(r.broker, queue, 1)))
	if d := r.take(r.consume(r.broker, dead, 1)); d.Key != "order.placed" || d.Exchange != dlx {
		r.Errorf("the dead letter came from %q with key %q", d.Exchange, d.Key)
	}
}

func deadLetterPosition(r *rig) {
	dead := r.queue("dead", nil)
	queue := r.queue("q", onward(dead, nil))
	r.fill(dead, "before")
	r.fill(queue, "m")
	c := r.consume(r.broker, queue, 1)
	r.nack(r.take(c))
	r.reject(r.take(c))
	r.ready(dead, 2)
	taken := r.takeIDs(r.consume(r.broker, dead, 2), "before", "m")
	if taken[1].Redelivered {
		r.Error("a dead letter came as redelivered")
	}
}

func rejectedForGood(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "m", "next")
	c := r.consume(r.broker, queue, 1)
	r.reject(r.takeIDs(c, "m")[0])
	r.ack(r.takeIDs(c, "next")[0])
	r.ready(queue, 0)
}

func lostDeadLetters(r *rig) {
	for base, arguments := range map[string]wire.Table{
		"no-exchange": {"x-dead-letter-exchange": r.name("missing"), "x-dead-letter-routing-key": "k"},
		"no-binding":  {"x-dead-letter-exchange": r.exchange("x", topology.Direct), "x-dead-letter-routing-key": "k"},
		"no-queue":    onward(r.name("missing"), nil),
	} {
		arguments["x-message-ttl"] = int64(100)
		rung := r.queue(base, arguments)
		r.fill(rung, "m")
		r.ready(rung, 0)
		r.fill(rung, "next")
		r.ready(rung, 0)
	}
}

func droppedCycle(r *rig) {
	a, b := r.name("a"), r.name("b")
	r.queue("a", onward(b, wire.Table{"x-message-ttl": int64(100)}))
	r.queue("b", onward(a, wire.Table{"x-message-ttl": int64(100)}))
	r.fill(a, "m")
	time.Sleep(300 * time.Millisecond)
	r.stays(a, 0)
	r.stays(b, 0)
}

func publishedHistory(r *rig) {
	work, dead := r.name("work"), r.queue("dead", nil)
	rung := r.queue("rung", onward(work, wire.Table{"x-message-ttl": int64(100)}))
	r.queue("work", onward(dead, wire.Table{"x-max-length": int64(1)}))
	r.fill(work, "m", "pushes m out")
	d := r.takeIDs(r.consume(r.broker, dead, 1), "m")[0]
	r.ack(d)
	r.contents(work, "pushes m out")

	again := to(rung, "again")
	again.Headers = d.Headers
	r.publish(again)
	if r.Version.atLeast(4, 0) {
		r.contents(work, "again")
		return
	}
	r.ready(rung, 0)
	r.stays(work, 0)
	r.contents(dead)
}

func rejectedCycle(r *rig) {
	work, rung := r.name("work"), r.name("rung")
	r.queue("work", onward(rung, nil))
	r.queue("rung", onward(work, wire.Table{"x-message-ttl": int64(50)}))
	r.fill(work, "m")
	c := r.consume(r.broker, work, 1)
	for range 4 {
		r.reject(r.takeIDs(c, "m")[0])
	}
	d := r.takeIDs(c, "m")[0]
	for _, death := range r.deaths(d.Headers) {
		if death["count"] != int64(4) {
			r.Errorf("the death is %v, want the fourth", death)
		}
	}
}
