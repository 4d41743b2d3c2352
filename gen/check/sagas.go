package check

import (
	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
)

// sagas checks the names of every saga, of its actions, and of what undoes them. Its subject does not travel, and need
// not be a message.
func (c *checker) sagas() {
	for i := range c.flow.Sagas {
		s := &c.flow.Sagas[i]
		if s.Title == "" {
			c.report(diag.NameEmpty, s.TitlePos, "give it a name: results and logs call the saga by it",
				"the saga has no name")
		}
		if len(s.Actions) == 0 {
			c.report(diag.NoSteps, s.Pos, `add an action: flow.Action("take-payment", flow.Undo("refund"))`,
				"the saga %s has no action", s.Name)
		}
		methods := map[string]deed{}
		for _, action := range s.Actions {
			c.written(action.Options)
			c.deed(methods, deed{"action", action.Name, action.NamePos})
			if action.Undo != nil {
				c.deed(methods, deed{"undo", action.Undo.Name, action.Undo.NamePos})
			}
		}
	}
}

// deed is what a method of a saga does: an action, or an undo.
type deed struct {
	kind string
	name string
	at   model.Pos
}

func (d deed) String() string { return "the " + d.kind + " " + quoted(d.name) }

// deed checks the name of a deed by itself, and against those whose methods are taken.
func (c *checker) deed(taken map[string]deed, d deed) {
	method := model.Identifier(d.name)
	other, clash := taken[method]
	switch {
	case d.name == model.Unread:
	case d.name == "":
		c.report(diag.NameEmpty, d.at, "give it a name", "the %s has no name", d.kind)
	case method == "":
		c.report(diag.ActionName, d.at, "give it a name with a letter: take-payment",
			"the %s cannot be called %q: there is nothing in it to name a method after", d.kind, d.name)
	case !clash:
		taken[method] = d
	case other.name == d.name:
		c.report(diag.ActionTwice, d.at, "rename one of them",
			"%s and %s have one name: both would be the method %s", other, d, method).Relate(other.at, "the first of them")
	default:
		c.report(diag.NameCollision, d.at, "rename one of them",
			"%s and %s are both the method %s in Go", other, d, method).Relate(other.at, "the first of them")
	}
}
