package check

import (
	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
)

// sharedQueues finds queues that two consumers declare in different ways, or take different messages from.
func (c *checker) sharedQueues() {
	first := map[string]consumer{}
	for _, consumer := range c.consumers {
		other, shared := first[consumer.queue.Broker]
		switch {
		case consumer.queue.Broker == "" || consumer.queue.Broker == model.Unread:
		case !shared:
			first[consumer.queue.Broker] = consumer
		case other.alone() || consumer.alone():
			c.ownQueueTaken(other, consumer)
		case difference(other.queue, consumer.queue) != "":
			c.report(diag.QueueTwice, consumer.queue.BrokerPos, "give both declarations the same options",
				"the queue %q is declared twice, with a different %s", consumer.queue.Broker,
				difference(other.queue, consumer.queue)).
				Relate(other.queue.BrokerPos, "declared here")
		case !sameMessages(other, consumer):
			c.report(diag.QueueTwice, consumer.queue.BrokerPos,
				"take all of them with one flow.Dispatch, or from a queue each",
				"the queue %q has two consumers for different messages, and the broker gives each whichever comes next",
				consumer.queue.Broker).
				Relate(other.queue.BrokerPos, "the other consumer")
		}
	}
}

// ownQueueTaken reports a queue of a step, a stop or a request that another declaration has too. A name that two steps of
// one route share is reported with the names of steps.
func (c *checker) ownQueueTaken(first, second consumer) {
	if first.title() == second.title() && first.Pos == second.Pos {
		return
	}
	c.report(diag.QueueTwice, second.queue.BrokerPos, "rename one of them",
		"the queue %q is that of %s and of %s: each would get messages that are meant for the other",
		second.queue.Broker, first.title(), second.title()).
		Relate(first.queue.BrokerPos, "declared here")
}

// difference names what two declarations of one queue do not have in common, "" where that is nothing.
func difference(a, b *model.Queue) string {
	switch {
	case a.External != b.External:
		return "External"
	case a.Classic != b.Classic:
		return "Classic"
	case a.TTL != b.TTL:
		return "TTL"
	case a.MaxLength != b.MaxLength:
		return "MaxLength"
	case a.SingleActive != b.SingleActive:
		return "SingleActive"
	case !sameRetry(a.Retry, b.Retry):
		return "Retry"
	}
	return ""
}

func sameRetry(a, b *model.Retry) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Wire() == b.Wire()
}

// sameMessages reports whether two consumers take the same messages.
func sameMessages(a, b consumer) bool { return takesAll(a, b) && takesAll(b, a) }

func takesAll(a, b consumer) bool {
	for _, m := range b.cases {
		if !takes(a, m.Message) {
			return false
		}
	}
	return true
}

// takes reports whether a consumer takes messages of type t. A type that could not be read is taken by everyone.
func takes(c consumer, t model.Type) bool {
	if t == (model.Type{}) {
		return true
	}
	for _, m := range c.cases {
		if m.Message == t || m.Message == (model.Type{}) {
			return true
		}
	}
	return false
}
