package replay

import (
	"context"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
)

// member is a run as its connection knows it: closing the connection ends the run first.
type member struct {
	queue  string
	cancel context.CancelCauseFunc
	done   chan struct{}
}

// join ties a run to its connection: it ends with ctx and when the connection closes. leave says that it is over.
func join(ctx context.Context, conn *acemq.Conn, queue string) (running context.Context, leave func()) {
	running, cancel := context.WithCancelCause(ctx)
	m := &member{queue: queue, cancel: cancel, done: make(chan struct{})}
	_, remove, err := conn.Join(ctx, m)
	if err != nil {
		cancel(err)
		return running, func() {}
	}
	return running, func() {
		close(m.done)
		remove()
		cancel(nil)
	}
}

// Stop implements acemq.Member.
func (m *member) Stop() { m.cancel(transport.ErrClosed) }

// Drain implements acemq.Member.
func (m *member) Drain(ctx context.Context) *acemq.DrainTimeoutError {
	select {
	case <-m.done:
		return nil
	case <-ctx.Done():
		return &acemq.DrainTimeoutError{Queues: []string{m.queue}}
	}
}
