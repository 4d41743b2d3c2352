package check

import (
	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
)

// messages finds messages that cannot be told apart on the wire, and types that are used and not marked.
func (c *checker) messages() {
	type identity struct {
		logical string
		version int
	}
	first := map[identity]model.Message{}
	for _, m := range c.flow.Messages {
		if m.Type == model.Unread {
			continue
		}
		id := identity{m.Type, m.Version}
		other, taken := first[id]
		if !taken {
			first[id] = m
			continue
		}
		d := c.report(diag.MessageClash, m.Pos, "give one of them another type or version",
			"%s and %s are both %s, version %d: a consumer cannot tell them apart",
			c.name(m.Go), c.name(other.Go), m.Type, m.Version)
		d.Relate(other.Pos, c.name(other.Go)+" is marked here")
	}
	for i := range c.flow.Publishes {
		c.marked(c.flow.Publishes[i].Message, c.flow.Publishes[i].MessagePos)
	}
	for _, consumer := range c.consumers {
		for _, m := range consumer.cases {
			c.marked(m.Message, m.Pos)
		}
	}
	for _, m := range c.returned() {
		c.marked(m.Message, m.Pos)
	}
	for _, o := range c.flow.Ordered {
		c.marked(o.Message, o.MessagePos)
	}
}

// returned lists what steps and stops return, and what requests are answered with.
func (c *checker) returned() []model.Case {
	var all []model.Case
	for _, p := range c.flow.Pipelines {
		for _, step := range p.Steps {
			all = append(all, step.Out)
		}
	}
	for _, s := range c.flow.Slips {
		for _, stop := range s.Stops {
			all = append(all, stop.Out)
		}
	}
	for _, r := range c.flow.Requests {
		all = append(all, r.Answer)
	}
	return all
}

// name writes a type as the package of the flow does.
func (c *checker) name(t model.Type) string {
	if t.Path == c.flow.Package.Path {
		return t.String()
	}
	return t.Package + "." + t.String()
}

// marked reports a type that is used as a message and is none.
func (c *checker) marked(t model.Type, at model.Pos) {
	if _, marked := c.flow.Message(t); marked || t == (model.Type{}) {
		return
	}
	help := "write //acemq:message directly above the type"
	if t.Path != c.flow.Package.Path {
		help = "mark it where it is declared, or write var _ = flow.Message[" + c.name(t) + `]("some.type", 1)`
	}
	c.report(diag.MessageUnmarked, at, help, "%s is used as a message and is not marked as one", c.name(t))
}

// dispatchers finds dispatchers that take nothing, and those that take one message twice.
func (c *checker) dispatchers() {
	for i := range c.flow.Dispatches {
		d := &c.flow.Dispatches[i]
		if len(d.Cases) == 0 {
			c.report(diag.DispatcherEmpty, d.Pos, "add a case for each message: flow.Case[OrderPlaced]()",
				"the dispatcher %s has no case: it would park every message", d.Name)
		}
		first := map[model.Type]model.Pos{}
		for _, m := range d.Cases {
			if at, taken := first[m.Message]; taken && m.Message != (model.Type{}) {
				c.report(diag.DispatcherCase, m.Pos, "keep one of them",
					"%s has two cases for %s", d.Name, c.name(m.Message)).Relate(at, "the first case")
				continue
			}
			first[m.Message] = m.Pos
		}
	}
}
