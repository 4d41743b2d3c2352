package check

import (
	"slices"
	"strings"
	"unicode"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
)

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

// hiddenTypes finds types of the user's that are called as a parameter is in whose scope generated code names them.
func (c *checker) hiddenTypes() {
	for _, consumer := range c.consumers {
		if consumer.alone() {
			continue
		}
		for _, m := range consumer.cases {
			c.hiddenType(m, "conn", "opts") // of replays
		}
	}
	for _, p := range c.flow.Pipelines {
		if len(p.Steps) > 0 {
			c.hiddenType(p.Steps[0].In, "ctx", "conn", "opts", "steps")
		}
	}
	for _, s := range c.flow.Sagas {
		c.hiddenType(model.Case{Pos: s.SubjectPos, Message: s.Subject}, "ctx", "actions", "subject", "opts")
	}
}

func (c *checker) hiddenType(used model.Case, parameters ...string) {
	for _, part := range used.Message.Parts() {
		for name := range strings.FieldsFuncSeq(part.Source, notInName) {
			if at, own := c.flow.Package.Scope[name]; own && slices.Contains(parameters, name) {
				c.report(diag.NameCollision, used.Pos, "rename the type",
					"the type %s cannot be named in generated code: a parameter there has its name", name).
					Relate(at, name+" is declared here")
			}
		}
	}
}

func notInName(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
