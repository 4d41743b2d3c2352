package ordered

import (
	"context"
	"errors"
	"testing"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/idempotency"
)

// What an interceptor refuses is dead-lettered at once, whatever a failure does, and what is behind it goes on.
func TestInterceptorRefuses(t *testing.T) {
	for _, ledger := range []Declaration{
		{Name: "ledger", Partitions: 1},
		{Name: "ledger", Partitions: 1, OnFailure: RetryInPlace, Attempts: 3, Delay: time.Second},
		{Name: "ledger", Partitions: 1, OnFailure: Skip, Attempts: 3, Idempotent: time.Minute},
	} {
		bubble(t, ledger, func(r *rig) {
			var handled []int
			var failed []string
			r.conn.Intercept(acemq.Interceptor{
				BeforeHandle: func(ctx context.Context, m *acemq.Message[[]byte]) (context.Context, error) {
					if string(m.Payload) == `{"account":"a","number":2}` {
						return ctx, acemq.Fatal(errors.New("the account is closed"))
					}
					return ctx, nil
				},
				HandleFailed: func(_ context.Context, _ *acemq.Message[[]byte], err error) error {
					failed = append(failed, err.Error())
					return nil
				},
			})
			r.send("a", 1, 3)
			var opts []Option
			if ledger.Idempotent > 0 {
				opts = append(opts, WithIdempotency(idempotency.NewMemory()))
			}
			c := r.consume(r.conn, func(_ context.Context, m *acemq.Message[entry]) error {
				if handled = append(handled, m.Payload.Number); len(handled) == 2 {
					return errors.New("busy")
				}
				return nil
			}, opts...)
			r.sleep(time.Minute)
			wantList(r, "the entries that were handled", handled, []int{1, 3, 3})
			wantList(r, "the failures that were told of", failed, []string{"busy"})
			wantList(r, "the reasons", r.reasons("ledger.0.dlq"), []string{"an interceptor refused it: the account is closed"})
			r.wantHalted(c)
		})
	}
}
