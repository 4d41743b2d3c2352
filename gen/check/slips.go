package check

import (
	"strings"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
)

// slips checks the stops of every slip: their names, their addresses, and that a route can reach them.
func (c *checker) slips() {
	for i := range c.flow.Slips {
		s := &c.flow.Slips[i]
		c.brokerName(s.BrokerPos, "slip", s.Broker, false)
		c.written(s.Options)
		if len(s.Stops) == 0 {
			c.report(diag.NoSteps, s.Pos, `add a stop: flow.Stop[Order, PricedOrder]("price", Events, "order.price")`,
				"the slip %s has no stop", s.Name)
		}
		var steps []*model.Step
		for j := range s.Stops {
			steps = append(steps, &s.Stops[j].Step)
		}
		c.stepNames("stop", steps)
		c.reservedMethod(s)
		c.addresses(s)
		c.apart(s)
		c.typeNames(s)
	}
}

// reservedMethod finds a stop whose method is that which sends a message on its route.
func (c *checker) reservedMethod(s *model.Slip) {
	for i, method := range s.Names().Methods {
		if method == "Send" {
			c.report(diag.NameCollision, s.Stops[i].Queue.BrokerPos, "rename it",
				"the stop %q is the method Send in Go, which sends a message on its route", s.Stops[i].Name)
		}
	}
}

// addresses checks that each stop's exchange and key lead to its queue, and to no other stop.
func (c *checker) addresses(s *model.Slip) {
	type address struct{ exchange, key string }
	first := map[address]*model.Stop{}
	for i := range s.Stops {
		stop := &s.Stops[i]
		kind := c.kind(stop.Exchange)
		if kind == "" || stop.Key == model.Unread || !c.stopKey(stop, kind) {
			continue
		}
		at := address{stop.Exchange.Name, stop.Key}
		if other, taken := first[at]; taken {
			c.report(diag.StopAddress, stop.KeyPos, "give each stop a key of its own",
				"the stops %q and %q have one address: a message for one would reach both", other.Name, stop.Name).
				Relate(other.KeyPos, quoted(other.Name)+" has it too")
			continue
		}
		first[at] = stop
	}
}

// stopKey reports whether the key of a stop can be an address.
func (c *checker) stopKey(stop *model.Stop, kind string) bool {
	switch {
	case readsNoKey(kind):
		c.report(diag.StopAddress, stop.KeyPos, "use a topic or a direct exchange",
			"the stop %q has no address: a %s exchange reads no key, and brings a message to every stop", stop.Name, kind)
	case stop.Key == "":
		c.report(diag.KeyMissing, stop.KeyPos, "write a key, such as order.price", "the stop %q has no key", stop.Name)
	case strings.ContainsAny(stop.Key, "{}") || kind == "topic" && strings.ContainsAny(stop.Key, "*#"):
		c.report(diag.KeyMalformed, stop.KeyPos, "write the whole key: a slip carries it as an address",
			"the key %q of the stop %q is no address", stop.Key, stop.Name)
	case kind == "default" && stop.Key != stop.Queue.Broker && stop.Queue.Broker != model.Unread:
		c.report(diag.StopAddress, stop.KeyPos, "write the name of the queue, or use an exchange of your own",
			"the key %q of the default exchange is the name of a queue, and that of the stop is %q", stop.Key,
			stop.Queue.Broker)
	default:
		c.keyShape(stop.KeyPos, stop.Key, kind)
		return true
	}
	return false
}

// apart finds stops that share no type with the first one, nor with stops that do: no route passes both.
func (c *checker) apart(s *model.Slip) {
	near := map[model.Type]bool{{}: true}
	reached := make([]bool, len(s.Stops))
	for again := true; again; {
		again = false
		for i, stop := range s.Stops {
			in, out := stop.In.Message, stop.Out.Message
			if !reached[i] && (i == 0 || near[in] || near[out]) {
				reached[i], near[in], near[out], again = true, true, true, true
			}
		}
	}
	for i, stop := range s.Stops {
		if !reached[i] {
			c.report(diag.StopApart, stop.In.Pos, "mend its types, or declare it in a slip of its own",
				"no route of %s reaches the stop %q: no other stop returns %s or takes %s", s.Name, stop.Name,
				c.name(stop.In.Message), c.name(stop.Out.Message)).
				Relate(s.Stops[0].Pos, "the first stop")
		}
	}
}

// typeNames finds types of one slip whose builders would have one name.
func (c *checker) typeNames(s *model.Slip) {
	names := s.Names()
	first := map[string]model.Type{}
	for _, t := range s.Types() {
		name := names.At[t]
		if other, taken := first[name]; taken {
			c.report(diag.NameCollision, s.Pos, "rename one of the types",
				"%s is generated for %s and for %s", name, c.name(other), c.name(t))
			continue
		}
		first[name] = t
	}
}
