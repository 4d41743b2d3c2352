package acemq_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/topology"
)

type tenantKey struct{}

// The tenant of a request goes out with its messages, and comes into the context of their handlers. What has none does
// not go out.
func ExampleConn_Intercept() {
	ctx := context.Background()
	conn, err := acemq.Dial(ctx, "memory://tenants", acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close(ctx)
	if err := conn.Declare(ctx, topology.New().Queue("billing.orders")); err != nil {
		fmt.Println(err)
		return
	}

	conn.Intercept(acemq.Interceptor{
		Name: "tenant",
		BeforePublish: func(ctx context.Context, m *acemq.PublishedMessage) (context.Context, error) {
			tenant, found := ctx.Value(tenantKey{}).(string)
			if !found {
				return ctx, errors.New("no tenant")
			}
			m.Headers["x-tenant"] = tenant
			return ctx, nil
		},
		BeforeHandle: func(ctx context.Context, m *acemq.Message[[]byte]) (context.Context, error) {
			return context.WithValue(ctx, tenantKey{}, m.Header("x-tenant")), nil
		},
	})

	handled := make(chan string)
	_, err = acemq.Consume(ctx, conn, acemq.Queue{Name: "billing.orders"},
		func(ctx context.Context, m *acemq.Message[OrderPlaced]) acemq.Ack {
			handled <- fmt.Sprintf("%s of %v", m.Payload.ID, ctx.Value(tenantKey{}))
			return acemq.Accept()
		})
	if err != nil {
		fmt.Println(err)
		return
	}

	orders := acemq.NewPublisher(conn, acemq.Route[OrderPlaced]{Key: "billing.orders", Type: "order.placed", Version: 1})
	err = orders.Publish(context.WithValue(ctx, tenantKey{}, "acme"), OrderPlaced{ID: "o-1"})
	fmt.Println(<-handled, err)

	var refused *acemq.InterceptorError
	fmt.Println(errors.As(orders.Publish(ctx, OrderPlaced{ID: "o-2"}), &refused), refused)
	// Output:
	// o-1 of acme <nil>
	// true the interceptor "tenant" refused it: no tenant
}
