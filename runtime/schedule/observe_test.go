package schedule_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/schedule"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
)

// intercept opens a connection whose interceptor stamps a message with a tenant, and refuses that of id "refused". What
// interceptor and observer saw is in the list that is returned, each once.
func (r *rig) intercept() (conn *acemq.Conn, seen func() []string) {
	r.Helper()
	var mu sync.Mutex
	var lines []string
	note := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, fmt.Sprintf(format, args...))
	}
	interceptor := acemq.Interceptor{
		BeforePublish: func(ctx context.Context, m *acemq.PublishedMessage) (context.Context, error) {
			note("before %s %s %s %s", m.Envelope.ID, m.Envelope.Type, m.Exchange(), m.RoutingKey())
			if m.Envelope.ID == "refused" {
				return ctx, errors.New("not in this country")
			}
			m.Headers["x-tenant"] = "acme"
			m.Envelope.Claim = "s3://bucket/1"
			return ctx, nil
		},
		AfterConfirm: func(_ context.Context, m *acemq.PublishedMessage) error {
			note("after %s", m.Envelope.ID)
			return nil
		},
	}
	observer := acemq.ObserverFunc(func(_ context.Context, e acemq.Event) {
		switch e.Name {
		case acemq.EventSchedule, acemq.EventMoveFailed, acemq.EventForeignSchedule:
			note("%s %s %s %s", e.Name, e.ID, e.Exchange, e.RoutingKey)
		}
	})
	conn, err := acemq.Dial(r.Context(), r.url, acemq.WithInterceptor(interceptor), acemq.WithObserver(observer))
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() {
		if err := conn.Close(context.Background()); err != nil {
			r.Error(err)
		}
	})
	return conn, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(lines)
	}
}

// Interceptors see a message as it is scheduled, once and as it will be delivered; what they change is delivered.
// Observers hear of its delivery.
func TestIntercept(t *testing.T) {
	for _, wait := range []time.Duration{0, time.Second, 3 * time.Hour} {
		bubble(t, func(r *rig) {
			conn, seen := r.intercept()
			r.run(conn)
			publisher := acemq.NewPublisher(conn, route)
			if err := schedule.After(r.Context(), publisher, wait, invoice{"1"}, acemq.WithID("1")); err != nil {
				r.Fatal(err)
			}
			r.sleep(4 * time.Hour)
			want := []string{"before 1 invoice.due billing invoice.due", "after 1", "acemq.schedule 1 billing invoice.due"}
			got := seen()
			if wait == 0 { // the delivery is the publish
				slices.Sort(got)
				slices.Sort(want)
			}
			if !slices.Equal(got, want) {
				r.Errorf("after %v: seen %q, want %q", wait, got, want)
			}
			delivered := r.server.Peek(inbox)
			if len(delivered) != 1 || delivered[0].Headers["x-tenant"] != "acme" ||
				delivered[0].Headers["x-acemq-claim"] != "s3://bucket/1" {
				r.Errorf("after %v: delivered %v", wait, delivered)
			}
		})
	}
}

func TestInterceptorRefuses(t *testing.T) {
	bubble(t, func(r *rig) {
		conn, seen := r.intercept()
		publisher := acemq.NewPublisher(conn, route)
		err := schedule.After(r.Context(), publisher, time.Hour, invoice{"1"}, acemq.WithID("refused"))
		refused, by := new(acemq.RefusedError), new(acemq.InterceptorError)
		if !errors.As(err, &refused) || !errors.As(err, &by) || refused.Exchange != billing {
			r.Errorf("the outcome is %v", err)
		}
		if want := []string{"before refused invoice.due billing invoice.due"}; !slices.Equal(seen(), want) {
			r.Errorf("seen %q, want %q", seen(), want)
		}
	})
}

func TestObserveWhatIsNotMoved(t *testing.T) {
	bubble(t, func(r *rig) {
		conn, seen := r.intercept()
		r.run(conn)
		publisher := acemq.NewPublisher(conn, acemq.Route[invoice]{Key: "late", Type: "invoice.due"})
		if err := schedule.After(r.Context(), publisher, time.Second, invoice{"1"}, acemq.WithID("1")); err != nil {
			r.Fatal(err)
		}
		r.put(transport.Message{Key: "acemq.schedule.due", MessageID: "foreign", Body: []byte("?")})
		r.sleep(3 * time.Second)
		if err := r.conn.Declare(r.Context(), topology.New().Queue("late")); err != nil {
			r.Fatal(err)
		}
		r.sleep(time.Minute)
		want := []string{"before 1 invoice.due  late", "after 1", "acemq.schedule.foreign.message foreign  ",
			"acemq.move.failed 1  late", "acemq.schedule 1  late"}
		if got := seen(); !slices.Equal(got, want) {
			r.Errorf("seen %q, want %q", got, want)
		}
	})
}
