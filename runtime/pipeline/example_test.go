package pipeline_test

import (
	"context"
	"fmt"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/pipeline"
)

type Order struct{ ID string }

type PricedOrder struct {
	ID    string
	Cents int
}

// A step that fails for good, the message in its dead-letter queue, and the way on from there. Generated code does the
// same with a method for each step.
func ExampleResume() {
	ctx := context.Background()
	conn, err := acemq.Dial(ctx, "memory://example-pipeline")
	if err != nil {
		panic(err)
	}
	defer conn.Close(ctx)

	orders := &pipeline.Declaration{Name: "orders", Type: "order", Version: 1, Steps: []pipeline.Step{
		{Name: "price", Queue: acemq.Queue{Retry: acemq.NoRetry()}},
		{Name: "ship", Queue: acemq.Queue{Retry: acemq.NoRetry()}},
	}}
	address := "" // until somebody mends it
	failed, shipped := make(chan struct{}, 1), make(chan struct{})
	price := func(_ context.Context, m *acemq.Message[Order]) (PricedOrder, error) {
		fmt.Println("priced", m.Payload.ID)
		return PricedOrder{m.Payload.ID, 1999}, nil
	}
	ship := func(_ context.Context, m *acemq.Message[PricedOrder]) error {
		if address == "" {
			failed <- struct{}{}
			return fmt.Errorf("order %s has no address", m.Payload.ID)
		}
		fmt.Println("shipped", m.Payload.ID, "for", m.Payload.Cents)
		close(shipped)
		return nil
	}
	p, err := pipeline.Run[Order](ctx, conn, orders, []pipeline.Handler{
		pipeline.On("price", price),
		pipeline.OnSink("ship", ship),
	})
	if err != nil {
		panic(err)
	}
	if err := p.Send(ctx, Order{"4711"}); err != nil {
		panic(err)
	}

	<-failed
	address = "1 Canal Street"
	stuck := await(ctx, conn, p.QueueFor("ship")+".dlq")
	fmt.Println(stuck.Envelope.Error)
	if err := pipeline.Resume(ctx, p, "ship", stuck.Payload, stuck.WireHeaders()); err != nil {
		panic(err)
	}
	if err := stuck.Accept(ctx); err != nil {
		panic(err)
	}
	<-shipped
	// Output:
	// priced 4711
	// exhausted 1 attempt: order 4711 has no address
	// shipped 4711 for 1999
}

// await pulls a message once there is one.
func await(ctx context.Context, conn *acemq.Conn, queue string) *acemq.Pulled[PricedOrder] {
	for {
		m, err := acemq.Pull[PricedOrder](ctx, conn, queue)
		if err != nil {
			panic(err)
		}
		if m != nil {
			return m
		}
		time.Sleep(time.Millisecond)
	}
}
