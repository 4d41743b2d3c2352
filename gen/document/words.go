package document

import (
	"fmt"
	"strings"

	"github.com/acemq/acemq-gen/gen/outline"
)

// messageText names a message as both sides know it: OrderPlaced (order.placed v1).
func messageText(m outline.Message) string {
	if m.Type == "" {
		return m.Go
	}
	return fmt.Sprintf("%s (%s v%d)", m.Go, m.Type, m.Version)
}

// address says where a publisher sends: orders-events with the key order.placed.{Country}.
func address(p *outline.Publisher) string {
	switch {
	case p.Exchange != "":
		return "the exchange " + p.Exchange + withKey(p.Key)
	case p.Kind == "Ordered":
		return "a partition of " + p.Key + " through the default exchange"
	default:
		return "the queue " + p.Key + " through the default exchange"
	}
}

func withKey(key string) string {
	if key == "" {
		return ""
	}
	return " with the key " + key
}

// route names a publisher with its way.
func route(p *outline.Publisher) string {
	return fmt.Sprintf("%s (%s), which sends to %s", p.Name, p.Pos, address(p))
}

// boundWith tells the keys with which a queue is bound to an exchange.
func boundWith(q *outline.Queue, exchange string) string {
	var keys []string
	for _, b := range q.Bindings {
		if b.Exchange == exchange {
			keys = append(keys, b.Keys...)
		}
	}
	return withKey(strings.Join(keys, ", ")) + consumers(q)
}

// consumer names a consumer: Billing, or the step pack of fulfilment.
func consumer(c *outline.Consumer) string {
	name := c.Title
	if c.Route != "" {
		name = fmt.Sprintf("the %s %s of %s", strings.ToLower(c.Kind), c.Title, c.Route)
	}
	return fmt.Sprintf("%s (%s)", name, c.Pos)
}

// taker names a consumer with its queue.
func taker(t outline.Taker) string { return consumer(t.Consumer) + " from the queue " + t.Queue.Name }

// consumers names those of a queue.
func consumers(q *outline.Queue) string {
	var names []string
	for i := range q.Consumers {
		names = append(names, consumer(&q.Consumers[i]))
	}
	return ", consumed by " + strings.Join(names, ", ")
}

// span names queues that are counted up, the first and the last of many.
func span(names []string) string {
	if len(names) <= 3 {
		return strings.Join(names, ", ")
	}
	return names[0] + " to " + names[len(names)-1]
}
