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
	(*checker).addressed,
	(*checker).options,
	(*checker).retries,
	(*checker).dispatchers,
	(*checker).pipelines,
	(*checker).slips,
	(*checker).ordered,
	(*checker).sagas,
	(*checker).requests,
	(*checker).generatedNames,
	(*checker).hiddenNames,
	(*checker).hiddenTypes,
}

type checker struct {
	flow      *model.Flow
	consumers []consumer
	brought   map[string]ownExchange // exchanges that declarations bring with them, by their names
	diags     diag.List
}

// consumer is what consumes a queue: a flow.Consume, a flow.Dispatch, a flow.Request, a step or a stop.
type consumer struct {
	model.Decl
	queue      *model.Queue
	cases      []model.Case // the messages it takes; one where it does not dispatch
	dispatches bool
	answers    bool   // each message gets an answer
	part       string // of a step or a stop: `the step "price"`
}

// alone reports whether a consumer has its queue to itself.
func (c consumer) alone() bool { return c.answers || c.part != "" }

// title names a consumer in a sentence.
func (c consumer) title() string {
	if c.part == "" {
		return c.Name
	}
	return c.part + " of " + c.Name
}

func consumersOf(flow *model.Flow) []consumer {
	var all []consumer
	add := func(d model.Decl, q *model.Queue, message model.Case, part string) {
		all = append(all, consumer{Decl: d, queue: q, cases: []model.Case{message}, part: part})
	}
	for i := range flow.Consumes {
		c := &flow.Consumes[i]
		add(c.Decl, &c.Queue, model.Case{Pos: c.MessagePos, Message: c.Message}, "")
	}
	for i := range flow.Dispatches {
		d := &flow.Dispatches[i]
		all = append(all, consumer{Decl: d.Decl, queue: &d.Queue, cases: d.Cases, dispatches: true})
	}
	for i := range flow.Pipelines {
		p := &flow.Pipelines[i]
		for j := range p.Steps {
			add(p.Decl, &p.Steps[j].Queue, p.Steps[j].In, "the step "+quoted(p.Steps[j].Name))
		}
	}
	for i := range flow.Slips {
		s := &flow.Slips[i]
		for j := range s.Stops {
			add(s.Decl, &s.Stops[j].Queue, s.Stops[j].In, "the stop "+quoted(s.Stops[j].Name))
		}
	}
	for i := range flow.Requests {
		r := &flow.Requests[i]
		all = append(all, consumer{Decl: r.Decl, queue: &r.Queue, cases: []model.Case{r.Question}, answers: true})
	}
	return all
}

// report adds a mistake and returns it, so that related positions can be added.
func (c *checker) report(code diag.Code, at model.Pos, help, format string, args ...any) *diag.Diagnostic {
	c.diags.Add(diag.Diagnostic{Code: code, Pos: at, Message: fmt.Sprintf(format, args...), Help: help})
	return &c.diags[len(c.diags)-1]
}
