package brokertest

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// Faults is a network on which things go wrong when a test says so. The connections it dials are cut, stalled and
// slowed together. The zero Faults is a good network. Its methods may be called concurrently.
type Faults struct {
	mu     sync.Mutex
	conns  map[*faultConn]struct{}
	down   bool
	reads  gate
	writes gate
	delay  time.Duration
	dialed int
}

// errDown is what a dial gets while the network is down.
var errDown = errors.New("the test's network is down")

// Dial connects as a net.Dialer does.
func (f *Faults) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	f.mu.Lock()
	down := f.down
	f.mu.Unlock()
	if down {
		return nil, errDown
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c := &faultConn{Conn: conn, faults: f, closed: make(chan struct{})}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.conns == nil {
		f.conns = make(map[*faultConn]struct{})
	}
	f.conns[c] = struct{}{}
	f.dialed++
	return c, nil
}

// Cut resets the connections that are open. Later ones are not touched.
func (f *Faults) Cut() {
	f.mu.Lock()
	conns := make([]*faultConn, 0, len(f.conns))
	for c := range f.conns {
		conns = append(conns, c)
	}
	f.mu.Unlock()
	for _, c := range conns {
		if tcp, ok := c.Conn.(*net.TCPConn); ok {
			tcp.SetLinger(0)
		}
		c.Close()
	}
}

// Down cuts the connections and refuses to dial until Up.
func (f *Faults) Down() {
	f.mu.Lock()
	f.down = true
	f.mu.Unlock()
	f.Cut()
}

// Up ends Down.
func (f *Faults) Up() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.down = false
}

// StallReads keeps back what the broker sends, until Resume.
func (f *Faults) StallReads() { f.reads.close() }

// StallWrites keeps back what is sent to the broker, until Resume.
func (f *Faults) StallWrites() { f.writes.close() }

// Resume ends StallReads and StallWrites.
func (f *Faults) Resume() {
	f.reads.open()
	f.writes.open()
}

// Slow makes each write take at least d.
func (f *Faults) Slow(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delay = d
}

// Open returns how many connections are open.
func (f *Faults) Open() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.conns)
}

// Dialed returns how many connections were made.
func (f *Faults) Dialed() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dialed
}

// gate lets callers through while it is open. The zero gate is open.
type gate struct {
	mu     sync.Mutex
	opened chan struct{} // closed when the gate opens again; nil while it is open
}

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened == nil {
		g.opened = make(chan struct{})
	}
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened != nil {
		close(g.opened)
		g.opened = nil
	}
}

// pass returns once the gate is open, or with an error when closed is closed or the deadline has passed.
func (g *gate) pass(closed <-chan struct{}, deadline time.Time) error {
	g.mu.Lock()
	opened := g.opened
	g.mu.Unlock()
	if opened == nil {
		return nil
	}
	var expired <-chan time.Time
	if !deadline.IsZero() {
		timer := time.NewTimer(time.Until(deadline))
		defer timer.Stop()
		expired = timer.C
	}
	select {
	case <-opened:
		return nil
	case <-closed:
		return net.ErrClosed
	case <-expired:
		return os.ErrDeadlineExceeded
	}
}

// faultConn is a connection of a Faults.
type faultConn struct {
	net.Conn
	faults *Faults
	closed chan struct{}
	once   sync.Once

	mu            sync.Mutex
	readDeadline  time.Time
	writeDeadline time.Time
}

func (c *faultConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil {
		return n, err
	}
	c.mu.Lock()
	deadline := c.readDeadline
	c.mu.Unlock()
	if err := c.faults.reads.pass(c.closed, deadline); err != nil {
		return 0, err
	}
	return n, nil
}

func (c *faultConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	deadline := c.writeDeadline
	c.mu.Unlock()
	if err := c.faults.writes.pass(c.closed, deadline); err != nil {
		return 0, err
	}
	c.faults.mu.Lock()
	delay := c.faults.delay
	c.faults.mu.Unlock()
	if delay > 0 {
		time.Sleep(delay)
	}
	return c.Conn.Write(p)
}

func (c *faultConn) Close() error {
	c.once.Do(func() {
		close(c.closed)
		c.faults.mu.Lock()
		delete(c.faults.conns, c)
		c.faults.mu.Unlock()
	})
	return c.Conn.Close()
}

func (c *faultConn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

func (c *faultConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	c.readDeadline = t
	c.mu.Unlock()
	return c.Conn.SetReadDeadline(t)
}

func (c *faultConn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	c.writeDeadline = t
	c.mu.Unlock()
	return c.Conn.SetWriteDeadline(t)
}
