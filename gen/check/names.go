package check

import (
	"strings"
	"time"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// exchanges checks the names of exchanges, and finds those that are declared twice differently.
func (c *checker) exchanges() {
	first := map[string]*model.Exchange{}
	for i := range c.flow.Exchanges {
		e := &c.flow.Exchanges[i]
		c.brokerName(e.Pos, "exchange", e.Broker, e.External)
		other, taken := first[e.Broker]
		switch {
		case e.Broker == "" || e.Broker == model.Unread:
		case !taken:
			first[e.Broker] = e
		case other.Kind != e.Kind:
			c.report(diag.ExchangeTwice, e.Pos, "use one variable for one exchange",
				"the exchange %q is declared twice, as %s and as %s", e.Broker, other.Kind, e.Kind).
				Relate(other.Pos, "declared here")
		case other.External != e.External:
			c.report(diag.ExchangeTwice, e.Pos, "use one variable for one exchange",
				"the exchange %q is declared twice, once of them as somebody else's", e.Broker).
				Relate(other.Pos, "declared here")
		}
	}
}

// brokerName checks a name of an exchange or a queue.
func (c *checker) brokerName(at model.Pos, what, name string, external bool) {
	switch err := wire.CheckShort("the name of the "+what, name); {
	case name == model.Unread:
	case name == "" && what == "exchange":
		c.report(diag.NameEmpty, at, "give it a name; the default exchange is flow.Default", "the exchange has no name")
	case name == "":
		c.report(diag.NameEmpty, at, "give it a name", "the %s has no name", what)
	case err != nil:
		c.report(diag.NameTooLong, at, "choose a shorter name", "%v", err)
	case strings.HasPrefix(name, "amq.") && !external:
		help := "choose another name"
		if what == "exchange" || what == "queue" {
			help += ", or add flow.External() where the broker has it already"
		}
		c.report(diag.NameReserved, at, help,
			`the %s %q starts with "amq.", which is reserved for the broker's own`, what, name)
	case (what == "exchange" || what == "pipeline") && wire.IsShared(name):
		c.report(diag.NameReserved, at, "choose another name",
			"the exchange %q is the runtime's own: no flow declares it", name)
	case what == "queue" && strings.HasPrefix(name, scheduling):
		c.report(diag.NameReserved, at, "choose another name",
			"the queue %q is the runtime's own: messages that are delivered later wait in it", name)
	}
}

// scheduling is what the names of the queues begin with in which messages wait to be delivered later.
const scheduling = wire.ScheduleExchange + "."

// queues checks the names of queues and of those they bring with them.
func (c *checker) queues() {
	owners := map[string]consumer{} // of the queues that come with another
	for _, consumer := range c.consumers {
		if consumer.part == "" {
			c.brokerName(consumer.queue.BrokerPos, "queue", consumer.queue.Broker, consumer.queue.External)
		}
		bring(consumer, owners)
		c.broughtNames(consumer)
	}
	for i := range c.flow.Ordered {
		partitions := partitionsOf(&c.flow.Ordered[i])
		for _, partition := range partitions {
			bring(partition, owners)
		}
		if n := len(partitions); n > 0 {
			c.broughtNames(partitions[n-1]) // none has longer ones
		}
	}
	for _, consumer := range c.consumers {
		q := consumer.queue
		if owner, taken := owners[q.Broker]; taken && !q.External {
			c.report(diag.NameTaken, q.BrokerPos,
				"choose another name, or add flow.External() to consume from that queue",
				"the queue %q comes with the queue %q and is declared differently there", q.Broker,
				owner.queue.Broker).
				Relate(owner.queue.BrokerPos, "declared here")
		}
	}
}

// bring adds the queues that come with that of a consumer to owners.
func bring(consumer consumer, owners map[string]consumer) {
	for _, name := range setAside(consumer.queue) {
		owners[name] = consumer
	}
}

// broughtNames checks the length of the names that come with a queue. One that is written in the flow, and is too long
// by itself, was reported as such.
func (c *checker) broughtNames(consumer consumer) {
	q := consumer.queue
	if consumer.part == "" && len(q.Broker) > wire.MaxShort {
		return
	}
	for _, name := range setAside(q) {
		if len(name) > wire.MaxShort {
			c.report(diag.NameTooLong, q.BrokerPos, "choose a shorter name",
				"the name of the queue has %d bytes: its queue …%s would have %d, and AMQP takes %d at most",
				len(q.Broker), name[len(q.Broker):], len(name), wire.MaxShort)
			return
		}
	}
}

// setAside returns the names of the queues that come with q, none where its own could not be read.
func setAside(q *model.Queue) []string {
	if q.Broker == "" || q.Broker == model.Unread {
		return nil
	}
	names := []string{wire.DeadLetterQueue(q.Broker), wire.ParkedQueue(q.Broker)}
	for _, delay := range rungs(q.Retry) {
		names = append(names, wire.RungQueue(q.Broker, delay))
	}
	return names
}

// rungs returns the delays that wait in the broker, none where the policy is missing or wrong.
func rungs(r *model.Retry) []time.Duration {
	if r == nil {
		return nil
	}
	policy, err := r.Wire().Policy()
	if err != nil {
		return nil
	}
	return policy.RungDelays()
}

// generatedNames finds generated names that Go would not let stand beside the user's own or each other.
func (c *checker) generatedNames() {
	help := "rename one of them"
	first := map[string]model.Generated{}
	clashing := map[[2]model.Pos]bool{} // pairs of declarations that were reported
	for _, g := range c.flow.Generated() {
		other, taken := first[g.Name]
		if !taken {
			first[g.Name] = g
		}
		if at, declared := c.flow.Package.Scope[g.Name]; declared {
			c.report(diag.NameCollision, g.Pos, help,
				"%s is generated for %s and is declared already", g.Name, purpose(g)).
				Relate(at, g.Name+" is declared here")
		} else if at, imported := c.flow.Package.Files[g.Name]; imported {
			c.report(diag.NameCollision, g.Pos, help,
				"%s is generated for %s and is the name of an import", g.Name, purpose(g)).Relate(at, "imported here")
		} else if pair := [2]model.Pos{other.Pos, g.Pos}; taken && !clashing[pair] {
			clashing[pair] = true
			if other.Pos == g.Pos {
				c.report(diag.NameCollision, g.Pos, help, "%s is generated twice for %s", g.Name, purpose(g))
				continue
			}
			c.report(diag.NameCollision, g.Pos, help,
				"%s is generated for %s and for %s", g.Name, purpose(other), purpose(g)).
				Relate(other.Pos, purpose(other)+" is declared here")
		}
	}
	for i := range c.flow.Dispatches {
		c.methodNames(&c.flow.Dispatches[i])
	}
}

// purpose says what a name is generated for.
func purpose(g model.Generated) string {
	if g.For == "" {
		return "every flow"
	}
	return g.For
}

// methodNames finds types of one dispatcher whose methods would have one name.
func (c *checker) methodNames(d *model.Dispatch) {
	first := map[string]model.Case{}
	for i, name := range d.Names().Methods {
		other, taken := first[name]
		switch {
		case !taken:
			first[name] = d.Cases[i]
		case other.Message != d.Cases[i].Message:
			c.report(diag.NameCollision, d.Cases[i].Pos, "rename one of the types",
				"the method %s of %s is generated for two types", name, d.Names().Handler).
				Relate(other.Pos, "the first of them")
		}
	}
}
