package conformance

import (
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

var consumeCases = []testCase{
	{"messages come in the order in which they were published", inOrder},
	{"no more than the prefetch is unsettled", prefetch},
	{"two consumers share a queue", shared},
	{"consumers take turns", turns},
	{"a higher priority goes first where the queue has priorities", priorities},
	{"one consumer is active at a time where the queue says so", singleActive},
	{"a single active consumer that stops is followed at once, by classic queues up to 3.13 when it has settled", singleActiveStops},
	{"stop gives back what was not taken and lets the rest be settled", stop},
	{"closing a consumer gives back everything", closeConsumer},
	{"many take the messages of one consumer, each once, until it stops", takenByMany},
	{"a consumer's own timeout is refused by classic queues from RabbitMQ 4.3", ownTimeout},
	{"a consumer whose queue was deleted comes back with the queue", queueDeleted},
	{"a queue that was declared and then verified is declared again for its consumer", verifiedQueueDeleted},
}

func inOrder(r *rig) {
	const count = 500
	queue := r.queue("q", nil)
	c := r.consume(r.broker, queue, 20)
	var pending []transport.Pending
	for n := range count {
		p, err := r.broker.Publish(r.within(), to(queue, fmt.Sprint(n)))
		if err != nil {
			r.Fatalf("publish: %v", err)
		}
		pending = append(pending, p)
	}
	for n := range count {
		d := r.take(c)
		if d.MessageID != fmt.Sprint(n) {
			r.Fatalf("delivery %d is %q", n, d.MessageID)
		}
		r.ack(d)
	}
	for _, p := range pending {
		if err := p.Wait(r.within()); err != nil {
			r.Errorf("publish: %v", err)
		}
	}
}

func prefetch(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "1", "2", "3", "4", "5")
	c := r.consume(r.broker, queue, 2)
	taken := r.takeIDs(c, "1", "2")
	r.none(c)
	r.ready(queue, 3)
	r.ack(taken[1])
	r.takeIDs(c, "3")
	r.none(c)
	r.reject(taken[0])
	r.takeIDs(c, "4")
	r.none(c)
}

func shared(r *rig) {
	queue := r.queue("q", nil)
	one, two := r.consume(r.broker, queue, 1), r.consume(r.open(), queue, 1)
	r.fill(queue, "1", "2", "3")
	first, second := r.take(one), r.take(two)
	if first.MessageID == second.MessageID {
		r.Errorf("both consumers got %q", first.MessageID)
	}
	r.ack(second)
	r.ack(r.takeIDs(two, "3")[0])
	r.ack(first)
	r.none(one)
}

func turns(r *rig) {
	queue := r.queue("q", nil)
	one, two := r.consume(r.broker, queue, 10), r.consume(r.open(), queue, 10)
	r.fill(queue, "1", "2", "3", "4", "5", "6")
	for _, c := range []transport.Consumer{one, two} {
		for range 3 {
			r.ack(r.take(c))
		}
		r.none(c)
	}
}

func priorities(r *rig) {
	queue := r.queue("q", wire.Table{"x-max-priority": int64(5)})
	for id, priority := range []uint8{0, 1, 9, 5, 1} {
		m := to(queue, fmt.Sprint(id))
		m.Priority = priority
		r.publish(m)
	}
	c := r.consume(r.broker, queue, 1)
	for _, id := range []string{"2", "3", "1", "4", "0"} {
		r.ack(r.takeIDs(c, id)[0])
	}
}

func singleActive(r *rig) {
	for _, kind := range []string{"classic", "quorum"} {
		queue := r.queue(kind, wire.Table{"x-queue-type": kind, "x-single-active-consumer": true})
		active, standby := r.consume(r.broker, queue, 2), r.consume(r.open(), queue, 2)
		r.fill(queue, "1", "2", "3")
		r.ack(r.takeIDs(active, "1")[0])
		held := r.takeIDs(active, "2", "3")
		r.none(standby)
		r.ack(held[0])
		r.end(active)
		d := r.takeIDs(standby, "3")[0]
		if !d.Redelivered {
			r.Errorf("%s: what the active consumer held came to the next as a first delivery", kind)
		}
		r.ack(d)
		r.fill(queue, "4")
		r.ack(r.takeIDs(standby, "4")[0])
	}
}

func singleActiveStops(r *rig) {
	for _, kind := range []string{"classic", "quorum"} {
		queue := r.queue(kind, wire.Table{"x-queue-type": kind, "x-single-active-consumer": true})
		active, standby := r.consume(r.broker, queue, 1), r.consume(r.open(), queue, 2)
		r.fill(queue, "1", "2")
		held := r.takeIDs(active, "1")[0]
		if err := active.Stop(r.within()); err != nil {
			r.Fatalf("stop: %v", err)
		}
		if kind == "classic" && !r.Version.atLeast(4, 0) {
			r.none(standby)
			r.ack(held)
		}
		r.takeIDs(standby, "2")
	}
}

