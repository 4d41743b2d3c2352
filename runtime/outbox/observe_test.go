package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// Observers hear what became of each record, and interceptors see each that is published. What one refuses counts
// against the record, and keeps no other one.
func TestObserve(t *testing.T) {
	bubble(t, func(r *rig) {
		var mu sync.Mutex
		totals := make(map[string]float64)
		observer := acemq.ObserverFunc(func(_ context.Context, e acemq.Event) {
			mu.Lock()
			defer mu.Unlock()
			for _, m := range e.Metrics() {
				if strings.HasPrefix(m.Name, "acemq.outbox") {
					totals[fmt.Sprint(m.Name, " ", m.Tags)] += m.Value
				}
			}
		})
		var seen []string
		interceptor := acemq.Interceptor{
			BeforePublish: func(ctx context.Context, m *acemq.PublishedMessage) (context.Context, error) {
				mu.Lock()
				defer mu.Unlock()
				if m.Envelope.ID == "2" {
					return ctx, errors.New("not in this country")
				}
				seen = append(seen, m.Envelope.ID)
				return ctx, nil
			},
		}
		conn, err := acemq.Dial(r.Context(), r.url, acemq.WithObserver(observer), acemq.WithInterceptor(interceptor))
		if err != nil {
			r.Fatal(err)
		}
		defer conn.Close(context.Background())
		r.conn = conn
		r.add("", "1", "2", "3")
		time.Sleep(time.Minute) // before anybody relays
		relay := r.start()
		r.pass(24 * time.Hour)
		r.close(relay)
		r.wantPlaced("1", "3")
		r.wantRetired("2")
		if want := []string{"1", "3"}; !slices.Equal(seen, want) {
			r.Errorf("intercepted %q, want %q", seen, want)
		}
		mu.Lock()
		defer mu.Unlock()
		for name, want := range map[string]float64{
			"acemq.outbox.total [{exchange events} {routing.key placed} {outcome published}]": 2,
			"acemq.outbox.total [{exchange events} {routing.key placed} {outcome failed}]":    10,
			"acemq.outbox.lag [{exchange events} {routing.key placed}]":                       2 * 60,
		} {
			if totals[name] != want {
				r.Errorf("%s is %v, want %v", name, totals[name], want)
			}
		}
		if len(totals) != 3 {
			r.Errorf("measured %v", totals)
		}
	})
}
