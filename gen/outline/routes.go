package outline

import (
	"fmt"

	"github.com/acemq/acemq-gen/gen/model"
)

func (b builder) pipelines() {
	for i := range b.flow.Pipelines {
		p := &b.flow.Pipelines[i]
		at := b.place(p.Decl, "Pipeline")
		b.exchange(p.Broker, "direct", false, at)
		for n := range p.Steps {
			step := &p.Steps[n]
			c := b.step(at, p.Broker, step)
			c.Kind = "Step"
			if step.Sink {
				c.Kind = "Sink"
			}
			if n+1 < len(p.Steps) {
				c.Next = p.Steps[n+1].Queue.Broker
			}
			if n == 0 {
				b.publisher(Publisher{at, b.message(step.In.Message), p.Broker, step.Name})
			}
			q := step.Queue
			b.consumer(&q, c)
			b.bind(q.Broker, Binding{p.Broker, []string{step.Name}, step.Pos})
		}
	}
}

// bind adds a binding to a queue that is there.
func (b builder) bind(queue string, binding Binding) {
	if q, found := b.outline.Queue(queue); found {
		q.Bindings = append(q.Bindings, binding)
	}
}

// slips adds each slip: a stop is followed by the next one of the declaration that takes what it returns. A sender may
// choose another way.
func (b builder) slips() {
	for i := range b.flow.Slips {
		s := &b.flow.Slips[i]
		at := b.place(s.Decl, "Slip")
		followed := map[int]bool{}
		for n := range s.Stops {
			stop := &s.Stops[n]
			c := b.step(at, s.Broker, &stop.Step)
			c.Kind = "Stop"
			if next, found := following(s, n); found {
				followed[next] = true
				c.Next = s.Stops[next].Queue.Broker
			}
			if !followed[n] {
				b.publisher(b.entry(at, stop))
			}
			b.consumer(&stop.Queue, c)
		}
	}
}

// following returns the stop that comes after stop n.
func following(s *model.Slip, n int) (int, bool) {
	for next := n + 1; next < len(s.Stops); next++ {
		if s.Stops[next].In.Message == s.Stops[n].Out.Message {
			return next, true
		}
	}
	return 0, false
}

// entry is where messages set out on a slip.
func (b builder) entry(at Place, stop *model.Stop) Publisher {
	p := Publisher{at, b.message(stop.In.Message), b.named(stop.Exchange), stop.Key}
	if p.Exchange == "" {
		p.Key = stop.Queue.Broker
	}
	return p
}

// step is a step or a stop as a consumer.
func (b builder) step(of Place, route string, step *model.Step) Consumer {
	of.Pos = step.Pos
	c := Consumer{Place: of, Title: step.Name, Route: route, Takes: []Message{b.message(step.In.Message)}}
	if !step.Sink {
		out := b.message(step.Out.Message)
		c.Returns = &out
	}
	return c
}

// properties tells what is special about a queue.
func properties(q *model.Queue) []string {
	var all []string
	if q.Classic {
		all = append(all, "classic")
	}
	if q.TTL != 0 {
		all = append(all, "messages expire after "+spoken(q.TTL))
	}
	if q.MaxLength != 0 {
		all = append(all, fmt.Sprintf("%d messages at most", q.MaxLength))
	}
	if q.SingleActive {
		all = append(all, "one active consumer")
	}
	return all
}

// load tells how much a consumer has in hand.
func load(q *model.Queue) []string {
	var all []string
	if q.Prefetch != 0 {
		all = append(all, fmt.Sprintf("prefetch %d", q.Prefetch))
	}
	if q.Concurrency != 0 {
		all = append(all, fmt.Sprintf("concurrency %d", q.Concurrency))
	}
	if q.Idempotent != 0 {
		all = append(all, "idempotent, lease "+spoken(q.Idempotent))
	}
	return all
}
