package outline

import (
	"strings"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// Reaching returns the publishers whose messages come to a queue, all of them or some.
func (o *Outline) Reaching(q *Queue) []*Publisher {
	var publishers []*Publisher
	for i := range o.Publishers {
		if o.reaches(&o.Publishers[i], q) {
			publishers = append(publishers, &o.Publishers[i])
		}
	}
	return publishers
}

// Reached returns the queues to which messages of a publisher come.
func (o *Outline) Reached(p *Publisher) []*Queue {
	var queues []*Queue
	for i := range o.Queues {
		if o.reaches(p, &o.Queues[i]) {
			queues = append(queues, &o.Queues[i])
		}
	}
	return queues
}

func (o *Outline) reaches(p *Publisher, q *Queue) bool {
	if p.Exchange == "" {
		return q.Is(p.Key)
	}
	exchange, _ := o.Exchange(p.Exchange)
	for _, b := range q.Bindings {
		if b.Exchange == p.Exchange && matches(exchange, b.Keys, p.Key) {
			return true
		}
	}
	return false
}

// matches reports whether a key can match one of the keys of a binding. A publisher without a key of its own chooses
// any.
func matches(exchange *Exchange, bound []string, key string) bool {
	if key == "" || exchange == nil || exchange.Kind == "fanout" || exchange.Kind == "headers" {
		return true
	}
	words := strings.Split(wire.KeyPattern(key), ".")
	for _, pattern := range bound {
		if overlap(strings.Split(pattern, "."), words) {
			return true
		}
	}
	return false
}

// overlap reports whether a key can fit both a binding's pattern and that of a publication, which has no "#".
func overlap(pattern, key []string) bool {
	switch {
	case len(pattern) == 0:
		return len(key) == 0
	case pattern[0] == "#":
		return overlap(pattern[1:], key) || len(key) > 0 && overlap(pattern, key[1:])
	case len(key) == 0:
		return false
	}
	return (pattern[0] == "*" || key[0] == "*" || pattern[0] == key[0]) && overlap(pattern[1:], key[1:])
}
