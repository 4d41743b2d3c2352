package wire

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Route is a declared routing slip as it stands in the reserved headers: the names of all steps, done or not, and the
// one that the message is at. It is absent when Steps is empty.
type Route struct {
	Steps    string // the step names, joined with ","
	Position int    // the index of the step that the message is at, from 0
	ID       string // one run of the route, the same on every hop
}

// NewRoute returns the route of one run over the named steps, at the first. Names are those of [CheckStepName].
func NewRoute(id string, names ...string) (Route, error) {
	for _, name := range names {
		if err := CheckStepName(name); err != nil {
			return Route{}, err
		}
	}
	return Route{Steps: strings.Join(names, ","), ID: id}, nil
}

// readRoute reads a route off headers as they were received.
func readRoute(headers Table) Route {
	var r Route
	for name, value := range headers {
		r.read(name, value)
	}
	return r.orNone()
}

// read reads one header, if it is one of a route.
func (r *Route) read(name string, value any) {
	switch name {
	case HeaderRoute:
		r.Steps = text(value)
	case HeaderRoutePosition:
		r.Position = position(value)
	case HeaderRouteID:
		r.ID = text(value)
	}
}

// orNone returns the route, or none where it has no steps, whatever else there is.
func (r Route) orNone() Route {
	if r.Steps == "" {
		return Route{}
	}
	return r
}

// position reads the index into a route. A missing, unreadable or negative one reads as 0; one beyond every route stays
// beyond it, so that a finished run does not start over (contract: routing slips, reading rules).
func position(value any) int {
	n, ok := integer(value)
	if !ok {
		return 0
	}
	return int(min(max(n, 0), math.MaxInt32))
}

// Names returns the names of the steps. White space around a name and empty names are no part of it.
func (r Route) Names() []string {
	if r.Steps == "" {
		return nil
	}
	names := strings.Split(r.Steps, ",")
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// Current returns the name of the step that the message is at, and reports whether there is one left.
func (r Route) Current() (string, bool) {
	names := r.Names()
	if i := max(r.Position, 0); i < len(names) {
		return names[i], true
	}
	return "", false
}

// IsFinished reports whether the position is behind the last step.
func (r Route) IsFinished() bool {
	_, left := r.Current()
	return !left
}

// Advance returns the route with its current step done. A finished route stays as it is.
func (r Route) Advance() Route {
	if !r.IsFinished() {
		r.Position = max(r.Position, 0) + 1
	}
	return r
}

// AdvanceTo returns the route at the step with an index, from 0; the number of steps finishes it. A lower index than
// the position goes back, which repeats work: the steps in between have to tolerate that.
func (r Route) AdvanceTo(n int) (Route, error) {
	if steps := len(r.Names()); n < 0 || n > steps {
		return r, fmt.Errorf("the route has no step %d: say 0 to %d", n, steps)
	}
	r.Position = n
	return r, nil
}

// AtStep returns the route at the step of a name, and reports whether it names it: where the message is beats where it
// says it is. The step is the current one, or else the next of that name, or else the last one before.
func (r Route) AtStep(name string) (Route, bool) {
	names := r.Names()
	at := min(max(r.Position, 0), len(names))
	if next := slices.Index(names[at:], name); next >= 0 {
		r.Position = at + next
		return r, true
	}
	for i := at - 1; i >= 0; i-- {
		if names[i] == name {
			r.Position = i
			return r, true
		}
	}
	return r, false
}
