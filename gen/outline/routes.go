package outline

import "github.com/acemq/acemq-gen/gen/model"

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
				c.Onward = Address{p.Broker, p.Steps[n+1].Name}
			}
			if n == 0 {
				b.publisher(Publisher{
					Place: at, Message: b.message(step.In.Message), Address: Address{p.Broker, step.Name},
				})
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
				c.Onward = b.address(&s.Stops[next])
			}
			if !followed[n] {
				b.publisher(Publisher{Place: at, Message: b.message(stop.In.Message), Address: b.address(stop)})
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

// address is where messages are sent that come to a stop.
func (b builder) address(stop *model.Stop) Address {
	if exchange := b.named(stop.Exchange); exchange != "" {
		return Address{exchange, stop.Key}
	}
	return Address{Key: stop.Queue.Broker}
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
