package rabbit

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// link keeps one connection: it makes it, watches it, and makes it again when it is lost, for ever, until it is closed.
// One goroutine, the supervisor, does all of this.
//
// It is connecting while there is no epoch, up or blocked while there is one, and closed at last.
type link struct {
	purpose string
	dialer  *dialer
	prepare func(context.Context, *epoch) error // what precedes all other use of a new connection

	closing context.Context // ends when the link is closed
	end     context.CancelFunc
	ended   chan struct{} // the supervisor has ended

	mu      sync.Mutex
	started bool
	current *epoch        // nil while there is no connection
	reason  error         // why there is none
	changed chan struct{} // closed when any of these changes
}

func newLink(purpose string, d *dialer, prepare func(context.Context, *epoch) error) *link {
	l := &link{purpose: purpose, dialer: d, prepare: prepare, ended: make(chan struct{}), changed: make(chan struct{})}
	l.closing, l.end = context.WithCancel(context.Background())
	l.reason = fmt.Errorf("the connection for %s is being made", purpose)
	return l
}

// start starts the supervisor, on a connection that was made already or on none. Only the first call counts.
func (l *link) start(first *epoch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.started || l.closing.Err() != nil {
		return
	}
	l.started = true
	l.current = first
	go l.supervise(first)
}

func (l *link) isStarted() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.started
}

// supervise holds one epoch after another.
func (l *link) supervise(e *epoch) {
	defer close(l.ended)
	log := l.dialer.options.Logger.With("connection", l.purpose)
	failures := 0
	for {
		if e == nil {
			var err error
			if e, err = l.connect(l.closing); err != nil {
				failures++
				l.set(nil, err)
				log.Warn("the broker does not answer", "failures", failures, "error", err)
				if !pause(l.closing, l.dialer.options.Backoff(failures)) {
					return
				}
				continue
			}
		}
		log.Info("connected", "broker", e.to.name, "epoch", e.number)
		since := time.Now()
		l.set(e, nil)
		cause := e.hold(l.closing.Done())
		if l.closing.Err() != nil {
			return
		}
		l.set(nil, cause)
		log.Warn("the connection is lost", "broker", e.to.name, "epoch", e.number, "error", cause)
		// A broker that takes connections and drops them is not to be hammered.
		if failures++; time.Since(since) > steady {
			failures = 1
		}
		if e = nil; !pause(l.closing, l.dialer.options.Backoff(failures)) {
			return
		}
	}
}

// steady is how long a connection must have stood for its loss to be the first in a row.
const steady = 30 * time.Second

// connect makes a connection that is ready for use.
func (l *link) connect(ctx context.Context) (*epoch, error) {
	e, err := l.dialer.dial(ctx, l.purpose)
	if err != nil {
		return nil, err
	}
	if err := l.prepare(ctx, e); err != nil {
		e.abort(err)
		return nil, fmt.Errorf("declare again after the connection was lost: %w", err)
	}
	return e, nil
}

// pause waits for d and reports true, or reports false when ctx ends first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (l *link) set(e *epoch, reason error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.current, l.reason = e, reason
	close(l.changed)
	l.changed = make(chan struct{})
}

func (l *link) look() (e *epoch, changed <-chan struct{}, reason error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current, l.changed, l.reason
}

// epoch returns the current epoch. It waits for one within ctx and the bound of the options.
func (l *link) epoch(ctx context.Context) (*epoch, error) {
	l.start(nil)
	if e, _, _ := l.look(); e != nil && l.closing.Err() == nil {
		return e, nil
	}
	bound := time.NewTimer(l.dialer.options.WaitTimeout)
	defer bound.Stop()
	for {
		e, changed, reason := l.look()
		if l.closing.Err() != nil {
			return nil, transport.ErrClosed
		}
		if e != nil {
			return e, nil
		}
		select {
		case <-changed:
		case <-l.closing.Done():
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", context.Cause(ctx), reason)
		case <-bound.C:
			return nil, fmt.Errorf("no connection within %v: %w", l.dialer.options.WaitTimeout, reason)
		}
	}
}

func (l *link) state() transport.State {
	e, _, reason := l.look()
	if l.closing.Err() != nil {
		return transport.State{Reason: transport.ErrClosed.Error()}
	}
	if e == nil {
		return transport.State{Reason: reason.Error()}
	}
	if blocked := e.blocked.Load(); blocked != nil {
		return transport.State{Up: true, Blocked: true, Reason: blocked.Error()}
	}
	return transport.State{Up: true}
}

// close ends the supervisor and closes the connection in good order, by force when ctx ends.
func (l *link) close(ctx context.Context) {
	l.mu.Lock()
	started := l.started
	l.end()
	l.mu.Unlock()
	if !started {
		return
	}
	<-l.ended
	if e, _, _ := l.look(); e != nil {
		e.close(ctx)
		l.set(nil, transport.ErrClosed)
	}
}

// awaitChange waits until e is no longer the current epoch.
func (l *link) awaitChange(ctx context.Context, e *epoch) error {
	for {
		current, changed, _ := l.look()
		if current != e {
			return nil
		}
		select {
		case <-changed:
		case <-l.closing.Done():
			return transport.ErrClosed
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// bound returns a context for a call that waits on the link: it ends with ctx, and with the link.
func (l *link) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(l.closing, func() { cancel(transport.ErrClosed) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}
