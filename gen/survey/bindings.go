package survey

import (
	"context"

	"github.com/acemq/acemq-gen/gen/plan"
	"github.com/acemq/acemq-gen/runtime/topology"
)

// bindings answers for the bindings of a topology: from the management API where there is one, and otherwise from their
// ends, for a binding of what is not there is not there either.
func bindings(ctx context.Context, management string, t *topology.Topology, found plan.Found) ([]plan.Answer, error) {
	var listed map[listedBinding]bool
	if management != "" {
		var err error
		if listed, err = list(ctx, management, found.VHost); err != nil {
			return nil, err
		}
	}
	missing := missingEnds(t, found)
	answers := make([]plan.Answer, len(t.Bindings))
	for i, b := range t.Bindings {
		switch {
		case listed[listedBinding{b.Exchange, b.Queue, b.Key}]:
			answers[i].Standing = plan.Same
		case listed != nil || missing["exchange "+b.Exchange] || missing["queue "+b.Queue]:
			answers[i].Standing = plan.Missing
		}
	}
	return answers, nil
}

// missingEnds returns the exchanges and queues that are not there.
func missingEnds(t *topology.Topology, found plan.Found) map[string]bool {
	gone := map[plan.Standing]bool{plan.Missing: true, plan.Absent: true}
	missing := make(map[string]bool)
	for i, e := range t.Exchanges {
		missing["exchange "+e.Name] = gone[found.Exchanges[i].Standing]
	}
	for i, q := range t.Queues {
		missing["queue "+q.Name] = gone[found.Queues[i].Standing]
	}
	return missing
}
