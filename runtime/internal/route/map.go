// Package route takes messages along the stops of a route that they carry: what runtime/slip and runtime/pipeline have
// in common.
package route

import (
	"errors"
	"fmt"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Map is what a service declared of a route.
type Map struct {
	Name     string  // what it belongs to, for errors: `pipeline "orders"`
	Places   []Place // where a message may be sent
	Anywhere bool    // an itinerary may lead to places that are not declared, too
}

// Place is a declared stop, and where it is.
type Place struct {
	Name     string
	Exchange string
	Key      string
	Queue    acemq.Queue // how it is consumed
}

// QueueName returns the name of the queue of a stop.
func QueueName(owner, stop string) string { return owner + "." + stop }

// Check says what keeps the map from being used: bad names, the same one twice, no place at all.
func (m Map) Check() error {
	if len(m.Places) == 0 {
		return fmt.Errorf("%s has no stop", m.Name)
	}
	var faults []error
	seen := make(map[string]bool)
	for _, place := range m.Places {
		if err := wire.CheckStepName(place.Name); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", m.Name, err))
		}
		if seen[place.Name] {
			faults = append(faults, fmt.Errorf("%s has two stops %q: names are unique", m.Name, place.Name))
		}
		seen[place.Name] = true
	}
	return errors.Join(faults...)
}

// Place returns the declared stop of a name.
func (m Map) Place(name string) (Place, error) {
	for _, place := range m.Places {
		if place.Name == name {
			return place, nil
		}
	}
	return Place{}, fmt.Errorf("%s has no stop %q", m.Name, name)
}

// Pick returns the declared stops of some names, in their order.
func (m Map) Pick(names ...string) ([]Place, error) {
	picked := make([]Place, 0, len(names))
	for _, name := range names {
		place, err := m.Place(name)
		if err != nil {
			return nil, err
		}
		picked = append(picked, place)
	}
	return picked, nil
}

// NewSlip returns the slip of a run over some stops, at the first, in a form.
func NewSlip(form wire.Form, places []Place) (wire.Slip, error) {
	if form == wire.FormItinerary {
		var itinerary wire.Itinerary
		for _, place := range places {
			stop := wire.Stop{Exchange: place.Exchange, Key: place.Key, Name: place.Name}
			itinerary.Steps = append(itinerary.Steps, stop)
		}
		return itinerary.Slip(), nil
	}
	names := make([]string, len(places))
	for i, place := range places {
		names[i] = place.Name
	}
	declared, err := wire.NewRoute(acemq.NewID(), names...)
	return declared.Slip(), err
}

// Destination is where a message is sent to.
type Destination struct {
	Exchange string
	Key      string
	FromData bool // the exchange is not declared here
}

// Find returns where a slip leads: to the place of its current stop. A slip is input, so a stop that is not declared is
// an error that names it, unless it has an address and the map leads anywhere.
func (m Map) Find(slip wire.Slip) (Destination, error) {
	stop, left := slip.Current()
	if !left {
		return Destination{}, fmt.Errorf("the %s has no stop left", slip.Form)
	}
	for _, place := range m.Places {
		if place.is(slip.Form, stop) {
			return Destination{Exchange: place.Exchange, Key: place.Key}, nil
		}
	}
	if slip.Form == wire.FormDeclared {
		return Destination{}, fmt.Errorf("the declared route leads to the stop %q, which %s does not declare",
			stop.Name, m.Name)
	}
	if m.Anywhere {
		return Destination{Exchange: stop.Exchange, Key: stop.Key, FromData: true}, nil
	}
	return Destination{}, fmt.Errorf("the itinerary leads to the stop %s, which %s does not declare", stop, m.Name)
}

// is reports whether a stop of a slip is the place. In an itinerary its address says so: that of the place, its queue
// by name, or, as .NET writes it, the bare name of a step.
func (p Place) is(form wire.Form, stop wire.Stop) bool {
	switch {
	case form == wire.FormDeclared:
		return stop.Name == p.Name
	case stop.Exchange == p.Exchange && stop.Key == p.Key:
		return true
	}
	return stop.Exchange == "" && (stop.Key == p.Queue.Name || stop.Key == p.Name)
}
