package request

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// Observers hear of each call once, with its outcome and how long it took.
func TestObservers(t *testing.T) {
	bubble(t, func(r *rig) {
		var mu sync.Mutex
		var heard []acemq.Event
		observer := acemq.ObserverFunc(func(_ context.Context, e acemq.Event) {
			mu.Lock()
			defer mu.Unlock()
			if e.Name == EventRequest {
				heard = append(heard, e)
			}
		})
		conn, err := acemq.Dial(r.Context(), "memory://"+r.name, acemq.WithObserver(observer), acemq.WithLogger(slog.New(slog.DiscardHandler)))
		if err != nil {
			r.Fatal(err)
		}
		defer conn.Close(context.Background())
		s := r.serve(oracle(), func(ctx context.Context, m *acemq.Message[question]) (answer, error) {
			time.Sleep(time.Second)
			if m.Payload.Text == "" {
				return answer{}, errBusy
			}
			return echo(ctx, m)
		})
		client := NewClient(conn, oracle())
		client.Call(r.Context(), question{"why?"}, acemq.WithID("1"))
		client.Call(r.Context(), question{}, acemq.WithID("2"))
		if err := s.Close(r.Context()); err != nil {
			r.Fatal(err)
		}
		_, err = client.Call(r.Context(), question{"why?"}, acemq.WithID("3"))
		for i, want := range []acemq.Event{
			{ID: "1", Outcome: OutcomeAnswered, Duration: time.Second},
			{ID: "2", Outcome: acemq.OutcomeFailed, Duration: time.Second},
			{ID: "3", Outcome: OutcomeTimedOut, Duration: DefaultTimeout, Err: err},
		} {
			if i >= len(heard) {
				r.Fatalf("heard of %d calls", len(heard))
			}
			want.Name, want.RoutingKey, want.Type, want.Correlation = EventRequest, questions, "question.asked", want.ID
			got := heard[i]
			if i == 1 {
				wantAs[*FailedError](r, got.Err)
				got.Err = nil
			}
			wantEqual(r, "the event", got, want)
		}
		wantEqual(r, "the number of events", len(heard), 3)
	})
}
