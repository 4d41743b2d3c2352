package request

import (
	"context"
	"fmt"
	"sync"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

const (
	// replyQueue begins the name of a reply queue. What follows is random.
	replyQueue = "acemq.reply."

	// replyExpires is how long a reply queue outlives a process that was killed, or a connection that is away
	// (contract: request and reply, reply queue).
	replyExpires = 10 * time.Minute

	// replyPrefetch is how many replies the broker hands out at once. Each is acknowledged as soon as it is read.
	replyPrefetch = 1000
)

// desk is where the replies of one connection arrive, and where the calls wait for them.
type desk struct {
	tally callTally

	mu      sync.Mutex
	box     *box // nil before the first call
	waiting map[string]chan<- *transport.Delivery
}

func deskOf(conn *acemq.Conn) *desk { return acemq.Attached[desk](conn) }

// box is a reply queue, or the attempt to get one.
type box struct {
	opened chan struct{} // closed when the attempt is over
	queue  string
	err    error         // why there is none, once the attempt is over
	ended  chan struct{} // closed when no more replies come
}

// open returns the reply queue of the connection, which the first caller makes. Where another caller's attempt failed,
// perhaps because it was in a hurry, it makes one of its own.
func (d *desk) open(ctx context.Context, conn *acemq.Conn) (*box, error) {
	for {
		b, first := d.join()
		if first {
			d.subscribe(ctx, conn, b)
		}
		select {
		case <-b.opened:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if b.err == nil || first {
			return b, b.err
		}
	}
}

// join returns the box that is there. It reports true to the caller that is to open it.
func (d *desk) join() (b *box, first bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.box == nil {
		d.box = &box{opened: make(chan struct{}), queue: replyQueue + acemq.NewID(), ended: make(chan struct{})}
		first = true
	}
	return d.box, first
}

// subscribe opens a box, or makes room for another attempt.
func (d *desk) subscribe(ctx context.Context, conn *acemq.Conn, b *box) {
	defer close(b.opened)
	sub, err := conn.Subscribe(ctx, transport.Subscription{
		Queue:     b.queue,
		Prefetch:  replyPrefetch,
		Temporary: replyExpires,
	})
	if err != nil {
		b.err = err
		d.mu.Lock()
		defer d.mu.Unlock()
		d.box = nil
		return
	}
	go func() {
		defer close(b.ended)
		for reply := range sub.Deliveries() {
			d.take(reply)
		}
	}()
}

// wait has replies to a request go to the channel it returns, until stop is called.
func (d *desk) wait(id string) (replies <-chan *transport.Delivery, stop func(), err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, found := d.waiting[id]; found {
		return nil, nil, fmt.Errorf("another call waits for the answer to %s: ask under an id of its own, or when that "+
			"call is over", id)
	}
	if d.waiting == nil {
		d.waiting = make(map[string]chan<- *transport.Delivery)
	}
	call := make(chan *transport.Delivery, 1)
	d.waiting[id] = call
	return call, func() { d.call(id) }, nil
}

// call takes a call off those that wait, nil where it does not.
func (d *desk) call(id string) chan<- *transport.Delivery {
	d.mu.Lock()
	defer d.mu.Unlock()
	call := d.waiting[id]
	delete(d.waiting, id)
	return call
}

// take gives a reply to its call. It is matched by its correlation, or else by its causation, because not every server
// of the family sends both (contract: request and reply, pairing). A reply is of use to nobody but its call, so it is
// taken off the queue whoever waits.
func (d *desk) take(reply *transport.Delivery) {
	e := wire.ReadEnvelope(reply.Headers, wire.Arrival{
		MessageID:  reply.MessageID,
		RoutingKey: reply.Key,
		Now:        time.Now(),
		NewID:      acemq.NewID,
	})
	call := d.call(e.Correlation)
	if call == nil && e.Causation != "" {
		call = d.call(e.Causation)
	}
	if call == nil {
		d.tally.unmatched.Add(1)
	} else {
		call <- reply // it has room for the one reply that finds the call waiting
	}
	_ = reply.Ack() // a reply whose ack is lost comes again, and finds nobody
}

// inFlight returns how many calls wait.
func (d *desk) inFlight() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return int64(len(d.waiting))
}
