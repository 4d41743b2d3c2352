package emit

import (
	"slices"
	"strings"
	"time"

	"github.com/dave/jennifer/jen"
)

// field is one line of a struct literal: Name: value.
func field(name string, value jen.Code) jen.Code { return jen.Id(name).Op(":").Add(value) }

// lines is a list with an item a line, in the order given: the fields of a struct literal, the elements of a slice.
func lines(items ...jen.Code) *jen.Statement {
	return jen.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, items...)
}

// ctx is `ctx context.Context`.
func (s *source) ctx() *jen.Statement { return jen.Id("ctx").Add(s.imports.of(contextPath, "Context")) }

// conn is `conn *acemq.Conn`.
func (s *source) conn() *jen.Statement {
	return jen.Id("conn").Op("*").Add(s.imports.of(runtimePath, "Conn"))
}

// options is `opts ...acemq.PublishOption` and the like.
func (s *source) options(name string) *jen.Statement {
	return jen.Id("opts").Op("...").Add(s.imports.of(runtimePath, name))
}

// units are those in which a duration is written, from the longest. The last divides every duration.
var units = []struct {
	size time.Duration
	name string
}{
	{time.Hour, "Hour"},
	{time.Minute, "Minute"},
	{time.Second, "Second"},
	{time.Millisecond, "Millisecond"},
	{time.Microsecond, "Microsecond"},
	{time.Nanosecond, "Nanosecond"},
}

// duration is `5 * time.Second`, `time.Minute` for one of a unit, and `0`.
func (s *source) duration(d time.Duration) *jen.Statement {
	if d == 0 {
		return jen.Lit(0)
	}
	unit := units[len(units)-1]
	for _, longer := range slices.Backward(units) {
		if d%longer.size == 0 {
			unit = longer
		}
	}
	name := s.imports.of(timePath, unit.name)
	if d == unit.size {
		return name
	}
	return jen.Lit(int(d / unit.size)).Op("*").Add(name)
}

// listed joins items as a sentence does: "1s, 2s and 4s".
func listed(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " and " + items[last]
}
