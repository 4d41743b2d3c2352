// Package check judges a flow: whether its names, keys, types, options and bindings make sense together and can be
// declared on a broker. It knows the flow as gen/model has it, and finds every mistake of a flow in one run.
package check

import (
	"fmt"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
)

// Flow returns every mistake in a flow, sorted. What gen/read could not read is no mistake here.
func Flow(flow *model.Flow) diag.List {
	c := &checker{flow: flow, consumers: consumersOf(flow), brought: map[string]ownExchange{}}
	for _, rule := range rules {
		rule(c)
	}
	c.diags.Sort()
	return c.diags
}

var rules = []func(*checker){
	(*checker).messages,
	(*checker).exchanges,
	(*checker).queues,
	(*checker).sharedQueues,
	(*checker).publications,
	(*checker).bindings,
	(*checker).strangers,
	(*checker).options,
	(*checker).retries,
	(*checker).dispatchers,
	(*checker).pipelines,
	(*checker).slips,
	(*checker).ordered,
	(*checker).later,
	(*checker).generatedNames,
	(*checker).hiddenNames,
}

type checker struct {
	flow      *model.Flow
	consumers []consumer
	brought   map[string]ownExchange // exchanges that declarations bring with them, by their names
	diags     diag.List
}

// consumer is what consumes a queue: a flow.Consume, a flow.Dispatch, a step or a stop.
type consumer struct {
	model.Decl
	queue *model.Queue
	cases []model.Case // the messages it takes; only a dispatcher has several
	owner string       // of a step or a stop, the queue of which is its own: `the step "price" of Fulfilment`
}

func consumersOf(flow *model.Flow) []consumer {
	var all []consumer
	for i := range flow.Consumes {
		c := &flow.Consumes[i]
		all = append(all, consumer{c.Decl, &c.Queue, []model.Case{{Pos: c.MessagePos, Message: c.Message}}, ""})
	}
	for i := range flow.Dispatches {
		d := &flow.Dispatches[i]
		all = append(all, consumer{d.Decl, &d.Queue, d.Cases, ""})
	}
	for i := range flow.Pipelines {
		p := &flow.Pipelines[i]
		for j := range p.Steps {
			step := &p.Steps[j]
			all = append(all, consumer{p.Decl, &step.Queue, []model.Case{step.In}, "the step " + quoted(step.Name) + " of " + p.Name})
		}
	}
	for i := range flow.Slips {
		s := &flow.Slips[i]
		for j := range s.Stops {
			stop := &s.Stops[j]
			all = append(all, consumer{s.Decl, &stop.Queue, []model.Case{stop.In}, "the stop " + quoted(stop.Name) + " of " + s.Name})
		}
	}
	return all
}

// report adds a mistake and returns it, so that related positions can be added.
func (c *checker) report(code diag.Code, at model.Pos, help, format string, args ...any) *diag.Diagnostic {
	c.diags.Add(diag.Diagnostic{Code: code, Pos: at, Message: fmt.Sprintf(format, args...), Help: help})
	return &c.diags[len(c.diags)-1]
}

// later reports what the generator does not generate.
func (c *checker) later() {
	for _, l := range c.flow.Later {
		c.report(diag.Later, l.Pos, "take it out until it is",
			"%s is not generated yet by this version of acemq-gen", l.Construct)
	}
}
