package check

import "github.com/acemq/acemq-gen/gen/diag"

// predeclared are the names of Go's own that generated code uses.
var predeclared = []string{"any", "byte", "error", "int", "int64", "nil", "string", "true", "uint64"}

// hiddenNames finds names of the user's that hide Go's own from generated code.
func (c *checker) hiddenNames() {
	if c.flow.Empty() {
		return
	}
	for _, name := range predeclared {
		if at, declared := c.flow.Package.Scope[name]; declared {
			c.report(diag.NameCollision, at, "rename it", "this %s hides that of Go, which generated code uses", name)
		}
	}
}
