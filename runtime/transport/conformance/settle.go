package conformance

import (
	"sync"
	"sync/atomic"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

var settleCases = []testCase{
	{"an accepted message is gone", accepted},
	{"a message that is given back is the head of its queue again", requeued},
	{"messages that are given back out of order take their old places", requeuedOutOfOrder},
	{"a redelivery is flagged", redelivered},
	{"what was acked stays acked when an ordered subscription ends at once", ackedAtTheEnd},
	{"a delivery is settled once", settledOnce},
	{"one of many answers at once counts", settledConcurrently},
}

func accepted(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "1", "2")
	c := r.consume(r.broker, queue, 2)
	taken := r.takeIDs(c, "1", "2")
	r.ack(taken[1])
	r.end(c)
	r.contents(queue, "1")
}

func ackedAtTheEnd(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "1", "2", "3")
	c, err := r.broker.Consume(r.within(), transport.Subscription{Queue: queue, Prefetch: 100, InOrder: true})
	if err != nil {
		r.Fatal(err)
	}
	taken := r.takeIDs(c, "1", "2", "3")
	r.ack(taken[0])
	r.ack(taken[2])
	r.end(c)
	r.contents(queue, "2")
}

func requeued(r *rig) {
	for base, arguments := range map[string]wire.Table{
		"classic": nil,
		"quorum":  {"x-queue-type": "quorum", "x-delivery-limit": int64(9)},
	} {
		queue := r.queue(base, arguments)
		r.fill(queue, "1", "2", "3")
		c := r.consume(r.broker, queue, 1)
		r.nack(r.takeIDs(c, "1")[0])
		r.nack(r.takeIDs(c, "1")[0])
		for _, id := range []string{"1", "2", "3"} {
			r.ack(r.takeIDs(c, id)[0])
		}
	}
}

func requeuedOutOfOrder(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "1", "2", "3", "4", "5")
	one := r.consume(r.broker, queue, 4)
	taken := r.takeIDs(one, "1", "2", "3", "4")
	if err := one.Stop(r.within()); err != nil {
		r.Fatalf("stop: %v", err)
	}
	for _, i := range []int{2, 0, 3, 1} {
		r.nack(taken[i])
	}
	r.ready(queue, 5)
	r.takeIDs(r.consume(r.broker, queue, 5), "1", "2", "3", "4", "5")
}

func redelivered(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "1", "2")
	c := r.consume(r.broker, queue, 1)
	first := r.takeIDs(c, "1")[0]
	if first.Redelivered {
		r.Error("a first delivery is flagged")
	}
	r.nack(first)
	again := r.takeIDs(c, "1")[0]
	if !again.Redelivered {
		r.Error("a second delivery is not flagged")
	}
	r.ack(again)
	if r.takeIDs(c, "2")[0].Redelivered {
		r.Error("the first delivery of the next message is flagged")
	}
}

func settledOnce(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "1", "2", "3", "4")
	c := r.consume(r.broker, queue, 4)
	taken := r.takeIDs(c, "1", "2", "3", "4")
	r.ack(taken[0])
	r.nack(taken[1])
	r.reject(taken[2])
	for _, d := range taken[:3] {
		for _, err := range []error{d.Ack(), d.Nack(true), d.Nack(false)} {
			wantIs(r, err, transport.ErrSettled)
		}
	}
	r.ack(taken[3])
	r.ack(r.takeIDs(c, "2")[0])
	r.none(c)
	r.ready(queue, 0)
}

func settledConcurrently(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "1")
	d := r.take(r.consume(r.broker, queue, 2))
	var counted atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := d.Ack(); err == nil {
				counted.Add(1)
			}
		})
	}
	all.Wait()
	if counted.Load() != 1 {
		r.Errorf("%d answers counted, want 1", counted.Load())
	}
	if !r.broker.State().Up {
		r.Error("answering at once cost the connection")
	}
}
