package conformance

import (
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
)

var closeCases = []testCase{
	{"close gives back what is unsettled and ends the deliveries", closeBroker},
	{"nothing is accepted after close", afterClose},
	{"close ends the calls that wait", closeEndsWaits},
}

func closeBroker(r *rig) {
	queue, b := r.queue("q", nil), r.open()
	r.fill(queue, "1", "2", "3")
	c := r.consume(b, queue, 2)
	taken := r.takeIDs(c, "1")[0]
	if err := b.Close(r.within()); err != nil {
		r.Fatalf("close: %v", err)
	}
	r.eventually("the deliveries to end", func() bool {
		d, open := <-c.Deliveries()
		if open && d.Live() {
			r.Errorf("%q can be settled after Close", d.MessageID)
		}
		return !open
	})
	if taken.Live() {
		r.Error("a delivery outlives its connection")
	}
	wantIs(r, taken.Ack(), transport.ErrLost)
	r.contents(queue, "1", "2", "3")
}

func afterClose(r *rig) {
	queue, b := r.queue("q", nil), r.open()
	c := r.consume(b, queue, 1)
	for range 2 {
		if err := b.Close(r.within()); err != nil {
			r.Fatalf("close: %v", err)
		}
	}
	_, err := b.Publish(r.within(), to(queue, "m"))
	wantAs[*transport.RefusedError](r, err)
	wantIs(r, err, transport.ErrClosed)
	wantIs(r, b.Declare(r.within(), &topology.Topology{Queues: []topology.Queue{{Name: queue}}}), transport.ErrClosed)
	_, err = b.Consume(r.within(), transport.Subscription{Queue: queue, Prefetch: 1})
	wantIs(r, err, transport.ErrClosed)
	_, err = b.Inspect(r.within(), queue)
	wantIs(r, err, transport.ErrClosed)
	if state := b.State(); state.Up || state.Reason == "" {
		r.Errorf("the state after Close is %+v", state)
	}
	if err := c.Stop(r.within()); err != nil {
		r.Errorf("stop after Close: %v", err)
	}
	r.end(c)
}

func closeEndsWaits(r *rig) {
	queue, b := r.queue("q", nil), r.open()
	r.Cut(r.T, b)
	r.eventually("the loss to be seen", func() bool { return !b.State().Up })
	waiting := make(chan error, 1)
	go func() {
		_, err := b.Publish(r.within(), to(queue, "m"))
		waiting <- err
	}()
	time.Sleep(20 * time.Millisecond)
	if err := b.Close(r.within()); err != nil {
		r.Fatalf("close: %v", err)
	}
	select {
	case err := <-waiting:
		if err != nil { // the connection may be back by then
			wantIs(r, err, transport.ErrClosed)
		}
	case <-time.After(patience):
		r.Fatal("a call outlives Close")
	}
}
