// Package blueprint is what the generated code of flows declares on a broker, as one topology: what Declare of each flow
// declares, and what its publishers and consumers declare when they start. It calls the functions of the runtime that
// generated code calls, so that the two cannot disagree.
package blueprint

import (
	"fmt"

	"github.com/acemq/acemq-gen/gen/model"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/ordered"
	"github.com/acemq/acemq-gen/runtime/pipeline"
	"github.com/acemq/acemq-gen/runtime/schedule"
	"github.com/acemq/acemq-gen/runtime/slip"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Of returns what flows without mistakes declare together, sorted. An error says what two of them declare differently.
// The reply queues of requests are not part of it: each client makes one of its own, and it goes with the client.
func Of(flows ...*model.Flow) (*topology.Topology, error) {
	all := topology.New()
	for _, flow := range flows {
		all.Merge(Declared(flow), started(flow))
	}
	if err := all.Check(); err != nil {
		return nil, fmt.Errorf("the flows cannot be declared together: %w", err)
	}
	return all.Sort(), nil
}

// Declared returns what Topology of the code that is generated for a flow returns.
func Declared(flow *model.Flow) *topology.Topology {
	t := topology.New()
	for _, exchange := range flow.BrokerExchanges() {
		add := t.Exchange
		if exchange.External {
			add = t.ExternalExchange
		}
		add(exchange.Broker, topology.Kind(exchange.Kind))
	}
	for _, queue := range flow.WorkQueues() {
		add := t.Queue
		if queue.External {
			add = t.ExternalQueue
		}
		add(queue.Broker, options(&queue.Queue)...)
		bind(t, flow, &queue.Queue)
	}
	return t.Merge(routes(flow)...)
}

// options says how a queue of work is declared.
func options(q *model.Queue) []topology.QueueOption {
	var all []topology.QueueOption
	if q.Classic {
		all = append(all, topology.Classic())
	}
	if q.TTL != 0 {
		all = append(all, topology.TTL(q.TTL))
	}
	if q.MaxLength != 0 {
		all = append(all, topology.MaxLength(q.MaxLength))
	}
	if q.SingleActive {
		all = append(all, topology.SingleActive())
	}
	return append(all, topology.Retry(policy(q)))
}

// bind adds the bindings of a queue. Every queue is bound to the default exchange already.
func bind(t *topology.Topology, flow *model.Flow, q *model.Queue) {
	for _, b := range q.Bindings {
		if exchange, named := flow.Exchange(b.Exchange); named {
			t.Bind(q.Broker, exchange.Broker, b.Keys...)
		}
	}
}

// routes returns the topology of each pipeline, slip and ordered queue.
func routes(flow *model.Flow) []*topology.Topology {
	var parts []*topology.Topology
	for i := range flow.Pipelines {
		parts = append(parts, pipelineOf(&flow.Pipelines[i]).Topology())
	}
	for i := range flow.Slips {
		parts = append(parts, slipOf(flow, &flow.Slips[i]).Topology())
	}
	for i := range flow.Ordered {
		parts = append(parts, orderedOf(&flow.Ordered[i]).Topology())
	}
	return parts
}

func pipelineOf(p *model.Pipeline) *pipeline.Declaration {
	d := &pipeline.Declaration{Name: p.Broker}
	for _, step := range p.Steps {
		d.Steps = append(d.Steps, pipeline.Step{Name: step.Name, Queue: acemq.Queue{Retry: policy(&step.Queue)}})
	}
	return d
}

func slipOf(flow *model.Flow, s *model.Slip) *slip.Declaration {
	d := &slip.Declaration{Name: s.Broker}
	for _, stop := range s.Stops {
		to := slip.Stop{Name: stop.Name, Key: stop.Key, Queue: acemq.Queue{Retry: policy(&stop.Queue)}}
		if exchange, named := flow.Exchange(stop.Exchange); named {
			to.Exchange = exchange.Broker
		}
		d.Stops = append(d.Stops, to)
	}
	return d
}

func orderedOf(o *model.Ordered) ordered.Declaration {
	return ordered.Declaration{
		Name: o.Broker, Partitions: o.Partitions, Partitioner: o.PartitionedBy(), SingleActive: o.SingleActive,
	}
}

// policy returns the retry policy of a queue, the zero one where none is declared.
func policy(q *model.Queue) wire.Retry {
	if q.Retry == nil {
		return wire.Retry{}
	}
	return q.Retry.Wire()
}

// started returns what publishers and consumers declare when they start and Declare may not have: the queues that
// consumers set messages aside in, and what schedulers share.
func started(flow *model.Flow) *topology.Topology {
	t := topology.New()
	for _, queue := range flow.WorkQueues() {
		t.Merge(topology.SetAside(queue.Broker, policy(&queue.Queue)))
	}
	for i := range flow.Publishes {
		if flow.Publishes[i].Schedulable {
			return t.Merge(schedule.Topology())
		}
	}
	return t
}
