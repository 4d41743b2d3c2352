package wire

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Form is the form in which a route travels with its message. Either is read, and a hop answers in the form that the
// message came in (contract: pipelines, slip form per library).
type Form int

// The forms of a route.
const (
	FormDeclared  Form = iota // the names of the steps, in the reserved headers
	FormItinerary             // the addresses of the stops as JSON, in the header "acemq-routing-slip"
)

// String returns the form in words.
func (f Form) String() string {
	if f == FormItinerary {
		return "itinerary"
	}
	return "declared route"
}

// Slip is the route that one message carries, in either form. It is a value: its methods return changed copies.
type Slip struct {
	Form      Form
	Route     Route     // where Form is FormDeclared
	Itinerary Itinerary // where Form is FormItinerary
}

// Slip returns the route as a slip.
func (r Route) Slip() Slip { return Slip{Form: FormDeclared, Route: r} }

// Slip returns the itinerary as a slip.
func (i Itinerary) Slip() Slip { return Slip{Form: FormItinerary, Itinerary: i} }

// ReadSlip reads the slip off the headers of a message as they were received, and reports whether there is one. An
// itinerary wins over a declared route, because it needs no declaration to be followed (contract: routing slips,
// precedence). An error says that the itinerary cannot be read: such a message can go nowhere and is to be
// dead-lettered.
func ReadSlip(headers Table) (Slip, bool, error) {
	return FindSlip(headers, readRoute(headers))
}

// FindSlip is [ReadSlip] for a message whose reserved headers are read already: headers may be the application's own,
// and route is that of the envelope.
func FindSlip(headers Table, route Route) (Slip, bool, error) {
	if value, there := headers[HeaderItinerary]; there {
		itinerary, err := ReadItinerary(value)
		return itinerary.Slip(), err == nil, err
	}
	if len(route.Names()) > 0 {
		return route.Slip(), true, nil
	}
	return Slip{}, false, nil
}

// Stamp puts the slip on a message: a declared route into the envelope, an itinerary among the headers, which are
// changed. What the message carried before, in either form, is taken off.
func (s Slip) Stamp(e *Envelope, own Table) error {
	e.Route = Route{}
	delete(own, HeaderItinerary)
	if s.Form == FormDeclared {
		e.Route = s.Route
		return nil
	}
	text, err := s.Itinerary.Encode()
	if err == nil {
		own[HeaderItinerary] = text
	}
	return err
}

// IsFinished reports whether no stop is left.
func (s Slip) IsFinished() bool {
	if s.Form == FormItinerary {
		return s.Itinerary.IsFinished()
	}
	return s.Route.IsFinished()
}

// Current returns the stop that the message is at or is going to, and reports whether there is one. In a declared route
// it has a name alone.
func (s Slip) Current() (Stop, bool) {
	if s.Form == FormItinerary {
		return s.Itinerary.Current()
	}
	name, there := s.Route.Current()
	return Stop{Name: name}, there
}

// Advance returns the slip with its current stop done, at a time that an itinerary notes. A finished slip stays as it
// is.
func (s Slip) Advance(now time.Time) Slip {
	if s.Form == FormItinerary {
		return s.Itinerary.Advance(now).Slip()
	}
	return s.Route.Advance().Slip()
}

// MaxSlip is how many bytes a slip may take of the headers by the time its route is over, when a message sets out: half
// of [MaxHeaders], so that the other half is left for what else travels.
const MaxSlip = MaxHeaders / 2

// CheckStart checks a slip that a message is to set out with: it has a stop, and what it takes of the headers when its
// route is over is [MaxSlip] bytes at most, so that a slip which sets out also arrives.
func (s Slip) CheckStart() error {
	if s.IsFinished() {
		return fmt.Errorf("the %s has no stop to go to: name one at least", s.Form)
	}
	size, stops, err := s.finalSize()
	if err != nil {
		return err
	}
	if size > MaxSlip {
		return fmt.Errorf("the %s of %d stops grows to %d bytes on its way, and a message has room for %d: "+
			"divide the route", s.Form, stops, size, MaxSlip)
	}
	return nil
}

// finalSize returns how many bytes the slip has when its route is over, and its stops.
func (s Slip) finalSize() (size, stops int, err error) {
	if s.Form == FormDeclared {
		return len(s.Route.Steps), len(s.Route.Names()), nil
	}
	over := Itinerary{Done: slices.Concat(s.Itinerary.Done, s.Itinerary.Steps)}
	for i := range over.Done {
		over.Done[i].CompletedAt = time.Unix(0, 0)
	}
	text, err := over.Encode()
	return len(text), len(over.Done), err
}

// CheckStepName checks the name of a step or a stop: letters, digits, dashes and dots, a letter or a digit first
// (contract: pipelines, step names). The separator of a declared route cannot be written any other way.
func CheckStepName(name string) error {
	ok := name != "" && strings.IndexByte(".-", name[0]) < 0
	for i := 0; i < len(name); i++ {
		c := name[i]
		ok = ok && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '-')
	}
	if !ok {
		return fmt.Errorf("the name %q: say letters, digits, dashes and dots, a letter or a digit first", name)
	}
	return CheckShort("the name", name)
}
