package ordered

import (
	"context"
	"errors"
	"testing"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
)

func TestCloseWaitsForTheHandler(t *testing.T) {
	for name, closing := range map[string]func(r *rig, c *Consumer) error{
		"the consumer":   func(r *rig, c *Consumer) error { return c.Close(r.Context()) },
		"the connection": func(r *rig, c *Consumer) error { return r.conn.Close(r.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, one, func(r *rig) {
				r.send("acct-7", 1, 2)
				l := failing(nil)
				c := r.consume(r.conn, func(ctx context.Context, m *acemq.Message[entry]) error {
					time.Sleep(5 * time.Second)
					return l.handle(ctx, m)
				})
				r.sleep(time.Second)
				if err := closing(r, c); err != nil {
					r.Error(err)
				}
				wantList(r, "the times", l.times, []time.Duration{5 * time.Second})
				r.wantCounts(c, Counts{Handled: 1})
				r.depth("ledger.0", 1, 0)
			})
		})
	}
}

// A handler that fails while its consumer stops is not tried again here, whatever the mode says.
func TestStopEndsTheAttempts(t *testing.T) {
	for _, mode := range []FailureMode{Halt, RetryInPlace, Skip} {
		t.Run(mode.String(), func(t *testing.T) {
			bubble(t, with(mode, 1, time.Second), func(r *rig) {
				r.send("acct-7", 1, 1)
				c := r.consume(r.conn, func(context.Context, *acemq.Message[entry]) error {
					time.Sleep(5 * time.Second)
					return errBusy
				})
				r.sleep(time.Second)
				if err := c.Close(r.Context()); err != nil {
					r.Error(err)
				}
				r.wantCounts(c, Counts{})
				r.depth("ledger.0", 1, 0)
				r.depth("ledger.0.dlq", 0, 0)
			})
		})
	}
}

// A handler that does not return in time is cancelled, and its message goes back.
func TestCloseCutsOffTheHandler(t *testing.T) {
	for _, c := range []struct {
		name     string
		listens  bool // to its context
		stranded int
		took     time.Duration
	}{
		{"one that listens", true, 0, acemq.DefaultDrainTimeout},
		{"one that does not", false, 1, acemq.DefaultDrainTimeout + drainGrace},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, one, func(r *rig) {
				r.send("acct-7", 1, 1)
				over := make(chan struct{})
				defer close(over)
				consumer := r.consume(r.conn, func(ctx context.Context, m *acemq.Message[entry]) error {
					if c.listens {
						<-ctx.Done()
						return ctx.Err()
					}
					<-over
					return nil
				})
				r.sleep(0)
				start := time.Now()
				err := consumer.Close(r.Context())
				stranded := 0
				if late := new(acemq.DrainTimeoutError); errors.As(err, &late) {
					stranded = late.Stranded
				}
				if took := time.Since(start); stranded != c.stranded || took != c.took {
					r.Errorf("closing took %v with %d stranded (%v), want %v and %d", took, stranded, err, c.took, c.stranded)
				}
				r.depth("ledger.0", 1, 0)
			})
		})
	}
}

func TestCloseInsideAHandler(t *testing.T) {
	for name, closing := range map[string]func(ctx context.Context, r *rig, c *Consumer) error{
		"the consumer":   func(ctx context.Context, r *rig, c *Consumer) error { return c.Close(ctx) },
		"the connection": func(ctx context.Context, r *rig, c *Consumer) error { return r.conn.Close(ctx) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, one, func(r *rig) {
				r.send("acct-7", 1, 2)
				var c *Consumer
				started := make(chan struct{})
				c = r.consume(r.conn, func(ctx context.Context, m *acemq.Message[entry]) error {
					<-started
					return closing(ctx, r, c)
				})
				close(started)
				<-c.Done()
				r.depth("ledger.0", 1, 0)
				r.wantCounts(c, Counts{Handled: 1})
			})
		})
	}
}

func TestConsumeOnAClosedConnection(t *testing.T) {
	bubble(t, one, func(r *rig) {
		if err := r.conn.Close(r.Context()); err != nil {
			r.Fatal(err)
		}
		if _, err := Consume(r.Context(), r.conn, one, failing(nil).handle); err == nil {
			r.Error("a closed connection takes a consumer")
		}
	})
}
