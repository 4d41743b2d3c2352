package schedule_test

import (
	"context"
	"fmt"
	"log"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/schedule"
	"github.com/acemq/acemq-gen/runtime/topology"
)

// A reminder is sent a second from now. Generated publishers have the methods PublishAfter and PublishAt for it.
func Example() {
	ctx := context.Background()
	conn, err := acemq.Dial(ctx, "memory://schedule-example")
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close(ctx)
	if err := conn.Declare(ctx, topology.New().Queue("reminders")); err != nil {
		log.Fatal(err)
	}
	scheduler, err := schedule.Run(ctx, conn)
	if err != nil {
		log.Fatal(err)
	}
	arrived := make(chan string)
	_, err = acemq.Consume(ctx, conn, acemq.Queue{Name: "reminders"},
		func(_ context.Context, m *acemq.Message[string]) acemq.Ack {
			arrived <- m.Payload
			return acemq.Accept()
		})
	if err != nil {
		log.Fatal(err)
	}

	reminders := acemq.NewPublisher(conn, acemq.Route[string]{Key: "reminders", Type: "payment.reminder"})
	if err := schedule.After(ctx, reminders, time.Second, "pay invoice 7"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(<-arrived)
	fmt.Println("hops:", scheduler.Counts().Hops)
	// Output:
	// pay invoice 7
	// hops: 1
}
