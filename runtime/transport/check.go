package transport

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Check checks a message before anything of it is written, because a value that cannot be encoded, or that the broker
// does not take, costs a connection. It returns the message in the form in which it travels: its headers normal, its
// expiration in whole milliseconds. The error is a *RefusedError. Every transport calls it first.
func Check(m Message) (Message, error) {
	headers, err := wire.NormalHeaders(m.Headers, headerLimit(m))
	err = errors.Join(err,
		wire.CheckShort("the exchange", m.Exchange),
		wire.CheckShort("the routing key", m.Key),
		wire.CheckShort("the message id", m.MessageID),
		checkContent(m),
		checkExpiration(m.Expiration))
	if m.MessageID == "" {
		err = errors.Join(err, errors.New("the message id is empty, and a return is matched by it"))
	}
	if err != nil {
		return Message{}, &RefusedError{m.Address(), err}
	}
	m.Headers = headers
	m.Expiration = m.Expiration.Truncate(time.Millisecond)
	return m, nil
}

func headerLimit(m Message) int {
	if m.Copy {
		return wire.MaxCopyHeaders
	}
	return wire.MaxHeaders
}

// checkContent checks what a copy has from the message that was received: a broker has taken it before, though perhaps
// in a header, which may be longer than a property.
func checkContent(m Message) error {
	if m.Copy {
		return errors.Join(
			wire.CheckLength("the content type", m.ContentType),
			wire.CheckLength("the reply-to", m.ReplyTo))
	}
	return errors.Join(
		wire.CheckShort("the content type", m.ContentType),
		wire.CheckShort("the reply-to", m.ReplyTo),
		wire.CheckBody(m.Body))
}

func checkExpiration(d time.Duration) error {
	if d != 0 && (d < time.Millisecond || d > wire.MaxTTL) {
		return fmt.Errorf("the expiration is %v: say 0 for none, or 1ms to %v", d, wire.MaxTTL)
	}
	return nil
}

// CheckSubscription checks a subscription before anything is written, and returns it with its arguments normal.
func CheckSubscription(s Subscription) (Subscription, error) {
	arguments, err := wire.NormalHeaders(s.Arguments, wire.MaxHeaders)
	err = errors.Join(err, checkName("the queue", s.Queue))
	if s.Prefetch < 1 || s.Prefetch > math.MaxUint16 {
		err = errors.Join(err, fmt.Errorf("the prefetch is %d: say 1 to %d", s.Prefetch, math.MaxUint16))
	}
	if s.Temporary != 0 && (s.Temporary < time.Millisecond || s.Temporary > wire.MaxTTL) {
		err = errors.Join(err, fmt.Errorf("the queue is temporary for %v: say 0 for no, or 1ms to %v", s.Temporary, wire.MaxTTL))
	}
	if err != nil {
		return Subscription{}, fmt.Errorf("consume %q: %w", shown(s.Queue), err)
	}
	s.Arguments = arguments
	return s, nil
}

// CheckTopology checks the names and arguments of a topology before anything of it is declared, and returns a copy of
// its own with normal arguments. Whether the parts fit each other is the broker's to say.
func CheckTopology(t *topology.Topology) (*topology.Topology, error) {
	var faults []error
	normal := func(what string, arguments wire.Table) wire.Table {
		table, err := wire.NormalHeaders(arguments, wire.MaxHeaders)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", what, err))
		}
		return maps.Clone(table)
	}
	checked := &topology.Topology{Exchanges: slices.Clone(t.Exchanges)}
	for _, x := range t.Exchanges {
		faults = append(faults, checkName("the exchange", x.Name), checkKind(x))
	}
	for _, q := range t.Queues {
		faults = append(faults, checkName("the queue", q.Name))
		q.Arguments = normal("the queue "+shown(q.Name), q.Arguments)
		checked.Queues = append(checked.Queues, q)
	}
	for _, b := range t.Bindings {
		faults = append(faults, checkName("the queue of a binding", b.Queue),
			checkName("the exchange of a binding", b.Exchange), wire.CheckShort("the key of a binding", b.Key))
		b.Arguments = normal("the binding of "+shown(b.Queue), b.Arguments)
		checked.Bindings = append(checked.Bindings, b)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("declare: %w", err)
	}
	return checked, nil
}

// checkKind checks the type of an exchange that is declared: RabbitMQ closes the connection over one that it lacks.
func checkKind(x topology.Exchange) error {
	switch x.Kind {
	case topology.Direct, topology.Fanout, topology.Topic, topology.Headers:
		return nil
	}
	if x.External {
		return nil
	}
	return fmt.Errorf("the exchange %s is of the type %q: say direct, fanout, topic or headers", shown(x.Name), x.Kind)
}

// checkName checks the name of an exchange or queue, which AMQP reads as "the last one" where it is empty.
func checkName(what, name string) error {
	if name == "" {
		return errors.New(what + " has no name")
	}
	return wire.CheckShort(what, name)
}

// shown cuts a name that is too long to be shown whole.
func shown(name string) string {
	if len(name) > wire.MaxShort {
		return name[:40] + "…"
	}
	return name
}
