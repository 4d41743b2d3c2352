package acemq

import (
	"log/slog"
	"time"
)

// Event is one thing that happened on a connection. What a field has nothing to say about is empty.
type Event struct {
	Name    string // one of the Event constants
	Outcome string // one of the Outcome constants: what the engine decided, not what a handler asked for

	Exchange   string // published to
	RoutingKey string // published with
	Queue      string // consumed from
	Target     string // the queue that a copy goes to, a rung among them

	Type        string // of the message
	ID          string
	Correlation string
	Attempt     int

	Step string // the place of an interceptor

	Duration time.Duration // what it took; of EventConsume, the time in the handler
	Delay    time.Duration // before the next attempt
	Err      error         // what failed; of EventConsume, what the handler said
}

// The names of events. Those that the libraries of the family share have the name they have there (contract:
// diagnostic events).
const (
	EventPublish           = "acemq.publish"                   // a message has its outcome
	EventReceive           = "acemq.receive"                   // a delivery is taken up
	EventConsume           = "acemq.consume"                   // a delivery is settled
	EventSetAsideFailed    = "acemq.messages.set.aside.failed" // a copy did not land, and its message is kept
	EventRungMissing       = "acemq.retry.rung.missing"        // a message waits in the consumer, because its rung is gone
	EventInterceptorFailed = "acemq.interceptor.failed"        // in a place where an error changes nothing
)

// The outcomes of events, as the libraries of the family count them (contract: metrics, outcome values).
const (
	OutcomeConfirmed  = "confirmed"  // by the broker, and in a queue
	OutcomeUnroutable = "unroutable" // no queue took it
	OutcomeRefused    = "refused"    // nothing was written
	OutcomeFailed     = "failed"     // it may be lost

	OutcomeAcked        = "acked"         // done
	OutcomeRetried      = "retried"       // sent for another attempt
	OutcomeRejected     = "rejected"      // by somebody's code: given up or given back
	OutcomeDeadLettered = "dead_lettered" // by the engine
	OutcomeParked       = "parked"        // unreadable
	OutcomeInProgress   = "in_progress"   // somebody else is at it

	// OutcomeLost is that of a delivery which was not settled: it comes again, and is not counted.
	OutcomeLost = "lost"
)

// Level returns how loudly the event is to be reported: errors where a message is not where it should be, warnings where
// one was not accepted or not confirmed.
func (e Event) Level() slog.Level {
	switch e.Name {
	case EventSetAsideFailed, EventInterceptorFailed:
		return slog.LevelError
	case EventRungMissing:
		return slog.LevelWarn
	}
	switch e.Outcome {
	case OutcomeUnroutable, OutcomeRefused, OutcomeFailed, OutcomeRejected, OutcomeDeadLettered, OutcomeParked:
		return slog.LevelWarn
	}
	return slog.LevelDebug
}
