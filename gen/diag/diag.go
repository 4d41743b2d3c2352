// Package diag holds what acemq-gen has to say about a flow: a code, a position, a sentence, a line of help, and the
// positions that belong to it.
package diag

import (
	"cmp"
	"slices"

	"github.com/acemq/acemq-gen/gen/model"
)

// Code names one kind of mistake. `acemq-gen explain CODE` prints its page, templates/explain/CODE.md.
type Code string

// Diagnostic is one mistake, or one warning, in one place.
type Diagnostic struct {
	Code    Code
	Pos     model.Pos
	Message string // one sentence, without a full stop
	Help    string // what to do, as one sentence; may be empty
	Related []Related
}

// Related is a place that explains a mistake.
type Related struct {
	Pos  model.Pos
	Note string // "declared here"
}

// Relate adds a place that explains the mistake.
func (d *Diagnostic) Relate(at model.Pos, note string) {
	d.Related = append(d.Related, Related{at, note})
}

// List collects mistakes. The zero List is empty and ready to use.
type List []Diagnostic

// Add appends a mistake.
func (l *List) Add(d Diagnostic) { *l = append(*l, d) }

// Failed reports whether the list holds a mistake, and not warnings alone.
func (l List) Failed() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return !d.Code.IsWarning() })
}

// Sort orders the list by position, then code, then message, and drops repetitions.
func (l *List) Sort() {
	slices.SortStableFunc(*l, func(a, b Diagnostic) int {
		return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
	})
	*l = slices.CompactFunc(*l, func(a, b Diagnostic) bool {
		return a.Code == b.Code && a.Pos == b.Pos && a.Message == b.Message
	})
}
