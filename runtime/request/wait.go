package request

import (
	"context"
	"errors"
	"fmt"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// wait is a call whose request was written.
type wait struct {
	queue   string // of the request
	id      string // of the request
	replies <-chan *transport.Delivery
	sent    *acemq.Confirmation
	ended   <-chan struct{} // closed when no more replies come
}

// reply waits for the reply. A request of which the broker says nothing may have arrived all the same, and is waited for.
func (w wait) reply(ctx context.Context) (*transport.Delivery, error) {
	unknown := error(nil)
	for answered := w.sent.Done(); ; {
		select {
		case reply := <-w.replies:
			return reply, nil
		case <-answered:
			answered = nil
			if err := w.sent.Wait(context.WithoutCancel(ctx)); isUnknown(err) {
				unknown = err
			} else if err != nil {
				return w.last(err)
			}
		case <-w.ended:
			return w.last(w.noAnswer(transport.ErrClosed, unknown))
		case <-ctx.Done():
			return w.last(w.noAnswer(why(ctx), unknown))
		}
	}
}

// last returns a reply that came together with the end of the wait, or else the reason that the wait has ended.
func (w wait) last(reason error) (*transport.Delivery, error) {
	select {
	case reply := <-w.replies:
		return reply, nil
	default:
		return nil, reason
	}
}

func (w wait) noAnswer(cause, sent error) error {
	return &NoAnswerError{Queue: w.queue, ID: w.id, Cause: cause, Sent: sent}
}

// why returns why ctx has ended, so that a time that was up is found whatever cause was given for it.
func why(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, ctx.Err()) {
		return cause
	}
	return fmt.Errorf("%w: %w", ctx.Err(), cause)
}

func isUnknown(err error) bool {
	var unknown *acemq.UnknownError
	return errors.As(err, &unknown)
}

// read returns the answer that a reply holds, or the failure.
func read[R any](w wait, reply *transport.Delivery, codec acemq.Codec) (r R, err error) {
	if reason, failed := wire.ReplyFailure(reply.Headers); failed {
		return r, &FailedError{Queue: w.queue, ID: w.id, Reason: reason}
	}
	m, err := acemq.Receive[R](reply, codec)
	if err != nil {
		return r, fmt.Errorf("acemq: the answer from %q to request %s cannot be read: %w", w.queue, w.id, err)
	}
	return m.Payload, nil
}