func stop(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "1", "2", "3", "4", "5")
	c := r.consume(r.broker, queue, 4)
	taken := r.takeIDs(c, "1", "2")
	if err := c.Stop(r.within()); err != nil {
		r.Fatalf("stop: %v", err)
	}
	if d, open := <-c.Deliveries(); open {
		r.Fatalf("delivered %q after Stop", d.MessageID)
	}
	r.ready(queue, 3)
	for _, d := range taken {
		if !d.Live() {
			r.Errorf("%q cannot be settled after Stop", d.MessageID)
		}
	}
	r.ack(taken[0])
	r.nack(taken[1])
	r.ready(queue, 4)
	if err := c.Stop(r.within()); err != nil {
		r.Errorf("stop again: %v", err)
	}
	r.end(c)
	for i, d := range r.takeIDs(r.consume(r.broker, queue, 10), "2", "3", "4", "5") {
		if want := i < 3; d.Redelivered != want {
			r.Errorf("%q: redelivered is %v, want %v", d.MessageID, d.Redelivered, want)
		}
	}
}

func takenByMany(r *rig) {
	queue := r.queue("q", nil)
	c := r.consume(r.broker, queue, 50)
	const takers, messages = 8, 200
	taken := make(chan string, messages)
	var wait sync.WaitGroup
	for range takers {
		wait.Go(func() {
			for d := new(transport.Delivery); c.Next(d); d = new(transport.Delivery) {
				if err := d.Ack(); err != nil {
					r.Errorf("ack of %q: %v", d.MessageID, err)
				}
				taken <- d.MessageID
			}
		})
	}
	want := map[string]bool{}
	for i := range messages {
		id := strconv.Itoa(i)
		want[id] = true
		r.publish(to(queue, id))
	}
	for range messages {
		select {
		case id := <-taken:
			if !want[id] {
				r.Errorf("%q was taken twice", id)
			}
			delete(want, id)
		case <-time.After(patience):
			r.Fatalf("%d messages were not taken", len(want))
		}
	}
	if err := c.Stop(r.within()); err != nil {
		r.Fatalf("stop: %v", err)
	}
	wait.Wait()
	r.end(c)
	r.ready(queue, 0)
}

func closeConsumer(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "1", "2", "3")
	c := r.consume(r.broker, queue, 3)
	taken := r.takeIDs(c, "1", "2")
	r.ack(taken[0])
	r.end(c)
	if d, open := <-c.Deliveries(); open {
		r.Fatalf("delivered %q after Close", d.MessageID)
	}
	r.ready(queue, 2)
	if taken[1].Live() {
		r.Error("a delivery outlives its consumer")
	}
	wantIs(r, taken[1].Ack(), transport.ErrLost)
	r.end(c)
	for _, d := range r.takeIDs(r.consume(r.broker, queue, 3), "2", "3") {
		if !d.Redelivered {
			r.Errorf("%q came as a first delivery", d.MessageID)
		}
	}
}

func ownTimeout(r *rig) {
	for _, kind := range []string{"classic", "quorum"} {
		queue := r.queue(kind, wire.Table{"x-queue-type": kind})
		r.fill(queue, "m")
		c, err := r.broker.Consume(r.within(), transport.Subscription{
			Queue: queue, Prefetch: 1, Arguments: wire.Table{"x-consumer-timeout": int64(3_600_000)}})
		if kind == "classic" && r.Version.atLeast(4, 3) {
			if err == nil {
				r.Error("a classic queue takes a consumer's own timeout")
			}
			c = r.consume(r.broker, queue, 1)
		} else if err != nil {
			r.Fatalf("%s: %v", kind, err)
		}
		r.ack(r.take(c))
	}
}

func queueDeleted(r *rig) {
	queue := r.queue("q", nil)
	c := r.consume(r.open(), queue, 2)
	r.fill(queue, "1", "2")
	held := r.take(c)
	r.DeleteQueue(r.T, queue)
	time.Sleep(quiet)
	r.declare(topology.Topology{Queues: []topology.Queue{{Name: queue}}})
	r.fill(queue, "3")
	for {
		// What was fetched and not taken before the queue went may still come; it cannot be settled.
		if d := r.take(c); d.MessageID == "3" {
			r.ack(d)
			break
		} else if d.Live() {
			r.Fatalf("%q outlived its queue", d.MessageID)
		}
	}
	r.ready(queue, 0)
	if held.Live() {
		r.Error("a delivery outlives its queue")
	}
	wantIs(r, held.Ack(), transport.ErrLost)
}

func verifiedQueueDeleted(r *rig) {
	queue := r.queue("q", nil)
	r.declare(topology.Topology{Queues: []topology.Queue{{Name: queue, External: true}}})
	c := r.consume(r.broker, queue, 1)
	r.DeleteQueue(r.T, queue)
	r.eventually("the queue is back", func() bool { return r.outcome(r.broker, to(queue, "1")) == nil })
	r.ack(r.takeIDs(c, "1")[0])
}
