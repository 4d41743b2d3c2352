package pipeline

import (
	"fmt"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/internal/route"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Declaration says what a pipeline is. Generated code has one for each flow.Pipeline.
type Declaration struct {
	Name    string // of the pipeline and its exchange
	Type    string // the logical type of what is sent in, "order"; empty takes the name of the first step
	Version int    // the schema version of what is sent in, from 1
	Steps   []Step // in order

	// WriteAs is the form in which a message sets out. The zero value is wire.FormDeclared, as in the whole family.
	WriteAs wire.Form
}

// Step is one step of a pipeline. It consumes the queue {pipeline}.{step}.
type Step struct {
	Name  string      // letters, digits, dashes and dots
	Queue acemq.Queue // how it is consumed; its Name is left empty
}

// QueueFor returns the name of the queue of a step: {pipeline}.{step}.
func (d *Declaration) QueueFor(step string) string { return route.QueueName(d.Name, step) }

// Check says what keeps the declaration from being used: steps with bad names or the same one, or none.
func (d *Declaration) Check() error { return d.routes().Check() }

// Topology returns the exchange, the queue of each step with what belongs to it, and the bindings.
func (d *Declaration) Topology() *topology.Topology {
	t := topology.New().Exchange(d.Name, topology.Direct)
	for _, step := range d.Steps {
		queue := d.QueueFor(step.Name)
		t.Queue(queue, topology.Bare(), topology.Retry(step.Queue.Retry)).Bind(queue, d.Name, step.Name)
	}
	return t
}

func (d *Declaration) routes() route.Map {
	m := route.Map{Name: fmt.Sprintf("pipeline %q", d.Name)}
	for _, step := range d.Steps {
		queue := step.Queue
		queue.Name = d.QueueFor(step.Name)
		m.Places = append(m.Places, route.Place{
			Name:     step.Name,
			Exchange: d.Name,
			Key:      step.Name,
			Queue:    queue,
		})
	}
	return m
}
