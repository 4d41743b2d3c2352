package acemq

import (
	"sync"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// workers counts the goroutines that run handlers. They are started one by one, each when all others are busy, so that
// a large concurrency costs nothing until it is used.
type workers struct {
	mu      sync.Mutex
	limit   int
	started int
	idle    int
}

// wait enters a worker into the idle ones.
func (w *workers) wait() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle++
}

// work takes a worker out of the idle ones, and reports whether another one should be started.
func (w *workers) work() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle--
	return w.idle == 0 && w.started < w.limit
}

func (w *workers) add(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.started += n
}

// startWorker starts a goroutine that takes messages until there are no more.
func (c *Consumer) startWorker() {
	c.workers.add(1)
	c.holding.Add(1)
	go c.work()
}

func (c *Consumer) work() {
	ended := false
	defer func() {
		c.workers.add(-1)
		if !ended { // a handler ended its goroutine with runtime.Goexit
			c.startWorker()
		}
		c.holding.Done()
	}()
	for {
		c.workers.wait()
		d, more := <-c.sub.Deliveries()
		if c.workers.work() && more {
			c.startWorker()
		}
		if !more {
			ended = true
			return
		}
		c.take(d)
	}
}

// take handles one delivery, unless it comes again anyway or the consumer takes no more.
func (c *Consumer) take(d *transport.Delivery) {
	c.held.Add(1)
	switch {
	case !d.Live() || c.isDraining():
		c.giveBack(d)
	default:
		c.handle(receive(d, c.codec))
	}
}

// receive reads the envelope of a delivery whose body codec reads.
func receive(d *transport.Delivery, codec Codec) *incoming {
	now := time.Now()
	return &incoming{
		delivery:   d,
		codec:      codec,
		receivedAt: now,
		envelope: wire.ReadEnvelope(d.Headers, wire.Arrival{
			MessageID:  d.MessageID,
			RoutingKey: d.Key,
			Now:        now,
			NewID:      NewID,
		}),
	}
}
