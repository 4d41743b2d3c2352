package pipeline

import (
	"context"
	"fmt"
	"slices"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/internal/route"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// runner is what the steps of one pipeline in one process share.
type runner struct {
	conn        *acemq.Conn
	declaration *Declaration
	routes      route.Map
	fault       error // what is wrong with the declaration
	tally       tally
}

func newRunner(conn *acemq.Conn, d *Declaration) *runner {
	routes := d.routes()
	return &runner{conn: conn, declaration: d, routes: routes, fault: routes.Check()}
}

// slip returns the slip of a run over all steps.
func (r *runner) slip() (wire.Slip, error) {
	return route.NewSlip(r.declaration.WriteAs, r.routes.Places)
}

// absent returns the slip of a message that is at a step without one: that of a run over all steps, which has come
// there. What is behind is not known, so an itinerary begins at the step.
func (r *runner) absent(at route.Place) (wire.Slip, error) {
	places := r.routes.Places
	if r.declaration.WriteAs == wire.FormItinerary {
		places = places[slices.Index(places, at):]
	}
	return route.NewSlip(r.declaration.WriteAs, places)
}

// follow starts the consumer of a step.
func follow[In, Out any](ctx context.Context, r *runner, f route.Follower[In, Out], step string,
	opts []acemq.ConsumeOption) (*acemq.Consumer, error) {
	place, err := r.routes.Place(step)
	if err != nil {
		return nil, err
	}
	f.Conn, f.Owner, f.Map, f.Place = r.conn, r.declaration.Name, r.routes, place
	f.Absent, f.Outcome = r.absent, r.tally.leave
	handler := func(ctx context.Context, m *acemq.Message[In]) acemq.Ack {
		defer r.tally.hold()()
		return f.Handle(ctx, m)
	}
	return acemq.Consume(ctx, r.conn, place.Queue, handler, opts...)
}

// check says whether the handlers are steps of the declaration, each once.
func (r *runner) check(handlers []Handler) error {
	if r.fault != nil {
		return r.fault
	}
	seen := make(map[string]bool)
	for _, h := range handlers {
		switch _, err := r.routes.Place(h.step); {
		case err != nil:
			return err
		case h.start == nil:
			return fmt.Errorf("step %q: the function is nil", h.step)
		case seen[h.step]:
			return fmt.Errorf("step %q has two functions", h.step)
		}
		seen[h.step] = true
	}
	return nil
}
