package outline

import "slices"

// Taker is a consumer with the queue that it takes messages from.
type Taker struct {
	*Consumer
	Queue *Queue
}

// Senders returns the publishers of a message.
func (o *Outline) Senders(m Message) []*Publisher {
	var senders []*Publisher
	for i := range o.Publishers {
		if o.Publishers[i].Message == m {
			senders = append(senders, &o.Publishers[i])
		}
	}
	return senders
}

// Takers returns the consumers of a message.
func (o *Outline) Takers(m Message) []Taker {
	return o.takers(func(c *Consumer) bool { return slices.Contains(c.Takes, m) })
}

// Returning returns the steps, stops and servers that return a message.
func (o *Outline) Returning(m Message) []Taker {
	return o.takers(func(c *Consumer) bool { return c.Returns != nil && *c.Returns == m })
}

func (o *Outline) takers(wanted func(*Consumer) bool) []Taker {
	var takers []Taker
	for i := range o.Queues {
		q := &o.Queues[i]
		for n := range q.Consumers {
			if wanted(&q.Consumers[n]) {
				takers = append(takers, Taker{&q.Consumers[n], q})
			}
		}
	}
	return takers
}

// Bound returns the queues that are bound to an exchange.
func (o *Outline) Bound(exchange string) []*Queue {
	var queues []*Queue
	for i := range o.Queues {
		toExchange := func(b Binding) bool { return b.Exchange == exchange }
		if slices.ContainsFunc(o.Queues[i].Bindings, toExchange) {
			queues = append(queues, &o.Queues[i])
		}
	}
	return queues
}

// Before returns the consumers that pass what they return on to a queue.
func (o *Outline) Before(q *Queue) []Taker {
	return o.takers(func(c *Consumer) bool { return c.Next != "" && q.Is(c.Next) })
}
