package conformance

import (
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

var lengthCases = []testCase{
	{"a full queue drops its head", dropHead},
	{"a full queue that rejects publishes nacks them", rejectPublish},
	{"a fanout that one full queue rejects is nacked and kept by the others", rejectOne},
	{"a length in bytes counts bodies", lengthInBytes},
	{"what is delivered does not count", lengthOfReady},
	{"a full queue may dead-letter what it rejects", rejectPublishToDLX},
	{"a full quorum queue drops its head", dropHeadOfQuorum},
	{"a queue of no length keeps nothing and hands on what a consumer takes", noLength},
}

func dropHead(r *rig) {
	dead := r.queue("dead", nil)
	queue := r.queue("q", onward(dead, wire.Table{"x-max-length": int64(2)}))
	r.fill(queue, "1", "2", "3", "4")
	c := r.consume(r.broker, dead, 10)
	for _, d := range r.takeIDs(c, "1", "2") {
		if deaths := r.deaths(d.Headers); len(deaths) != 1 || deaths[0]["reason"] != "maxlen" {
			r.Errorf("the deaths are %v, want one by maxlen", deaths)
		}
	}
	r.contents(queue, "3", "4")
}

func rejectPublish(r *rig) {
	queue := r.queue("q", wire.Table{"x-max-length": int64(2), "x-overflow": "reject-publish"})
	r.fill(queue, "1", "2")
	e := wantAs[*transport.NackedError](r, r.outcome(r.broker, to(queue, "3")))
	if e.MessageID != "3" {
		r.Errorf("the nack is about %q", e.MessageID)
	}
	r.contents(queue, "1", "2")
	r.fill(queue, "4")
	r.contents(queue, "4")
}

func rejectOne(r *rig) {
	exchange := r.exchange("x", topology.Fanout)
	full := r.queue("full", wire.Table{"x-max-length": int64(1), "x-overflow": "reject-publish"})
	free := r.queue("free", nil)
	r.fill(full, "before")
	for _, queue := range []string{full, free} {
		r.bind(topology.Binding{Queue: queue, Exchange: exchange})
	}
	err := r.outcome(r.broker, transport.Message{Exchange: exchange, MessageID: "m"})
	wantAs[*transport.NackedError](r, err)
	r.contents(full, "before")
	r.contents(free, "m")
}

func lengthInBytes(r *rig) {
	queue := r.queue("q", wire.Table{"x-max-length-bytes": int64(10)})
	r.fill(queue, "aaaa", "bbbb", "cccc")
	r.contents(queue, "bbbb", "cccc")
}

func lengthOfReady(r *rig) {
	queue := r.queue("q", wire.Table{"x-max-length": int64(1)})
	c := r.consume(r.broker, queue, 1)
	r.fill(queue, "delivered")
	d := r.take(c)
	r.fill(queue, "waiting")
	r.ready(queue, 1)
	r.ack(d)
	r.ack(r.takeIDs(c, "waiting")[0])
}

func rejectPublishToDLX(r *rig) {
	dead := r.queue("dead", nil)
	queue := r.queue("q", onward(dead, wire.Table{"x-max-length": int64(1), "x-overflow": "reject-publish-dlx"}))
	r.fill(queue, "1")
	wantAs[*transport.NackedError](r, r.outcome(r.broker, to(queue, "2")))
	r.contents(queue, "1")
	d := r.takeIDs(r.consume(r.broker, dead, 1), "2")[0]
	if deaths := r.deaths(d.Headers); len(deaths) != 1 || deaths[0]["reason"] != "maxlen" {
		r.Errorf("the deaths are %v, want one by maxlen", deaths)
	}
}

func dropHeadOfQuorum(r *rig) {
	queue := r.queue("q", wire.Table{"x-queue-type": "quorum", "x-max-length": int64(2)})
	r.fill(queue, "1", "2", "3", "4")
	r.contents(queue, "3", "4")
}

func noLength(r *rig) {
	queue := r.queue("q", wire.Table{"x-max-length": int64(0)})
	r.fill(queue, "dropped")
	r.ready(queue, 0)
	c := r.consume(r.broker, queue, 1)
	r.fill(queue, "taken", "dropped")
	r.ack(r.takeIDs(c, "taken")[0])
	r.none(c)
}
