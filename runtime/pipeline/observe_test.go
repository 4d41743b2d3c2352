package pipeline

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Observers hear of each hop and of the end of each run, and interceptors see what is sent in and each hop once.
func TestObserve(t *testing.T) {
	for _, form := range []wire.Form{wire.FormDeclared, wire.FormItinerary} {
		t.Run(form.String(), func(t *testing.T) {
			bubble(t, func(r *rig) {
				var mu sync.Mutex
				var events, published []string
				observer := acemq.ObserverFunc(func(_ context.Context, e acemq.Event) {
					mu.Lock()
					defer mu.Unlock()
					switch e.Name {
					case acemq.EventHop:
						events = append(events, fmt.Sprintf("%s of %s to %s: %s %s", e.ID, e.Pipeline, e.Step, e.Exchange,
							e.RoutingKey))
					case acemq.EventRun:
						events = append(events, fmt.Sprintf("%s of %s at %s: %s", e.ID, e.Pipeline, e.Step, e.Outcome))
						for _, m := range e.Metrics() {
							events = append(events, fmt.Sprint(m.Name, " ", m.Value, m.Tags))
						}
					}
				})
				interceptor := acemq.Interceptor{
					BeforePublish: func(ctx context.Context, m *acemq.PublishedMessage) (context.Context, error) {
						mu.Lock()
						defer mu.Unlock()
						published = append(published, m.RoutingKey())
						return ctx, nil
					},
				}
				conn, err := acemq.Dial(r.Context(), "memory://"+r.name, acemq.WithObserver(observer),
					acemq.WithInterceptor(interceptor))
				if err != nil {
					r.Fatal(err)
				}
				defer conn.Close(context.Background())
				r.conn = conn
				r.steps.fails("price", "1", errBusy)
				r.steps.fails("validate", "2", End)
				p := r.run(fulfilment(form))
				for _, id := range []string{"1", "2"} {
					if err := p.Send(r.Context(), order{id}, acemq.WithID(id)); err != nil {
						r.Fatal(err)
					}
					time.Sleep(time.Hour)
				}
				mu.Lock()
				defer mu.Unlock()
				want := []string{
					"1 of orders to price: orders price",
					"1 of orders to ship: orders ship",
					"1 of orders at ship: completed",
					"acemq.pipeline.run.total 1 [{pipeline orders} {step ship} {outcome completed}]",
					"acemq.pipeline.run.duration 60 [{pipeline orders} {step ship} {outcome completed}]",
					"2 of orders at validate: ended_early",
					"acemq.pipeline.run.total 1 [{pipeline orders} {step validate} {outcome ended_early}]",
					"acemq.pipeline.run.duration 0 [{pipeline orders} {step validate} {outcome ended_early}]",
				}
				slices.Sort(want)
				slices.Sort(events) // the next step may be quicker than the news of the hop
				if !slices.Equal(events, want) {
					r.Errorf("observed %q,\nwant %q", events, want)
				}
				if want := []string{"validate", "price", "ship", "validate"}; !slices.Equal(published, want) {
					r.Errorf("intercepted %q, want %q", published, want)
				}
			})
		})
	}
}
