package check

import (
	"strconv"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// stepNames checks the names of the parts of one route, and that their Go names differ.
func (c *checker) stepNames(kind string, steps []*model.Step) {
	first := map[string]*model.Step{}
	for _, step := range steps {
		switch {
		case step.Name == model.Unread:
			continue
		case step.Name == "":
			c.report(diag.NameEmpty, step.Queue.BrokerPos, "give it a name", "the %s has no name", kind)
			continue
		case wire.CheckStepName(step.Name) != nil:
			c.report(diag.StepName, step.Queue.BrokerPos,
				"use letters, digits, dashes and dots, and begin with a letter or a digit",
				"the %s cannot be called %q: its name travels in a list with commas", kind, step.Name)
			continue
		}
		method := model.Identifier(step.Name)
		other, taken := first[method]
		switch {
		case !taken:
			first[method] = step
		case other.Name == step.Name:
			c.report(diag.StepTwice, step.Queue.BrokerPos, "rename one of them",
				"there are two %ss %q: a route could not tell them apart", kind, step.Name).
				Relate(other.Queue.BrokerPos, "the first of them")
		default:
			c.report(diag.NameCollision, step.Queue.BrokerPos, "rename one of them",
				"the %ss %q and %q are both %s in Go", kind, other.Name, step.Name, method).
				Relate(other.Queue.BrokerPos, "the first of them")
		}
	}
}

// ownExchange is an exchange that a declaration brings with it.
type ownExchange struct {
	model.Decl
	at       model.Pos // of the name
	owner    string    // "the pipeline"
	exchange string
}

// ownExchange checks that nothing else declares an exchange that a declaration brings.
func (c *checker) ownExchange(e ownExchange) {
	if e.exchange == "" || e.exchange == model.Unread {
		return
	}
	for _, exchange := range c.flow.Exchanges {
		if exchange.Broker == e.exchange {
			c.report(diag.ExchangeTaken, e.at, "rename one of them",
				"%s %q brings an exchange of its name, and %s declares one too", e.owner, e.exchange, exchange.Name).
				Relate(exchange.Pos, exchange.Name+" is declared here")
		}
	}
	if other, taken := c.brought[e.exchange]; taken {
		c.report(diag.ExchangeTaken, e.at, "rename one of them",
			"%s and %s both bring the exchange %q", other.Name, e.Name, e.exchange).
			Relate(other.at, other.Name+" is declared here")
		return
	}
	c.brought[e.exchange] = e
}

func quoted(text string) string { return strconv.Quote(text) }
