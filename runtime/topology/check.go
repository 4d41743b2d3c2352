package topology

import (
	"errors"
	"fmt"
	"strings"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// Check says all that keeps the topology from being declared, joined into one error: options and retry policies that
// make no sense, names that the broker does not take, one name declared in two ways, and bindings to what is not
// declared. It asks no broker.
func (t *Topology) Check() error {
	faults := append([]error(nil), t.faults...)
	exchanges := make(map[string]bool)
	for _, e := range t.Exchanges {
		faults = append(faults, e.check())
		if exchanges[e.Name] {
			faults = append(faults, fmt.Errorf("exchange %q is declared twice, with different types: say one", e.Name))
		}
		exchanges[e.Name] = true
	}
	queues := make(map[string]bool)
	for _, q := range t.Queues {
		faults = append(faults, checkName("queue", q.Name, q.External))
		if queues[q.Name] {
			faults = append(faults, fmt.Errorf("queue %q is declared twice, with different arguments: say one", q.Name))
		}
		queues[q.Name] = true
	}
	for _, b := range t.Bindings {
		faults = append(faults, b.check(queues, exchanges))
	}
	return errors.Join(faults...)
}

func (e Exchange) check() error {
	if err := checkName("exchange", e.Name, e.External); err != nil {
		return err
	}
	switch e.Kind {
	case Direct, Fanout, Topic, Headers:
	default:
		return fmt.Errorf("exchange %q is of the type %q: say direct, fanout, topic or headers", e.Name, e.Kind)
	}
	if (e.Name == wire.DeadLetterExchange || e.Name == wire.RetryExchange) && e.Kind != Direct {
		return fmt.Errorf("exchange %q belongs to the contract and is direct, not %s: choose another name",
			e.Name, e.Kind)
	}
	return nil
}

// checkName checks the name of an exchange or a queue. The prefix "amq." is the broker's own: what has it can be used
// and not declared.
func checkName(what, name string, external bool) error {
	switch {
	case name == "" && what == "exchange":
		return errors.New(`the default exchange "" is always there: publish to it, and leave its declaration out`)
	case name == "":
		return fmt.Errorf("a %s has no name", what)
	case strings.HasPrefix(name, "amq.") && !external:
		return fmt.Errorf(`%s %q: names with the prefix "amq." are the broker's: choose another, or make it external`,
			what, name)
	}
	return wire.CheckShort(what, name)
}

func (b Binding) check(queues, exchanges map[string]bool) error {
	switch {
	case b.Exchange == "":
		return fmt.Errorf(`queue %q is bound to the default exchange "", which binds every queue by its name and `+
			"takes no other binding: leave it out", b.Queue)
	case !exchanges[b.Exchange]:
		return fmt.Errorf("queue %q is bound to exchange %q, which is not declared: declare it, or make it external",
			b.Queue, b.Exchange)
	case !queues[b.Queue]:
		return fmt.Errorf("exchange %q is bound to queue %q, which is not declared: declare it, or make it external",
			b.Exchange, b.Queue)
	}
	return wire.CheckShort(fmt.Sprintf("a binding key of exchange %q", b.Exchange), b.Key)
}
