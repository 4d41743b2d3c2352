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
		if consumer.part != "" {
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

// sender is what sends messages of one type with one key: a publication, or a slip to one of its stops.
type sender struct {
	model.Decl
	verb     string // "publishes"
	exchange model.Ref
	key      string
	message  model.Type
}

func (c *checker) senders() []sender {
	var all []sender
	for i := range c.flow.Publishes {
		p := &c.flow.Publishes[i]
		all = append(all, sender{p.Decl, "publishes", p.Exchange, p.Key, p.Message})
	}
	for i := range c.flow.Slips {
		s := &c.flow.Slips[i]
		for _, stop := range s.Stops {
			to := "sends to its stop " + quoted(stop.Name)
			all = append(all, sender{s.Decl, to, stop.Exchange, stop.Key, stop.In.Message})
		}
	}
	return all
}

// strangers finds messages of other types that a consumer of one type would receive through its bindings. A dispatcher
// may leave some of what arrives to its parked queue; a consumer of one type has no reason to.
func (c *checker) strangers() {
	senders := c.senders()
	for _, consumer := range c.consumers {
		if consumer.dispatches {
			continue
		}
		for _, b := range consumer.queue.Bindings {
			for _, from := range senders {
				if c.strange(consumer.cases[0].Message, b, from) {
					c.stranger(consumer, b, from)
				}
			}
		}
	}
}

func (c *checker) stranger(consumer consumer, b model.Binding, from sender) {
	help := "bind to fewer keys, or take both with flow.Dispatch"
	if consumer.part != "" {
		help = "give it a key of its own"
	}
	c.report(diag.ConsumerType, b.Pos, help, "%s takes %s, and this binding also brings %s, which %s %s",
		consumer.title(), c.name(consumer.cases[0].Message), c.name(from.message), from.Name, from.verb).
		Relate(from.Pos, from.Name+" is declared here")
}

// strange reports whether a binding brings everything that a sender sends, and that is of another type than taken.
func (c *checker) strange(taken model.Type, b model.Binding, from sender) bool {
	switch {
	case b.Exchange.Name != from.exchange.Name, b.Publication != nil && b.Publication.Name == from.Name:
		return false
	case from.message == taken, from.message == model.Type{}, taken == model.Type{}:
		return false
	}
	kind := c.kind(b.Exchange)
	return kind == "fanout" || slices.ContainsFunc(b.Keys, func(key string) bool {
		return kind == "direct" && key == from.key || kind == "topic" && topology.MatchTopic(key, from.key)
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
