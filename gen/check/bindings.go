package check

import (
	"slices"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/topology"
)

// bindings checks every flow.From and flow.Bind.
func (c *checker) bindings() {
	for _, consumer := range c.consumers {
		if consumer.owner != "" {
			continue // a stop is bound to its address, which is checked with the others of its slip
		}
		for _, b := range consumer.queue.Bindings {
			if b.Publication != nil {
				c.from(consumer, b)
				continue
			}
			switch kind := c.kind(b.Exchange); kind {
			case "": // the reader has reported it
			case "default":
				c.report(diag.DefaultExchange, b.Pos, "leave the binding out: the key is the name of the queue",
					"the queue %q is bound to the default exchange, which reaches queues by their names and takes no binding",
					consumer.queue.Broker)
			default:
				c.boundKeys(b, kind)
			}
		}
	}
}

// from checks that a consumer can take what a publication sends.
func (c *checker) from(consumer consumer, b model.Binding) {
	p, known := c.flow.Publication(*b.Publication)
	if !known {
		return
	}
	if !takes(consumer, p.Message) {
		c.report(diag.ConsumerType, b.Pos,
			"consume "+c.name(p.Message)+", or bind to a publication of what is consumed",
			"%s takes %s, and %s publishes %s", consumer.Name, c.listed(consumer.cases), p.Name, c.name(p.Message)).
			Relate(p.Pos, p.Name+" is declared here")
	}
	switch kind := c.kind(p.Exchange); {
	case p.Key == model.Unread || consumer.queue.Broker == model.Unread:
	case kind == "default" && p.Key != consumer.queue.Broker:
		c.report(diag.DefaultExchange, b.Pos,
			"publish with the name of the queue as the key, or to an exchange of your own",
			"%s is published to the default exchange with the key %q, and never reaches the queue %q", p.Name, p.Key,
			consumer.queue.Broker).
			Relate(p.Pos, p.Name+" is declared here")
	case kind == "direct" && len(p.Fields) > 0:
		c.report(diag.KeyUnbindable, b.Pos, "bind with flow.Bind and each key that occurs, or use a topic exchange",
			"no binding takes every key %q of %s: a direct exchange compares whole keys", p.Key, p.Name).
			Relate(p.Pos, p.Name+" is declared here")
	}
}

// strangers finds messages of other types that a flow.Consume would receive through its bindings. A dispatcher may leave
// some of what arrives to its parked queue; a consumer of one type has no reason to.
func (c *checker) strangers() {
	for i := range c.flow.Consumes {
		consumer := &c.flow.Consumes[i]
		for _, b := range consumer.Queue.Bindings {
			for j := range c.flow.Publishes {
				if p := &c.flow.Publishes[j]; c.strange(consumer, b, p) {
					c.report(diag.ConsumerType, b.Pos, "bind to fewer keys, or take both with flow.Dispatch",
						"%s takes %s, and this binding also brings %s, which %s publishes", consumer.Name,
						c.name(consumer.Message), c.name(p.Message), p.Name).
						Relate(p.Pos, p.Name+" is declared here")
				}
			}
		}
	}
}

// strange reports whether a binding of a consumer brings everything that p publishes, and that is of another type.
func (c *checker) strange(consumer *model.Consume, b model.Binding, p *model.Publish) bool {
	switch {
	case b.Exchange.Name != p.Exchange.Name, b.Publication != nil && b.Publication.Name == p.Name:
		return false
	case p.Message == consumer.Message, p.Message == model.Type{}, consumer.Message == model.Type{}:
		return false
	}
	kind := c.kind(b.Exchange)
	return kind == "fanout" || slices.ContainsFunc(b.Keys, func(key string) bool {
		return kind == "direct" && key == p.Key || kind == "topic" && topology.MatchTopic(key, p.Key)
	})
}

// listed names the messages of a consumer.
func (c *checker) listed(cases []model.Case) string {
	text := "nothing"
	for i, m := range cases {
		if i == 0 {
			text = c.name(m.Message)
			continue
		}
		text += ", " + c.name(m.Message)
	}
	return text
}
