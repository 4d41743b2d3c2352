package slip

import (
	"context"
	"fmt"
	"slices"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/internal/route"
)

// Plan is a route over declared stops for one message, a T. It is a value: its methods return changed copies.
// Generated code wraps it in types that offer only the stops that fit.
type Plan[T any] struct {
	declaration *Declaration
	kind        string
	version     int
	stops       []string
}

// NewPlan returns a plan without a stop. Messages set out with the logical type kind and a schema version, and keep
// them on their way.
func NewPlan[T any](d *Declaration, kind string, version int) Plan[T] {
	return Plan[T]{declaration: d, kind: kind, version: version}
}

// Then returns the plan with a stop added to its end.
func (p Plan[T]) Then(stop string) Plan[T] {
	p.stops = append(slices.Clip(p.stops), stop)
	return p
}

// Slip returns the slip of a message that sets out on the plan.
func (p Plan[T]) Slip() (Slip, error) {
	places, err := p.declaration.routes().Pick(p.stops...)
	if err == nil {
		err = checkVisits(places)
	}
	if err != nil {
		return Slip{}, err
	}
	return route.NewSlip(p.declaration.WriteAs, places)
}

// checkVisits says whether a plan comes twice to a stop that takes each message once. The message is the same all along
// its way, so that it would be taken for a duplicate there, and end.
func checkVisits(places []route.Place) error {
	seen := make(map[string]bool)
	for _, stop := range places {
		if seen[stop.Name] && stop.Queue.Idempotent > 0 {
			return fmt.Errorf("the plan comes twice to the stop %q, which is idempotent and takes a message once", stop.Name)
		}
		seen[stop.Name] = true
	}
	return nil
}

// Send sends payload to the first stop, and returns once the broker has confirmed it and put it into a queue. The
// outcomes are those of [acemq.Publisher]. A plan without a stop, and one whose slip would grow larger than
// [wire.MaxSlip], is an [*acemq.RefusedError].
func (p Plan[T]) Send(ctx context.Context, conn *acemq.Conn, payload T, opts ...acemq.PublishOption) error {
	s, err := p.Slip()
	if err != nil {
		return &acemq.RefusedError{Cause: err}
	}
	start := route.Start{Slip: s, Type: p.kind, Version: p.version}
	return route.Send(ctx, conn, p.declaration.routes(), start, payload, opts)
}
