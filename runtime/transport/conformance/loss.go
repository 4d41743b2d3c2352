package conformance

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
)

var lossCases = []testCase{
	{"a lost connection gives back what is unsettled, and its consumers come back", consumersComeBack},
	{"what was declared is declared again after a loss", declaredAgain},
	{"publishing goes on after a loss and nothing confirmed is lost", publishThroughLoss},
	{"a publish waits for a connection no longer than its context", publishWhileDown},
}

func consumersComeBack(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "1", "2", "3", "4")
	b := r.open()
	c := r.consume(b, queue, 3)
	taken := r.takeIDs(c, "1", "2")
	r.Cut(r.T, b)
	r.eventually("the deliveries to be lost", func() bool { return !taken[0].Live() && !taken[1].Live() })
	wantIs(r, taken[0].Ack(), transport.ErrLost)
	wantIs(r, taken[1].Nack(true), transport.ErrLost)
	for _, want := range []string{"1", "2", "3"} {
		d := r.live(c)
		if d.MessageID != want || !d.Redelivered {
			r.Errorf("delivered %q (redelivered %v), want %q again", d.MessageID, d.Redelivered, want)
		}
		defer r.ack(d)
	}
	r.none(c)
}

// live takes the next delivery that can be settled: one that was fetched before a loss may still come.
func (r *rig) live(c transport.Consumer) *transport.Delivery {
	r.Helper()
	for {
		if d := r.take(c); d.Live() {
			return d
		}
	}
}

func declaredAgain(r *rig) {
	b := r.open()
	queue, exchange := r.name("q"), r.name("x")
	t := topology.Topology{
		Exchanges: []topology.Exchange{{Name: exchange, Kind: topology.Direct}},
		Queues:    []topology.Queue{{Name: queue}},
		Bindings:  []topology.Binding{{Queue: queue, Exchange: exchange, Key: "k"}},
	}
	r.forget(t)
	if err := b.Declare(r.within(), &t); err != nil {
		r.Fatalf("declare: %v", err)
	}
	r.DeleteQueue(r.T, queue)
	r.DeleteExchange(r.T, exchange)
	r.Cut(r.T, b)
	r.eventually("the route to be back", func() bool {
		return r.outcome(r.open(), transport.Message{Exchange: exchange, Key: "k", MessageID: "m", FromData: true}) == nil
	})
	r.contents(queue, "m")
}

func publishThroughLoss(r *rig) {
	const count = 400
	queue, b := r.queue("q", nil), r.open()
	confirmed := map[string]bool{}
	for n := range count {
		if n == count/2 {
			r.Cut(r.T, b)
		}
		id := fmt.Sprint(n)
		err := r.outcome(b, to(queue, id))
		unknown, refused := (*transport.UnknownError)(nil), (*transport.RefusedError)(nil)
		switch {
		case err == nil:
			confirmed[id] = true
		case !errors.As(err, &unknown) && !errors.As(err, &refused):
			r.Errorf("publish %d: %v (%[2]T), want it confirmed, refused or unknown", n, err)
		}
	}
	if len(confirmed) < count-10 {
		r.Errorf("%d of %d were confirmed: too many were given up", len(confirmed), count)
	}
	r.eventually("the queue to hold what was confirmed", func() bool {
		state, err := r.broker.Inspect(r.within(), queue)
		return err == nil && state.Ready >= len(confirmed)
	})
	c := r.consume(r.broker, queue, 100)
	for len(confirmed) > 0 {
		d := r.take(c)
		delete(confirmed, d.MessageID)
		r.ack(d)
	}
}

func publishWhileDown(r *rig) {
	queue, b := r.queue("q", nil), r.open()
	if err := r.outcome(b, to(queue, "before")); err != nil {
		r.Fatalf("publish: %v", err)
	}
	r.Cut(r.T, b)
	r.eventually("the loss to be seen", func() bool { return !b.State().Up })
	ctx, cancel := context.WithTimeout(r.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := b.Publish(ctx, to(queue, "during"))
	wantAs[*transport.RefusedError](r, err)
	wantIs(r, err, context.DeadlineExceeded)
	if reason := b.State().Reason; reason == "" {
		r.Error("the state does not say why the connection is down")
	}
	if err := r.outcome(b, to(queue, "after")); err != nil {
		r.Errorf("publish while the connection is made again: %v", err)
	}
	r.eventually("the connection to be up", func() bool { return b.State().Up })
	r.contents(queue, "before", "after")
}
