package check

import (
	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
)

// bindings checks every flow.From and flow.Bind.
func (c *checker) bindings() {
	for _, consumer := range c.consumers {
		for _, b := range consumer.queue.Bindings {
			if b.Publication != nil {
				c.from(consumer, b)
				continue
			}
			switch kind := c.kind(b.Exchange); kind {
			case "": // the reader has reported it
			case "default":
				c.report(diag.DefaultExchange, b.Pos, "leave the binding out: the key is the name of the queue",
					"the queue %q is bound to the default exchange, which reaches every queue by its name and takes no binding",
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
		relate(c.report(diag.ConsumerType, b.Pos, "consume "+c.name(p.Message)+", or bind to a publication of what is consumed",
			"%s takes %s, and %s publishes %s", consumer.Name, c.listed(consumer.cases), p.Name, c.name(p.Message)), p.Pos, p.Name+" is declared here")
	}
	switch kind := c.kind(p.Exchange); {
	case p.Key == model.Unread || consumer.queue.Broker == model.Unread:
	case kind == "default" && p.Key != consumer.queue.Broker:
		relate(c.report(diag.DefaultExchange, b.Pos, "publish with the name of the queue as the key, or to an exchange of your own",
			"%s is published to the default exchange with the key %q, and never reaches the queue %q", p.Name, p.Key, consumer.queue.Broker),
			p.Pos, p.Name+" is declared here")
	case kind == "direct" && len(p.Fields) > 0:
		relate(c.report(diag.KeyUnbindable, b.Pos, "bind with flow.Bind and each key that occurs, or use a topic exchange",
			"no binding takes every key %q of %s: a direct exchange compares whole keys", p.Key, p.Name),
			p.Pos, p.Name+" is declared here")
	}
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
