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

	Pipeline string // or slip
	Saga     string
	Step     string // of the pipeline, the stop of a slip, the action of a saga, or the place of an interceptor

	Duration time.Duration // what it took; see the Event constants
	Delay    time.Duration // before the next attempt
	Err      error         // what failed; of EventConsume, what the handler said
}

// The names of events. Those that the libraries of the family share have the name they have there (contract:
// diagnostic events).
const (
	// EventPublish says that a message has its outcome: OutcomeConfirmed, OutcomeUnroutable, OutcomeRefused or
	// OutcomeFailed. Duration is from the call to the outcome. It is every message but what is replayed and
	// the copies that a consumer makes of what it consumes; those are the Target of an EventConsume.
	EventPublish = "acemq.publish"

	// EventReceive says that a delivery is taken up.
	EventReceive = "acemq.receive"

	// EventConsume says what became of a delivery, once it has: OutcomeAcked and those after it. Duration is the time in
	// the handler, and Err what the handler said.
	EventConsume = "acemq.consume"

	EventSetAsideFailed    = "acemq.messages.set.aside.failed" // a copy did not land, and its message is kept
	EventRungMissing       = "acemq.retry.rung.missing"        // a message waits in the consumer, because its rung is gone
	EventInterceptorFailed = "acemq.interceptor.failed"        // in a place where an error changes nothing

	// EventHop says that a message of a pipeline or slip is in the queue of its next Step.
	EventHop = "acemq.pipeline.hop"

	// EventRun says that a message has left its pipeline or slip at Step: OutcomeCompleted or OutcomeEndedEarly. Duration
	// is the age of the message.
	EventRun = "acemq.pipeline.run"

	// EventRequest says how a call ended: OutcomeAnswered, OutcomeTimedOut or OutcomeFailed. Duration is what it took.
	EventRequest = "acemq.request"

	// EventOutbox says what became of a record that a relay took: OutcomePublished or OutcomeFailed. Duration is the time
	// since it was added.
	EventOutbox = "acemq.outbox"

	// EventSchedule says that a message that was scheduled is delivered to its Exchange.
	EventSchedule = "acemq.schedule"

	EventMoveFailed      = "acemq.move.failed"              // a scheduled message is kept: it could not be moved on
	EventForeignSchedule = "acemq.schedule.foreign.message" // a message that no scheduler made is dropped

	EventSagaCompensating = "acemq.saga.compensating" // a Step of a saga failed, and those before it are being undone
	EventSagaUnresolved   = "acemq.saga.unresolved"   // a Step of a saga could not be undone
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

	OutcomeCompleted  = "completed"   // past the last step
	OutcomeEndedEarly = "ended_early" // at a step before it

	OutcomePublished = "published" // from an outbox

	OutcomeAnswered = "answered"  // by a server
	OutcomeTimedOut = "timed_out" // nobody answered in time

	// OutcomeLost is that of a delivery which was not settled: it comes again, and is not counted.
	OutcomeLost = "lost"
)

// Level returns how loudly the event is to be reported: errors where a message is not where it should be, warnings where
// one was not accepted or not confirmed.
func (e Event) Level() slog.Level {
	switch e.Name {
	case EventSetAsideFailed, EventInterceptorFailed, EventMoveFailed, EventForeignSchedule, EventSagaUnresolved:
		return slog.LevelError
	case EventRungMissing, EventSagaCompensating:
		return slog.LevelWarn
	}
	switch e.Outcome {
	case OutcomeUnroutable, OutcomeRefused, OutcomeFailed, OutcomeRejected, OutcomeDeadLettered, OutcomeParked,
		OutcomeTimedOut:
		return slog.LevelWarn
	}
	return slog.LevelDebug
}
