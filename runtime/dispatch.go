package acemq

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Case is what a dispatcher does with messages of one type and version. Make it with [On].
type Case struct {
	kind    string
	version int
	process processor // nil where the handler is
}

// On hands messages of a logical type and a version to handler.
func On[T any](kind string, version int, handler Handler[T]) Case {
	c := Case{kind: kind, version: version}
	if handler != nil {
		c.process = decodeAs(handler)
	}
	return c
}

func (c Case) String() string { return fmt.Sprintf("%s version %d", c.kind, c.version) }

// Dispatch starts a consumer of queue, as [Consume] does, that hands each message to the case of its type and version.
// A version that no case names goes to the newest case of its type, and a type that no case names is parked.
func Dispatch(ctx context.Context, conn *Conn, queue Queue, cases []Case, opts ...ConsumeOption) (*Consumer, error) {
	table, err := newDispatcher(cases)
	if err != nil {
		return nil, startError(queue, err)
	}
	return start(ctx, conn, queue, table.process, opts)
}

// dispatcher is the cases by type, the newest version first.
type dispatcher map[string][]Case

func newDispatcher(cases []Case) (dispatcher, error) {
	if len(cases) == 0 {
		return nil, errors.New("a dispatcher without a case takes nothing: add one with On")
	}
	d := make(dispatcher)
	for _, c := range cases {
		switch {
		case c.kind == "" || c.version < 1:
			return nil, fmt.Errorf("the case %v: say a type, and a version from 1", c)
		case c.process == nil:
			return nil, fmt.Errorf("the handler of the case %v is nil", c)
		case slices.ContainsFunc(d[c.kind], func(other Case) bool { return other.version == c.version }):
			return nil, fmt.Errorf("the case %v is there twice", c)
		}
		d[c.kind] = append(d[c.kind], c)
	}
	for _, versions := range d {
		slices.SortFunc(versions, func(a, b Case) int { return b.version - a.version })
	}
	return d, nil
}

// process hands a delivery to its case.
func (d dispatcher) process(ctx context.Context, in *incoming) Ack {
	versions := d[in.envelope.Type]
	if len(versions) == 0 {
		return undecodable(fmt.Errorf("no case takes the type %q: the cases are %s", in.envelope.Type, d))
	}
	for _, c := range versions {
		if c.version == in.envelope.Version {
			return c.process(ctx, in)
		}
	}
	return versions[0].process(ctx, in)
}

// String lists the cases in order.
func (d dispatcher) String() string {
	var names []string
	for _, versions := range d {
		for _, c := range versions {
			names = append(names, c.String())
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
