package slip

import (
	"errors"
	"fmt"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/internal/route"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Declaration says which stops a service knows. Generated code has one for each flow.Slip.
type Declaration struct {
	Name  string
	Stops []Stop

	// WriteAs is the form in which a message sets out: wire.FormItinerary, which generated code says unless the flow
	// says otherwise, or wire.FormDeclared.
	WriteAs wire.Form

	// AnyDestination follows an itinerary to any exchange and key that it names, declared or not.
	AnyDestination bool
}

// Stop is a declared stop. It consumes the queue {slip}.{stop}, which is bound to its exchange with its key.
type Stop struct {
	Name     string // letters, digits, dashes and dots
	Exchange string
	Key      string
	Queue    acemq.Queue // how it is consumed; its Name is left empty
}

// QueueFor returns the name of the queue of a stop: {slip}.{stop}.
func (d *Declaration) QueueFor(stop string) string { return route.QueueName(d.Name, stop) }

// Check says what keeps the declaration from being used: stops with bad names or the same one.
func (d *Declaration) Check() error { return d.routes().Check() }

func (d *Declaration) routes() route.Map {
	m := route.Map{Name: fmt.Sprintf("slip %q", d.Name), Anywhere: d.AnyDestination}
	for _, stop := range d.Stops {
		queue := stop.Queue
		queue.Name = d.QueueFor(stop.Name)
		m.Places = append(m.Places, route.Place{
			Name:     stop.Name,
			Exchange: stop.Exchange,
			Key:      stop.Key,
			Queue:    queue,
		})
	}
	return m
}

// errAbsent meets a message that carries no slip: nobody knows where it should go on.
var errAbsent = errors.New("the message carries no routing slip, so nothing says where it should go on")

func absent(route.Place) (wire.Slip, error) { return wire.Slip{}, errAbsent }
