package replay_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/replay"
	"github.com/acemq/acemq-gen/runtime/topology"
)

// Orders that could not be charged are charged once the payments are back.
func Example() {
	ctx := context.Background()
	conn, err := acemq.Dial(ctx, "memory://replay-example")
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close(ctx)
	if err := conn.Declare(ctx, topology.New().Queue("billing.orders")); err != nil {
		log.Fatal(err)
	}

	queue := acemq.Queue{Name: "billing.orders"}
	publisher := acemq.NewPublisher(conn, acemq.Route[order]{Key: queue.Name, Type: "order.placed"})
	if err := publisher.Publish(ctx, order{ID: "1", Region: "eu"}); err != nil {
		log.Fatal(err)
	}

	failed := make(chan string)
	broken, err := acemq.Consume(ctx, conn, queue, func(_ context.Context, m *acemq.Message[order]) acemq.Ack {
		failed <- m.Payload.ID
		return acemq.DeadLetter(errors.New("payments are down"))
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("not charged: order", <-failed)
	if err := broken.Close(ctx); err != nil { // what it has taken is in billing.orders.dlq then
		log.Fatal(err)
	}

	result, err := replay.Typed[order](conn, "billing.orders.dlq").Where(fromEU).All(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("replayed:", result.Moved, result.Stopped)

	charged := make(chan string)
	_, err = acemq.Consume(ctx, conn, queue, func(_ context.Context, m *acemq.Message[order]) acemq.Ack {
		charged <- m.Payload.ID + ", out of " + m.Header("acemq-replayed-from")
		return acemq.Accept()
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("charged: order", <-charged)
	// Output:
	// not charged: order 1
	// replayed: 1 drained
	// charged: order 1, out of billing.orders.dlq
}
