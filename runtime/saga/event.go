package saga

// The names of the events of a saga (contract: patterns, sagas).
const (
	EventCompensating = "acemq.saga.compensating" // an action failed, and those before it are being undone
	EventUnresolved   = "acemq.saga.unresolved"   // an action could not be undone
)

// Event is something in a run that somebody may want to know.
type Event struct {
	Name   string // EventCompensating or EventUnresolved
	Saga   string
	Action string // the one that failed, or the one that could not be undone
	Err    error  // why
}
