package route

import (
	"context"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// leave tells of a message that has left the route at this stop.
func (f Follower[In, Out]) leave(ctx context.Context, e acemq.Envelope, o Outcome) {
	f.Outcome(o)
	event := f.event(e)
	event.Name = acemq.EventRun
	event.Outcome = o.String()
	event.Step = f.Place.Name
	event.Duration = max(0, e.Age(time.Now()))
	f.Conn.Observe(ctx, event)
}

// observeHop tells of a message that is in the queue of its next stop.
func (f Follower[In, Out]) observeHop(ctx context.Context, e acemq.Envelope, next leg) {
	stop, _ := next.slip.Current()
	event := f.event(e)
	event.Name = acemq.EventHop
	event.Step = stop.Name
	event.Exchange, event.RoutingKey = next.to.Exchange, next.to.Key
	f.Conn.Observe(ctx, event)
}

// event returns what all events about a message at this stop have in common.
func (f Follower[In, Out]) event(e acemq.Envelope) acemq.Event {
	return acemq.Event{
		Pipeline:    f.Owner,
		Queue:       f.Place.Queue.Name,
		Type:        e.Type,
		ID:          e.ID,
		Correlation: e.Correlation,
		Attempt:     e.Attempt,
	}
}
