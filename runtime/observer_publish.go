package acemq

import (
	"errors"
	"time"
)

// event returns the event of a publish with its outcome.
func (s *sending) event(outcome error) Event {
	m := s.message
	return Event{
		Name:        EventPublish,
		Outcome:     publishOutcome(outcome),
		Exchange:    m.message.Exchange,
		RoutingKey:  m.message.Key,
		Type:        m.Envelope.Type,
		ID:          m.Envelope.ID,
		Correlation: m.Envelope.Correlation,
		Attempt:     m.Envelope.Attempt,
		Duration:    time.Since(s.began),
		Err:         outcome,
	}
}

// publishOutcome returns the word for the outcome of a publish.
func publishOutcome(err error) string {
	var unroutable *UnroutableError
	var refused *RefusedError
	switch {
	case err == nil:
		return OutcomeConfirmed
	case errors.As(err, &unroutable):
		return OutcomeUnroutable
	case errors.As(err, &refused):
		return OutcomeRefused
	}
	return OutcomeFailed
}
