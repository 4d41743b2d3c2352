package rabbit

import (
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// bufferLimit is how much may wait to be written before publishers wait too.
	bufferLimit = 1 << 20

	// bufferKept is the largest buffer that is kept for reuse.
	bufferKept = 256 << 10

	// flushTimeout is how long Close waits for what was written to reach the network.
	flushTimeout = 250 * time.Millisecond
)

// wireConn is the network connection below amqp091-go. The library writes once a message, and holds locks while it
// does; here a write never waits: it is appended to a buffer, and one goroutine writes the buffer out as soon as the
// network is free, so that what was written meanwhile goes in one piece. Publishers watch [wireConn.full] before they
// write. A write that the network did not take ends the connection and is the error of the next one.
type wireConn struct {
	net.Conn
	timeout time.Duration // for one write to the network
	patient atomic.Bool   // the broker has stopped reading, and said so: a write may take longer

	mu      sync.Mutex
	buffer  []byte
	spare   []byte
	err     error         // why nothing can be written any more
	closing bool          // nothing is appended any more
	taken   chan struct{} // closed when the buffer is written out; nil where nobody waits

	waiting atomic.Int64  // the length of buffer
	wake    chan struct{} // there is work for the writer
	ended   chan struct{} // the writer has ended
	writes  atomic.Int64  // writes to the network
	appends atomic.Int64  // writes of the library
}

func newWireConn(conn net.Conn, timeout time.Duration) *wireConn {
	c := &wireConn{Conn: conn, timeout: timeout, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go c.write()
	return c
}

// Write appends p to the buffer.
func (c *wireConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0, c.err
	}
	if c.closing {
		return 0, net.ErrClosed
	}
	c.buffer = append(c.buffer, p...)
	c.waiting.Store(int64(len(c.buffer)))
	c.appends.Add(1)
	c.signal()
	return len(p), nil
}

func (c *wireConn) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// full returns nil while there is room in the buffer, and otherwise a channel that is closed when there is.
func (c *wireConn) full() <-chan struct{} {
	if c.waiting.Load() < bufferLimit {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.buffer) < bufferLimit {
		return nil
	}
	if c.taken == nil {
		c.taken = make(chan struct{})
	}
	return c.taken
}

// write is the writer.
func (c *wireConn) write() {
	defer close(c.ended)
	for range c.wake {
		for {
			chunk, done := c.take()
			if done {
				return
			}
			if len(chunk) == 0 {
				break
			}
			if err := c.writeOut(chunk); err != nil {
				c.abort(err)
				return
			}
			c.reuse(chunk)
		}
	}
}

// take takes what waits to be written. It reports done when nothing ever will.
func (c *wireConn) take() (chunk []byte, done bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, true
	}
	if len(c.buffer) == 0 {
		return nil, c.closing
	}
	chunk, c.buffer, c.spare = c.buffer, c.spare, nil
	c.waiting.Store(0)
	c.release()
	return chunk, false
}

func (c *wireConn) reuse(chunk []byte) {
	if cap(chunk) > bufferKept {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spare = chunk[:0]
}

// release lets go who waits for room. The caller holds the mutex.
func (c *wireConn) release() {
	if c.taken != nil {
		close(c.taken)
		c.taken = nil
	}
}

// writeOut writes a chunk to the network, for as long as it takes while the broker blocks.
func (c *wireConn) writeOut(chunk []byte) error {
	for {
		c.writes.Add(1)
		if err := c.Conn.SetWriteDeadline(time.Now().Add(c.timeout)); err != nil {
			return err
		}
		n, err := c.Conn.Write(chunk)
		chunk = chunk[n:]
		if err == nil {
			return nil
		}
		if !os.IsTimeout(err) || !c.patient.Load() && n == 0 {
			return err
		}
	}
}

// abort ends the connection at once. The first cause counts.
func (c *wireConn) abort(cause error) {
	c.mu.Lock()
	if c.err == nil {
		c.err = cause
	}
	c.buffer, c.spare = nil, nil
	c.waiting.Store(0)
	c.release()
	c.signal()
	c.mu.Unlock()
	c.Conn.Close()
}

// Close writes out what waits, for a moment, and closes the connection.
func (c *wireConn) Close() error {
	c.mu.Lock()
	c.closing = true
	c.signal()
	c.mu.Unlock()
	timer := time.NewTimer(flushTimeout)
	defer timer.Stop()
	select {
	case <-c.ended:
	case <-timer.C:
	}
	c.abort(net.ErrClosed)
	return nil
}

// SetDeadline sets the deadline for reading. Each write has its own.
func (c *wireConn) SetDeadline(t time.Time) error { return c.Conn.SetReadDeadline(t) }

// SetWriteDeadline does nothing: each write to the network has a deadline of its own.
func (c *wireConn) SetWriteDeadline(time.Time) error { return nil }
