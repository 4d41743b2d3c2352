package slip

import (
	"context"
	"fmt"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/internal/route"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Slip is the route that one message carries, in either form. IsFinished reports whether no stop is left, Current which
// one the message is at, and Advance returns the slip for the next.
type Slip = wire.Slip

// Itinerary is a slip that carries the addresses of its stops. The zero Itinerary is ready to be built:
//
//	s := slip.Itinerary{}.
//		Then("orders-events", "order.validate", "validate").
//		Then("orders-events", "order.ship", "ship").
//		Slip()
type Itinerary = wire.Itinerary

// Of returns the slip of a message, in whichever form it has, and reports whether there is one. An error says that it
// cannot be read.
func Of[T any](m *acemq.Message[T]) (Slip, bool, error) {
	return wire.FindSlip(m.Headers, m.Envelope.Route)
}

// From is [Of] for the headers of a message as they were received, see [acemq.Message.WireHeaders].
func From(headers acemq.Headers) (Slip, bool, error) { return wire.ReadSlip(headers) }

// Anywhere is the declaration for slips that this service made itself, or takes from people it trusts: no stop is
// declared, and an itinerary leads to any exchange and key.
func Anywhere() *Declaration {
	return &Declaration{Name: "anywhere", WriteAs: wire.FormItinerary, AnyDestination: true}
}

// SendAlong sends payload to the current stop of a slip that was made by hand, as [Plan.Send] does. Its type is the
// routing key of that stop unless an option says otherwise.
func SendAlong[T any](ctx context.Context, conn *acemq.Conn, d *Declaration, s Slip, payload T,
	opts ...acemq.PublishOption) error {
	return route.Send(ctx, conn, d.routes(), route.Start{Slip: s}, payload, opts)
}

// Forward sends payload to the current stop of a slip, in place of m: it keeps what a hop keeps. A handler that goes
// its own way, skips a stop or goes back, advances the slip first ([Slip.Advance], [wire.Route.AdvanceTo]) and accepts
// m once Forward has returned nil; it returns the error to have m tried again. A slip that was not advanced sends the
// message back to the same stop.
func Forward[In, Out any](ctx context.Context, conn *acemq.Conn, d *Declaration, s Slip, payload Out,
	m *acemq.Message[In]) error {
	return route.Forward(ctx, conn, d.routes(), s, &payload, route.OriginOf(m))
}

// Resume sends a message that failed at a declared stop back to it, with attempt 1 and no error: payload is what the
// stop received, and headers are the wire headers of the message in {queue}.dlq, see [acemq.Pull]. The stops before it
// are not repeated. Accept the message in the dead-letter queue once Resume has returned nil.
func Resume[T any](ctx context.Context, conn *acemq.Conn, d *Declaration, stop string, payload T,
	headers acemq.Headers) error {
	m := d.routes()
	place, err := m.Place(stop)
	if err != nil {
		return fmt.Errorf("acemq: resume: %w", err)
	}
	return m.Resume(ctx, conn, place, &payload, headers, absent)
}
