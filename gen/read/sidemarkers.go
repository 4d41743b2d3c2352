package read

import (
	"go/ast"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/marker"
)

// sideMarker reads a marker that makes no message: schema, closed or package. What the first two say is for gen/schema.
func (r *reader) sideMarker(c *ast.Comment, m marker.Marker, at place, said message) {
	switch {
	case m.Name == "package" && at.what == "the package clause":
		r.flow.Package.NoSchemas = true
	case m.Name == "package":
		r.report(diag.MarkerMisplaced, c.Pos(), "put it directly above the package clause of one file",
			"the marker package does not stand above a package clause and marks nothing")
	case at.spec == nil:
		r.report(diag.MarkerMisplaced, c.Pos(), "put it directly above a type",
			"the marker %s does not stand above a type and marks nothing", m.Name)
	case r.doubled(c, m.Name, at):
	case at.spec.Assign.IsValid():
		r.report(diag.MarkerMisplaced, c.Pos(), "put it above the type itself",
			"%s is an alias: a marker belongs to the type itself", at.spec.Name.Name)
	case m.Name == "closed" && !r.isStruct(at.spec):
		r.report(diag.MarkerMisplaced, c.Pos(), "put it directly above a struct type",
			"%s is not a struct type: it has no members to close", at.spec.Name.Name)
	case m.Name == "schema" && said.shape.Type == "" && len(m.Args) == 0:
		r.report(diag.MarkerMalformed, c.Pos(), "write "+marker.Prefix+examples[m.Name],
			"the marker schema says no type")
	}
}
