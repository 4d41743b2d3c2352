package request

import (
	"context"
	"errors"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// EventRequest is the name of the event that observers hear of when a call has ended. Its outcome is OutcomeAnswered,
// OutcomeTimedOut or acemq.OutcomeFailed (contract: metrics, outcome values).
const EventRequest = acemq.EventRequest

// The outcomes of calls.
const (
	OutcomeAnswered = acemq.OutcomeAnswered
	OutcomeTimedOut = acemq.OutcomeTimedOut
)

// observe tells the observers of the connection of a call.
func (c *Client[Q, R]) observe(ctx context.Context, o acemq.Outgoing, took time.Duration, err error) {
	c.conn.Observe(context.WithoutCancel(ctx), acemq.Event{
		Name:        EventRequest,
		Outcome:     outcome(err),
		RoutingKey:  c.declaration.Queue.Name,
		Type:        c.declaration.Request.Type,
		ID:          o.Envelope.ID,
		Correlation: o.Envelope.ID,
		Duration:    took,
		Err:         err,
	})
}

func outcome(err error) string {
	switch {
	case err == nil:
		return OutcomeAnswered
	case isTimeout(err):
		return OutcomeTimedOut
	}
	return acemq.OutcomeFailed
}

// isTimeout reports whether a call waited in vain until its time was up.
func isTimeout(err error) bool {
	var none *NoAnswerError
	return errors.As(err, &none) && errors.Is(none.Cause, context.DeadlineExceeded)
}
