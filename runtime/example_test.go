package acemq_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/idempotency"
	"github.com/acemq/acemq-gen/runtime/topology"
)

type OrderPlaced struct {
	ID    string `json:"id"`
	Total int64  `json:"totalCents"`
}

var errBusy = errors.New("payments are busy")

// Messages are published to a queue and consumed from it: one is done, one is retried, and one is given up.
func Example() {
	ctx := context.Background()
	conn, err := acemq.Dial(ctx, "memory://example", acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close(ctx)

	queue := acemq.Queue{Name: "billing.orders", Retry: acemq.Fixed(3, 10*time.Millisecond), Concurrency: 1}
	if err := conn.Declare(ctx, topology.New().Queue(queue.Name, topology.Retry(queue.Retry))); err != nil {
		fmt.Println(err)
		return
	}

	done := make(chan struct{}, 3)
	consumer, err := acemq.Consume(ctx, conn, queue, func(_ context.Context, m *acemq.Message[OrderPlaced]) acemq.Ack {
		switch {
		case m.Payload.Total < 0:
			done <- struct{}{}
			return acemq.DeadLetter(errors.New("the total is negative"))
		case m.Payload.ID == "o-2" && m.IsFirstAttempt():
			return acemq.Retry(errBusy)
		}
		fmt.Println("charged", m.Payload.ID, "at attempt", m.Attempt())
		done <- struct{}{}
		return acemq.Accept()
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	orders := acemq.NewPublisher(conn, acemq.Route[OrderPlaced]{Key: queue.Name, Type: "order.placed", Version: 1})
	if err := orders.PublishAll(ctx, []OrderPlaced{{"o-1", 1200}, {"o-2", 900}, {"o-3", -1}}); err != nil {
		fmt.Println(err)
		return
	}
	for range 3 {
		<-done
	}
	if err := consumer.Close(ctx); err != nil {
		fmt.Println(err)
		return
	}
	counts := consumer.Counts()
	fmt.Println("accepted", counts.Accepted, "retried", counts.Retried, "rejected", counts.Rejected)
	// Output:
	// charged o-1 at attempt 1
	// charged o-2 at attempt 2
	// accepted 2 retried 1 rejected 1
}

// A function that only returns an error is a handler as well. The mark of Fatal is found through wrapping.
func ExampleHandle() {
	charge := acemq.Handle(func(_ context.Context, m *acemq.Message[OrderPlaced]) error {
		switch {
		case m.Payload.ID == "":
			return fmt.Errorf("charge: %w", acemq.Fatal(errors.New("the order has no id")))
		case m.Payload.Total > 1000:
			return errBusy
		}
		return nil
	})
	for _, order := range []OrderPlaced{{"o-1", 10}, {"o-2", 5000}, {"", 10}} {
		fmt.Println(charge(context.Background(), &acemq.Message[OrderPlaced]{Payload: order}))
	}
	// Output:
	// accept
	// retry: payments are busy
	// retry: charge: the order has no id
}

func ExampleDispatch() {
	ctx := context.Background()
	conn, err := acemq.Dial(ctx, "memory://dispatch")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close(ctx)
	if err := conn.Declare(ctx, topology.New().Queue("audit")); err != nil {
		fmt.Println(err)
		return
	}

	seen := make(chan string, 1)
	_, err = acemq.Dispatch(ctx, conn, acemq.Queue{Name: "audit"}, []acemq.Case{
		acemq.On("order.placed", 1, func(_ context.Context, m *acemq.Message[OrderPlaced]) acemq.Ack {
			seen <- "placed " + m.Payload.ID
			return acemq.Accept()
		}),
		acemq.On("order.cancelled", 1, func(_ context.Context, m *acemq.Message[string]) acemq.Ack {
			seen <- "cancelled " + m.Payload
			return acemq.Accept()
		}),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	cancelled := acemq.NewPublisher(conn, acemq.Route[string]{Key: "audit", Type: "order.cancelled", Version: 1})
	if err := cancelled.Publish(ctx, "o-7"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(<-seen)
	// Output: cancelled o-7
}

// A message that comes twice is charged once.
func ExampleWithIdempotency() {
	ctx := context.Background()
	conn, err := acemq.Dial(ctx, "memory://once")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close(ctx)
	if err := conn.Declare(ctx, topology.New().Queue("billing.orders")); err != nil {
		fmt.Println(err)
		return
	}

	charge := func(_ context.Context, m *acemq.Message[OrderPlaced]) acemq.Ack {
		fmt.Println("charged", m.Payload.ID)
		return acemq.Accept()
	}
	store := idempotency.NewMemory(idempotency.Age(time.Hour)) // a service that runs twice shares one in its database
	queue := acemq.Queue{Name: "billing.orders", Concurrency: 1}
	consumer, err := acemq.Consume(ctx, conn, queue, charge, acemq.WithIdempotency(store))
	if err != nil {
		fmt.Println(err)
		return
	}

	orders := acemq.NewPublisher(conn, acemq.Route[OrderPlaced]{Key: "billing.orders", Type: "order.placed", Version: 1})
	for range 2 { // as after an answer that was lost
		if err := orders.Publish(ctx, OrderPlaced{"o-1", 1200}, acemq.WithID("id-1")); err != nil {
			fmt.Println(err)
			return
		}
	}
	for consumer.Counts().Duplicates == 0 {
		time.Sleep(time.Millisecond)
	}
	fmt.Println("accepted", consumer.Counts().Accepted)
	// Output:
	// charged o-1
	// accepted 1
}

// A message that was dead-lettered goes back to its queue, as a first attempt.
func ExamplePull() {
	ctx := context.Background()
	conn, err := acemq.Dial(ctx, "memory://pull", acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close(ctx)
	if err := deadLetterOne(ctx, conn); err != nil {
		fmt.Println(err)
		return
	}

	stuck, err := acemq.Pull[OrderPlaced](ctx, conn, "billing.orders.dlq")
	if err != nil || stuck == nil {
		fmt.Println("nothing is stuck:", err)
		return
	}
	fmt.Println(stuck.Payload.ID, "is stuck:", stuck.Envelope.Error)
	stuck.Envelope.Attempt, stuck.Envelope.Error = 1, ""
	orders := acemq.NewPublisher(conn, acemq.Route[OrderPlaced]{Key: "billing.orders"})
	err = orders.Publish(ctx, stuck.Payload, acemq.WithEnvelope(stuck.Envelope), acemq.WithHeaders(stuck.Headers))
	if err != nil {
		fmt.Println(err, stuck.Release(ctx))
		return
	}
	if err := stuck.Accept(ctx); err != nil {
		fmt.Println(err)
		return
	}
	state, err := conn.Inspect(ctx, "billing.orders")
	fmt.Println(state.Ready, "waits for billing", err)
	// Output:
	// o-1 is stuck: the handler rejected it: payments are busy
	// 1 waits for billing <nil>
}

// deadLetterOne leaves one order in billing.orders.dlq.
func deadLetterOne(ctx context.Context, conn *acemq.Conn) error {
	if err := conn.Declare(ctx, topology.New().Queue("billing.orders")); err != nil {
		return err
	}
	done := make(chan struct{})
	consumer, err := acemq.Consume(ctx, conn, acemq.Queue{Name: "billing.orders"},
		func(context.Context, *acemq.Message[OrderPlaced]) acemq.Ack {
			close(done)
			return acemq.DeadLetter(errBusy)
		})
	if err != nil {
		return err
	}
	orders := acemq.NewPublisher(conn, acemq.Route[OrderPlaced]{Key: "billing.orders", Type: "order.placed", Version: 1})
	if err := orders.Publish(ctx, OrderPlaced{"o-1", 1200}); err != nil {
		return err
	}
	<-done
	return consumer.Close(ctx)
}
