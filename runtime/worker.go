package acemq

import "sync"

// workers counts the goroutines that run handlers. One is started when all others are busy, and one ends when others
// wait for work already: handlers that are quick stay with a few goroutines, whatever the concurrency.
type workers struct {
	mu      sync.Mutex
	limit   int
	started int
	idle    int
}

// idleWorkers is how many workers wait for work at most.
const idleWorkers = 2

// wait enters a worker into the idle ones, or counts it out and reports false where there are enough of them.
func (w *workers) wait() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.idle >= idleWorkers {
		w.started--
		return false
	}
	w.idle++
	return true
}

// work takes a worker out of the idle ones. It reports whether another one is to be started, and counts it.
func (w *workers) work() (another bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle--
	if w.idle > 0 || w.started >= w.limit {
		return false
	}
	w.started++
	return true
}

// startWorker starts a goroutine, counted already, that takes messages until there are no more.
func (c *Consumer) startWorker() {
	c.holding.Add(1)
	go c.work()
}

func (c *Consumer) work() {
	defer c.holding.Done()
	ended := false
	defer func() {
		if !ended { // a handler ended its goroutine with runtime.Goexit: another one stands in
			c.startWorker()
		}
	}()
	var in incoming // used again for each delivery
	for c.workers.wait() {
		if !c.sub.Next(&in.delivery) {
			break
		}
		if c.workers.work() {
			c.startWorker()
		}
		c.take(&in)
	}
	ended = true
}

// take handles what was delivered as in, unless it comes again anyway or the consumer takes no more.
func (c *Consumer) take(in *incoming) {
	c.held.Add(1)
	switch {
	case !in.delivery.Live() || c.isDraining():
		c.giveBack(&in.delivery)
	default:
		in.read(c.codec)
		c.watch(in)
		c.handle(in)
	}
}
