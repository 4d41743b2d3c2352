package route

import (
	"context"
	"errors"
	"fmt"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// ErrEnd is what a handler returns to end its message where it is.
var ErrEnd = errors.New("acemq: the message ends here")

// Outcome is how a message left the route.
type Outcome int

// The outcomes.
const (
	Completed  Outcome = iota // it has passed its last stop
	EndedEarly                // a stop before the last one ended it
)

// String returns the outcome as it is counted (contract: metrics, outcome values).
func (o Outcome) String() string {
	if o == EndedEarly {
		return acemq.OutcomeEndedEarly
	}
	return acemq.OutcomeCompleted
}

// Absent returns the slip of a message that is at a place and carries none.
type Absent func(Place) (wire.Slip, error)

// Follower runs one stop: it hands each message to a function, and sends what the function returns to the next stop.
type Follower[In, Out any] struct {
	Conn  *acemq.Conn
	Owner string // the name of the pipeline or slip, for observers
	Map   Map
	Place Place

	Run     func(context.Context, *acemq.Message[In]) (Out, error)
	Absent  Absent
	Outcome func(Outcome) // called for each message that leaves the route
	Sink    bool          // Run returns nothing that could go on
}

// Handle takes one message over the stop. It is an [acemq.Handler].
//
// A message that could not go on afterwards is dead-lettered before Run sees it, so that nothing is done twice when it
// is taken up again. The input is settled once the broker has the output, in a queue; a crash in between repeats the
// stop. Whether there is a next stop is asked before whether the message ends early (contract: pipelines, what a step
// does with a message).
func (f Follower[In, Out]) Handle(ctx context.Context, m *acemq.Message[In]) acemq.Ack {
	next, err := f.next(m)
	if err != nil {
		return acemq.DeadLetter(err)
	}
	out, err := f.Run(ctx, m)
	ends := errors.Is(err, ErrEnd)
	switch {
	case err != nil && !ends:
		return acemq.Retry(err)
	case next.last():
		f.leave(ctx, m.Envelope, Completed)
	case ends:
		f.leave(ctx, m.Envelope, EndedEarly)
	default:
		if err := next.send(ctx, f.Conn, &out, OriginOf(m)); err != nil {
			return acemq.Retry(err)
		}
		f.observeHop(ctx, m.Envelope, next)
	}
	return acemq.Accept()
}

// next returns the way on for a message that has come to the stop.
func (f Follower[In, Out]) next(m *acemq.Message[In]) (leg, error) {
	slip, found, err := wire.FindSlip(m.Headers, m.Envelope.Route)
	if err != nil {
		return leg{}, err
	}
	if !found {
		if slip, err = f.Absent(f.Place); err != nil {
			return leg{}, err
		}
	}
	next, err := f.Map.leg(f.Place, slip)
	if err == nil && f.Sink && !next.last() {
		return leg{}, fmt.Errorf("the %s goes on after the stop %q, which returns nothing that could",
			slip.Form, f.Place.Name)
	}
	return next, err
}
