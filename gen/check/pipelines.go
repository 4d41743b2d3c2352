package check

import (
	"slices"
	"strings"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
)

// pipelines checks the chain of every pipeline, and the exchange that it brings.
func (c *checker) pipelines() {
	for i := range c.flow.Pipelines {
		p := &c.flow.Pipelines[i]
		c.brokerName(p.BrokerPos, "pipeline", p.Broker, false)
		c.ownExchange(ownExchange{p.Decl, p.BrokerPos, "the pipeline", p.Broker})
		c.written(p.Options)
		if len(p.Steps) == 0 {
			c.report(diag.NoSteps, p.Pos, `add a step: flow.Step[Order, ValidOrder]("validate")`,
				"the pipeline %s has no step", p.Name)
		}
		var steps []*model.Step
		for j := range p.Steps {
			steps = append(steps, &p.Steps[j])
		}
		c.stepNames("step", steps)
		c.chain(p, steps)
	}
}

// chain checks that each step takes what the one before it returns.
func (c *checker) chain(p *model.Pipeline, steps []*model.Step) {
	broken := false
	for i, step := range steps {
		if step.Sink && i < len(steps)-1 {
			c.report(diag.SinkNotLast, step.Pos, "put it last, or make it a flow.Step that returns what comes next",
				"the sink %q returns nothing, and %q comes after it", step.Name, steps[i+1].Name).
				Relate(steps[i+1].Pos, quoted(steps[i+1].Name)+" stands here")
			return
		}
		broken = broken || i > 0 && !joined(steps[i-1], step)
	}
	if !broken {
		return
	}
	help := "let each step take what the one before it returns"
	if order, found := fittingOrder(steps); found {
		help = "this order of steps would fit: " + strings.Join(order, ", ")
	}
	for i := 1; i < len(steps); i++ {
		if before, step := steps[i-1], steps[i]; !joined(before, step) {
			c.report(diag.ChainBroken, step.In.Pos, help, "the step %q takes %s, and %q before it returns %s", step.Name,
				c.name(step.In.Message), before.Name, c.name(before.Out.Message)).
				Relate(before.Out.Pos, quoted(before.Name)+" returns "+c.name(before.Out.Message))
		}
	}
}

// joined reports whether a step takes what the one before it returns. A type that could not be read fits everything.
func joined(before, step *model.Step) bool {
	out, in := before.Out.Message, step.In.Message
	return out == in || out == (model.Type{}) || in == (model.Type{})
}

// longestSearch is the number of steps up to which an order that fits is looked for.
const longestSearch = 8

// fittingOrder looks for an order of the steps in which each takes what the one before it returns.
func fittingOrder(steps []*model.Step) (names []string, found bool) {
	if len(steps) > longestSearch {
		return nil, false
	}
	var order []*model.Step
	var search func() bool
	search = func() bool {
		if len(order) == len(steps) {
			return true
		}
		for _, step := range steps {
			if slices.Contains(order, step) || len(order) > 0 && !follows(order[len(order)-1], step) {
				continue
			}
			order = append(order, step)
			if search() {
				return true
			}
			order = order[:len(order)-1]
		}
		return false
	}
	if !search() {
		return nil, false
	}
	for _, step := range order {
		names = append(names, step.Name)
	}
	return names, true
}

// follows reports whether a step can come right after another.
func follows(before, step *model.Step) bool {
	return !before.Sink && before.Out.Message == step.In.Message
}
