package replay

import (
	"context"
	"fmt"
	"sync"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
)

const (
	// firstWindow and largestWindow bound how many messages the broker hands out ahead of the run. A window that is full
	// of declined messages brings no others, so a further one is opened, twice as large.
	firstWindow   = 200
	largestWindow = 1600

	// closeGrace is what the broker has to take back what is held.
	closeGrace = 5 * time.Second
)

// reader hands out the messages of a queue, oldest first, and holds those that are declined: a message that is given
// back comes again at once. It is good until a channel is lost. It is used by one goroutine.
type reader struct {
	conn       *acemq.Conn
	queue      string
	deliveries chan *transport.Delivery // of all windows
	closed     chan struct{}
	isClosed   bool
	windows    []transport.Consumer
	forwarders sync.WaitGroup
	size       int // of the last window
	room       int // of all windows
	held       []*transport.Delivery
}

func openReader(ctx context.Context, conn *acemq.Conn, queue string) (*reader, error) {
	r := &reader{
		conn:       conn,
		queue:      queue,
		deliveries: make(chan *transport.Delivery),
		closed:     make(chan struct{}),
		size:       firstWindow,
	}
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// open opens a window.
func (r *reader) open(ctx context.Context) error {
	window, err := r.conn.Subscribe(ctx, transport.Subscription{Queue: r.queue, Prefetch: r.size, InOrder: true})
	if err != nil {
		return err
	}
	r.windows = append(r.windows, window)
	r.room += r.size
	r.forwarders.Go(func() {
		for d := range window.Deliveries() {
			select {
			case r.deliveries <- d:
			case <-r.closed:
				return
			}
		}
	})
	return nil
}

// wornOut is how often a message may have been handed out when it is held: RabbitMQ 4 takes it off a quorum queue after
// 20 times.
const wornOut = 15

// hold keeps a message until the reader is closed.
func (r *reader) hold(ctx context.Context, d *transport.Delivery) error {
	if n, _ := d.Headers["x-delivery-count"].(int64); n >= wornOut {
		return fmt.Errorf("message %q has been handed out and declined %d times, and the broker may drop it at 20: replay "+
			"it, or take it off %q", d.MessageID, n, r.queue)
	}
	d.Body, d.Headers = nil, nil // nobody looks at it again, and there may be many
	r.held = append(r.held, d)
	if len(r.held) < r.room {
		return nil
	}
	r.size = min(2*r.size, largestWindow)
	return r.open(ctx)
}

// isLost reports whether what is held went back to the queue by itself.
func (r *reader) isLost() bool { return len(r.held) > 0 && !r.held[0].Live() }

// close gives back everything that is unsettled to where it was: the oldest first, for that is where it goes in a
// quorum queue. It may be repeated.
func (r *reader) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
	defer cancel()
	if r.isClosed {
		return
	}
	r.isClosed = true
	close(r.closed)
	for _, window := range r.windows {
		if err := window.Close(ctx); err != nil {
			r.conn.Logger().Warn("acemq: messages go back to their queue late", "queue", r.queue, "error", err)
		}
	}
	r.forwarders.Wait()
}
