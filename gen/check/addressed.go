package check

import (
	"slices"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
)

// addressed finds publications to a queue by its name, through the default exchange, whose messages its consumer does
// not take.
func (c *checker) addressed() {
	for i := range c.flow.Publishes {
		p := &c.flow.Publishes[i]
		for _, consumer := range c.consumers {
			if p.Exchange.Name == "" && p.Key == consumer.queue.Broker && !takes(consumer, p.Message) && !boundTo(consumer, p) {
				c.report(diag.ConsumerType, p.KeyPos, "publish what is consumed, or to a queue of its own",
					"%s publishes %s to the queue %q, and %s takes %s from it", p.Name, c.name(p.Message), p.Key,
					consumer.title(), c.listed(consumer.cases)).
					Relate(consumer.queue.BrokerPos, consumer.title()+" is declared here")
			}
		}
	}
}

// boundTo reports whether a consumer is bound to a publication: then the binding is checked.
func boundTo(consumer consumer, p *model.Publish) bool {
	return slices.ContainsFunc(consumer.queue.Bindings, func(b model.Binding) bool {
		return b.Publication != nil && b.Publication.Name == p.Name
	})
}
