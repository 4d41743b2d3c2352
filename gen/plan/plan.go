// Package plan says what declaring a topology would do to a broker: what would be created, what is there already, and
// what stands in the way, with the steps that solve it.
package plan

import (
	"fmt"

	"github.com/acemq/acemq-gen/runtime/topology"
)

// Action is what a declaration would do to one object.
type Action string

// The actions.
const (
	Keep     Action = "keep"     // it is there as it is declared
	Create   Action = "create"   // it is missing, and would be created
	Conflict Action = "conflict" // the declaration would fail
	Unknown  Action = "unknown"  // the broker was not asked; declaring it creates it or does nothing
)

// actions are the actions in the order in which they are counted.
var actions = []Action{Create, Keep, Conflict, Unknown}

// Plan is what declaring a topology would do.
type Plan struct {
	Broker  string   `json:"broker"` // "localhost:5672"
	VHost   string   `json:"vhost"`
	Objects []Object `json:"objects"` // exchanges, queues, bindings, in the order of the topology
}

// Object is an exchange, a queue or a binding.
type Object struct {
	Action     Action      `json:"action"`
	Object     string      `json:"object"`               // "queue billing.orders"
	Declared   string      `json:"declared,omitempty"`   // what the flow declares, in words; empty for a binding
	Difference *Difference `json:"difference,omitempty"` // of a conflict, where the broker names it
	Reason     string      `json:"reason,omitempty"`     // of a conflict: the broker's own words
	Steps      []string    `json:"steps,omitempty"`      // of a conflict: how to solve it, in order, losing no message
}

// Difference is a setting that the flow and the broker do not have alike.
type Difference struct {
	Setting  string `json:"setting"`  // "x-queue-type", "durable", "type"
	Declared string `json:"declared"` // "none" where it is not set
	Broker   string `json:"broker"`
}

// Of says what declaring a topology would do to a broker that was asked for it.
func Of(t *topology.Topology, found Found) *Plan {
	p := &Plan{Broker: found.Broker, VHost: found.VHost, Objects: []Object{}}
	guide := guideTo(found.VHost, t)
	for i, e := range t.Exchanges {
		p.add("exchange "+e.Name, e.Describe(), found.Exchanges[i], exchangeSteps(e))
	}
	for i, q := range t.Queues {
		p.add("queue "+q.Name, q.Describe(), found.Queues[i], guide.steps(q))
	}
	for i, b := range t.Bindings {
		object := fmt.Sprintf("binding of queue %s to exchange %s with key %q", b.Queue, b.Exchange, b.Key)
		p.add(object, "", found.Bindings[i], nil)
	}
	return p
}

// add adds an object. The steps are those for another object of its name.
func (p *Plan) add(object, declared string, found Answer, steps []string) {
	o := Object{Object: object, Declared: declared}
	switch found.Standing {
	case Same:
		o.Action = Keep
	case Missing:
		o.Action = Create
	case NotAsked:
		o.Action = Unknown
	case Absent:
		o.Action, o.Reason, o.Steps = Conflict, "it is external, and not there", absentSteps
	case Other:
		o.Action, o.Reason, o.Steps = Conflict, found.Reason, steps
		o.Difference = difference(found.Reason)
	default:
		o.Action, o.Reason, o.Steps = Conflict, found.Reason, refusedSteps
	}
	p.Objects = append(p.Objects, o)
}

// Count returns how many objects have an action.
func (p *Plan) Count(action Action) int {
	n := 0
	for _, o := range p.Objects {
		if o.Action == action {
			n++
		}
	}
	return n
}
