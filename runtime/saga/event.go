package saga

import (
	"context"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// The names of the events of a saga (contract: patterns, sagas).
const (
	EventCompensating = acemq.EventSagaCompensating // an action failed, and those before it are being undone
	EventUnresolved   = acemq.EventSagaUnresolved   // an action could not be undone
)

// Event is something in a run that somebody may want to know.
type Event struct {
	Name   string // EventCompensating or EventUnresolved
	Saga   string
	Action string // the one that failed, or the one that could not be undone
	Err    error  // why
}

// ReportTo has the run report to a connection: its events to the observers, and the log to the connection's logger.
func ReportTo(conn *acemq.Conn) Option {
	return func(s *settings) {
		s.logger = conn.Logger()
		s.observe = func(e Event) {
			conn.Observe(context.Background(), acemq.Event{Name: e.Name, Saga: e.Saga, Step: e.Action, Err: e.Err})
		}
	}
}
