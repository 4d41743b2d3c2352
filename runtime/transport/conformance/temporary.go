package conformance

import (
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

var temporaryCases = []testCase{
	{"a temporary queue goes with its subscription", temporaryGoes},
	{"a temporary queue goes with its connection", temporaryGoesWithBroker},
	{"a temporary queue is classic and expires", temporaryExpires},
	{"a temporary queue outlives a lost connection", temporaryOutlives},
	{"a temporary queue that was deleted comes back", temporaryComesBack},
	{"a queue that is somebody else's is not taken over", temporaryConflict},
}

// temporary subscribes b to a temporary queue.
func (r *rig) temporary(b transport.Broker, queue string) transport.Consumer {
	r.Helper()
	r.forget(topology.Topology{Queues: []topology.Queue{{Name: queue}}})
	c, err := b.Consume(r.within(), transport.Subscription{Queue: queue, Prefetch: 10, Temporary: time.Minute})
	if err != nil {
		r.Fatalf("consume %s: %v", queue, err)
	}
	return c
}

// gone fails where a queue is there.
func (r *rig) gone(queue string) {
	r.Helper()
	_, err := r.broker.Inspect(r.within(), queue)
	wantAs[*transport.NotFoundError](r, err)
}

func temporaryGoes(r *rig) {
	queue := r.name("q")
	c := r.temporary(r.broker, queue)
	r.fill(queue, "1", "2")
	r.ack(r.takeIDs(c, "1", "2")[0])
	r.end(c)
	r.gone(queue)
	r.end(c)
}

func temporaryGoesWithBroker(r *rig) {
	queue, b := r.name("q"), r.open()
	r.temporary(b, queue)
	if err := b.Close(r.within()); err != nil {
		r.Fatalf("close: %v", err)
	}
	r.gone(queue)
}

func temporaryExpires(r *rig) {
	queue := r.name("q")
	r.temporary(r.broker, queue)
	r.declare(topology.Topology{Queues: []topology.Queue{{Name: queue, Arguments: wire.Table{
		"x-queue-type": "classic", "x-expires": time.Minute.Milliseconds(),
	}}}})
}

func temporaryOutlives(r *rig) {
	queue, b := r.name("q"), r.open()
	c := r.temporary(b, queue)
	r.fill(queue, "1")
	r.takeIDs(c, "1")
	r.Cut(r.T, b)
	r.fill(queue, "2")
	for range 2 {
		r.ack(r.take(c))
	}
	r.end(c)
	r.gone(queue)
}

func temporaryComesBack(r *rig) {
	queue := r.name("q")
	c := r.temporary(r.broker, queue)
	r.DeleteQueue(r.T, queue)
	r.eventually("the queue", func() bool { return r.outcome(r.broker, to(queue, "1")) == nil })
	r.ack(r.takeIDs(c, "1")[0])
}

func temporaryConflict(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "1")
	_, err := r.broker.Consume(r.within(), transport.Subscription{Queue: queue, Prefetch: 1, Temporary: time.Minute})
	wantAs[*transport.ConflictError](r, err)
	r.contents(queue, "1")
}
