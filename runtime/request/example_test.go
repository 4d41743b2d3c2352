package request_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/request"
	"github.com/acemq/acemq-gen/runtime/topology"
)

// Quotes are asked for over a queue. Generated code has the declaration, a client and a server for it.
func Example() {
	type QuoteRequest struct{ Item string }
	type Quote struct{ Cents int }
	quotes := request.Declaration[QuoteRequest, Quote]{
		Queue:   acemq.Queue{Name: "quotes"},
		Request: request.Kind{Type: "quote.request", Version: 1},
		Reply:   request.Kind{Type: "quote", Version: 1},
	}

	ctx := context.Background()
	conn, err := acemq.Dial(ctx, "memory://request-example")
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close(ctx)
	if err := conn.Declare(ctx, topology.New().Queue("quotes")); err != nil {
		log.Fatal(err)
	}
	_, err = request.Serve(ctx, conn, quotes, func(_ context.Context, m *acemq.Message[QuoteRequest]) (Quote, error) {
		if m.Payload.Item == "moon" {
			return Quote{}, errors.New("it is not for sale")
		}
		return Quote{Cents: 4200}, nil
	})
	if err != nil {
		log.Fatal(err)
	}

	client := request.NewClient(conn, quotes)
	quote, err := client.Call(ctx, QuoteRequest{Item: "lamp"})
	fmt.Println(quote.Cents, err)

	_, err = client.Call(ctx, QuoteRequest{Item: "moon"})
	var failed *request.FailedError
	if errors.As(err, &failed) {
		fmt.Println(failed.Reason)
	}
	// Output:
	// 4200 <nil>
	// it is not for sale
}
