package route

import (
	"fmt"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// leg is the way from one stop to the next.
type leg struct {
	slip wire.Slip // as it arrives at the next stop
	to   Destination
}

// last reports whether the stop is the end of the route.
func (l leg) last() bool { return l.slip.IsFinished() }

// leg returns the way on from a place for a message that has come there with a slip.
func (m Map) leg(place Place, slip wire.Slip) (leg, error) {
	slip, err := m.arrive(place, slip)
	if err != nil {
		return leg{}, err
	}
	next := slip.Advance(time.Now())
	if next.IsFinished() {
		return leg{slip: next}, nil
	}
	to, err := m.Find(next)
	return leg{next, to}, err
}

// arrive returns the slip of a message that is at a place. Where it is beats where a declared route says it is; an
// itinerary says where it has been, and is left as it is. A run without an id gets one.
func (m Map) arrive(place Place, slip wire.Slip) (wire.Slip, error) {
	if slip.Form == wire.FormItinerary {
		return slip, nil
	}
	declared, names := slip.Route.AtStep(place.Name)
	if !names {
		return slip, fmt.Errorf("the declared route %q does not name the stop %q, where the message is",
			slip.Route.Steps, place.Name)
	}
	if declared.ID == "" {
		declared.ID = acemq.NewID()
	}
	return declared.Slip(), nil
}

// onward returns the envelope of a message that goes on to its next stop: the same message of the same flow, on its
// first attempt, and in no dead-letter queue. The claim stays behind: it is about the payload before.
func onward(e acemq.Envelope) acemq.Envelope {
	return acemq.Envelope{
		ID:          e.ID,
		Type:        e.Type,
		Version:     e.Version,
		Correlation: e.Correlation,
		Causation:   e.Causation,
		FirstSeen:   e.FirstSeen,
		Attempt:     1,
	}
}
