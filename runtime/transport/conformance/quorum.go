package conformance

import (
	"fmt"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

var quorumCases = []testCase{
	{"a quorum queue counts the deliveries that were lost", deliveryCount},
	{"a quorum queue gives up on a message after its delivery limit", deliveryLimit},
	{"a delivery that is given back counts up to RabbitMQ 4.2", nackCounts},
	{"a quorum queue without a limit takes back at its end", requeuedAtTheEnd},
	{"what an ordered subscription gives back keeps its place", keepsItsPlace},
	{"an ordered subscription that stops holds its place until it has given back", standbyWaits},
	{"a delivery limit of 0 allows one delivery", limitOfZero},
	{"a quorum queue has a delivery limit of 20 from RabbitMQ 4.0", defaultLimit},
	{"a classic queue has no delivery limit", classicHasNoLimit},
}

// lose takes the message from a queue and loses the channel that it came on. It returns the delivery.
func (r *rig) lose(queue string) *transport.Delivery {
	r.Helper()
	c := r.consume(r.broker, queue, 1)
	d := r.take(c)
	r.end(c)
	return d
}

// deliveries returns what the header x-delivery-count says; a missing one says 0.
func deliveries(d *transport.Delivery) string {
	count, found := d.Headers["x-delivery-count"]
	if !found {
		return "0"
	}
	return fmt.Sprint(count)
}

func deliveryCount(r *rig) {
	queue := r.queue("q", wire.Table{"x-queue-type": "quorum"})
	r.fill(queue, "m")
	for n := range 3 {
		d := r.lose(queue)
		if got := deliveries(d); got != fmt.Sprint(n) || d.Redelivered != (n > 0) {
			r.Errorf("delivery %d says that %s were before it, and redelivered is %v", n+1, got, d.Redelivered)
		}
	}
}

func deliveryLimit(r *rig) {
	dead := r.queue("dead", nil)
	queue := r.queue("q", onward(dead, wire.Table{"x-queue-type": "quorum", "x-delivery-limit": int64(2)}))
	r.fill(queue, "m")
	for range 3 {
		r.lose(queue)
	}
	d := r.take(r.consume(r.broker, dead, 1))
	if deaths := r.deaths(d.Headers); len(deaths) != 1 || deaths[0]["reason"] != "delivery_limit" {
		r.Errorf("the deaths are %v, want one by delivery_limit", deaths)
	}
	if _, kept := d.Headers["x-delivery-count"]; kept {
		r.Error("the dead letter carries the delivery count of its source")
	}
	r.ready(queue, 0)
}

func nackCounts(r *rig) {
	queue := r.queue("q", wire.Table{"x-queue-type": "quorum", "x-delivery-limit": int64(2)})
	r.fill(queue, "m")
	c := r.consume(r.broker, queue, 1)
	for range 3 {
		r.nack(r.take(c))
	}
	if r.Version.atLeast(4, 3) {
		r.ack(r.takeIDs(c, "m")[0])
		return
	}
	r.none(c)
	r.ready(queue, 0)
}

func requeuedAtTheEnd(r *rig) {
	queue := r.queue("q", wire.Table{"x-queue-type": "quorum"})
	r.fill(queue, "1", "2", "3")
	c := r.consume(r.broker, queue, 1)
	r.nack(r.takeIDs(c, "1")[0])
	order := []string{"1", "2", "3"}
	if !r.Version.atLeast(4, 0) { // from then on every quorum queue has a limit
		order = []string{"2", "3", "1"}
	}
	for _, id := range order {
		r.ack(r.takeIDs(c, id)[0])
	}
}

func keepsItsPlace(r *rig) {
	queue := r.queue("q", wire.Table{"x-queue-type": "quorum"})
	r.fill(queue, "1", "2", "3")
	subscription := transport.Subscription{Queue: queue, Prefetch: 1, InOrder: true}
	for _, end := range []func(transport.Consumer) error{
		func(c transport.Consumer) error { return c.Stop(r.within()) },
		func(c transport.Consumer) error { return c.Close(r.within()) },
	} {
		c, err := r.broker.Consume(r.within(), subscription)
		if err != nil {
			r.Fatalf("consume: %v", err)
		}
		r.ready(queue, 2) // one is on its way
		if err := end(c); err != nil {
			r.Errorf("end: %v", err)
		}
		r.ready(queue, 3)
	}
	c := r.consume(r.broker, queue, 1)
	for _, id := range []string{"1", "2", "3"} {
		r.ack(r.takeIDs(c, id)[0])
	}
}

func standbyWaits(r *rig) {
	queue := r.queue("q", wire.Table{"x-queue-type": "quorum", "x-single-active-consumer": true})
	active, err := r.broker.Consume(r.within(), transport.Subscription{Queue: queue, Prefetch: 1, InOrder: true})
	if err != nil {
		r.Fatalf("consume: %v", err)
	}
	standby := r.consume(r.open(), queue, 2)
	r.fill(queue, "1", "2")
	held := r.takeIDs(active, "1")[0]
	if err := active.Stop(r.within()); err != nil {
		r.Errorf("stop: %v", err)
	}
	if held.Live() {
		r.Error("a delivery outlives its subscription")
	}
	for _, id := range []string{"1", "2"} {
		r.ack(r.takeIDs(standby, id)[0])
	}
}

func limitOfZero(r *rig) {
	dead := r.queue("dead", nil)
	queue := r.queue("q", onward(dead, wire.Table{"x-queue-type": "quorum", "x-delivery-limit": int64(0)}))
	r.fill(queue, "m")
	r.lose(queue)
	r.contents(dead, "m")
	r.ready(queue, 0)
}

func defaultLimit(r *rig) {
	queue := r.queue("q", wire.Table{"x-queue-type": "quorum"})
	r.fill(queue, "m")
	for range 21 {
		r.lose(queue)
	}
	if r.Version.atLeast(4, 0) {
		r.stays(queue, 0)
		return
	}
	r.contents(queue, "m")
}

func classicHasNoLimit(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "m")
	c := r.consume(r.broker, queue, 1)
	for range 50 {
		d := r.take(c)
		if _, counted := d.Headers["x-delivery-count"]; counted {
			r.Fatal("a classic queue counts deliveries")
		}
		r.nack(d)
	}
	r.ack(r.takeIDs(c, "m")[0])
}
