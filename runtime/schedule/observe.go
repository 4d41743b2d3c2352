package schedule

import (
	"context"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// observeDelivery tells the observers of a connection that a message is delivered.
func observeDelivery(ctx context.Context, conn *acemq.Conn, o acemq.Outgoing) {
	conn.Observe(ctx, event(acemq.EventSchedule, o, nil))
}

// event returns an event about a message on its way to its delivery.
func (w waiting) event(name string, err error) acemq.Event { return event(name, w.delivery(), err) }

func event(name string, o acemq.Outgoing, err error) acemq.Event {
	return acemq.Event{
		Name:        name,
		Exchange:    o.Exchange,
		RoutingKey:  o.Key,
		Type:        o.Envelope.Type,
		ID:          o.Envelope.ID,
		Correlation: o.Envelope.Correlation,
		Err:         err,
	}
}
