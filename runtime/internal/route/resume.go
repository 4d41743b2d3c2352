package route

import (
	"context"
	"errors"
	"fmt"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Resume sends the payload that failed at a place, given by its pointer, back to it, with the slip and the envelope
// that headers, as they were received, hold.
func (m Map) Resume(ctx context.Context, conn *acemq.Conn, place Place, payload any, headers acemq.Headers,
	absent Absent) error {
	slip, err := m.resumed(place, headers, absent)
	if err != nil {
		return fmt.Errorf("acemq: resume %s at %q: %w", m.Name, place.Name, err)
	}
	envelope, own := wire.ReadHeaders(headers, wire.Arrival{RoutingKey: place.Key, Now: time.Now(), NewID: acemq.NewID})
	from := Origin{Envelope: envelope, Headers: own}
	back := leg{slip, Destination{Exchange: place.Exchange, Key: place.Key}}
	if err := back.send(ctx, conn, payload, from); err != nil {
		return fmt.Errorf("acemq: resume %s at %q: %w", m.Name, place.Name, err)
	}
	return nil
}

// errNoWireHeaders meets who passes on the headers that an application sees.
var errNoWireHeaders = errors.New("the headers have no x-acemq-id: give the WireHeaders of the message, " +
	"not its Headers")

// resumed returns the slip with which a message goes back to a place.
func (m Map) resumed(place Place, headers acemq.Headers, absent Absent) (wire.Slip, error) {
	if _, wired := headers[wire.HeaderID]; !wired {
		return wire.Slip{}, errNoWireHeaders
	}
	slip, found, err := wire.ReadSlip(headers)
	switch {
	case err != nil:
		return wire.Slip{}, err
	case !found:
		return absent(place)
	}
	if stop, left := slip.Current(); left && !place.is(slip.Form, stop) {
		return wire.Slip{}, fmt.Errorf("its slip says that the message is at the stop %s: resume it there, "+
			"or take the slip off its headers", stop)
	}
	return m.arrive(place, slip)
}
