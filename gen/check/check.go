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
	c := &checker{flow: flow, consumers: consumersOf(flow)}
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
	(*checker).later,
	(*checker).generatedNames,
	(*checker).hiddenNames,
}

type checker struct {
	flow      *model.Flow
	consumers []consumer
	diags     diag.List
}

// consumer is a flow.Consume or a flow.Dispatch.
type consumer struct {
	model.Decl
	queue *model.Queue
	cases []model.Case // the messages it takes; one for a flow.Consume
}

func consumersOf(flow *model.Flow) []consumer {
	var all []consumer
	for i := range flow.Consumes {
		c := &flow.Consumes[i]
		all = append(all, consumer{c.Decl, &c.Queue, []model.Case{{Pos: c.MessagePos, Message: c.Message}}})
	}
	for i := range flow.Dispatches {
		d := &flow.Dispatches[i]
		all = append(all, consumer{d.Decl, &d.Queue, d.Cases})
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
	all := append([]model.Later(nil), c.flow.Later...)
	for _, p := range c.flow.Publishes {
		all = append(all, p.Later...)
	}
	for _, consumer := range c.consumers {
		all = append(all, consumer.queue.Later...)
	}
	for _, l := range all {
		c.report(diag.Later, l.Pos, "take it out until it is",
			"%s is not generated yet by this version of acemq-gen", l.Construct)
	}
}
