package rabbit

import (
	"context"
	"sync"
	"time"
)

// inFlight is a publish that was written and may not be answered yet.
type inFlight interface {
	Done() <-chan struct{}
	settle() // takes the answer, once Done is closed
}

// window bounds the publishes of one channel that wait for an answer. A place is taken before the write and comes free
// when the broker has answered, whether anybody waits for the answer or not. No goroutine watches it: who finds it full
// clears what is answered out of it.
type window struct {
	mu       sync.Mutex
	ring     []inFlight // entries are ring[first], ring[first+1], … in the order of their writes
	first    int
	count    int
	reserved int // places that were taken and are not written yet
}

func newWindow(size int) *window { return &window{ring: make([]inFlight, size)} }

// reserve takes a place. Where none is free it reports false.
func (w *window) reserve() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.count+w.reserved == len(w.ring) {
		w.clear()
	}
	if w.count+w.reserved == len(w.ring) {
		return false
	}
	w.reserved++
	return true
}

// fill puts a publish in a reserved place.
func (w *window) fill(p inFlight) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reserved--
	w.push(p)
}

// cancel gives a reserved place back.
func (w *window) cancel() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reserved--
}

// rescan is how long a full window waits for its oldest entry before it looks at all the others.
const rescan = 10 * time.Millisecond

// await waits until a place may be free, or gone is closed, or ctx ends.
func (w *window) await(ctx context.Context, gone <-chan struct{}) error {
	timer := time.NewTimer(rescan)
	defer timer.Stop()
	select {
	case <-w.oldest():
	case <-timer.C:
		w.compact()
	case <-gone:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// drain waits until all that was written is answered.
func (w *window) drain(ctx context.Context) {
	for {
		w.mu.Lock()
		w.clear()
		w.mu.Unlock()
		oldest := w.oldest()
		if oldest == nil {
			return
		}
		select {
		case <-oldest:
		case <-ctx.Done():
			return
		}
	}
}

// oldest returns the Done of the oldest entry, or nil where there is none.
func (w *window) oldest() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.count == 0 {
		return nil
	}
	return w.ring[w.first].Done()
}

// clear takes answered entries off the front. The caller holds the mutex.
func (w *window) clear() {
	for w.count > 0 && answered(w.ring[w.first]) {
		w.pop().settle()
	}
}

// compact takes out answered entries wherever they are: one that is never answered must not hold up the rest.
func (w *window) compact() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for range w.count {
		if p := w.pop(); answered(p) {
			p.settle()
		} else {
			w.push(p)
		}
	}
}

func (w *window) push(p inFlight) {
	w.ring[(w.first+w.count)%len(w.ring)] = p
	w.count++
}

func (w *window) pop() inFlight {
	p := w.ring[w.first]
	w.ring[w.first] = nil
	w.first = (w.first + 1) % len(w.ring)
	w.count--
	return p
}

func answered(p inFlight) bool {
	select {
	case <-p.Done():
		return true
	default:
		return false
	}
}
