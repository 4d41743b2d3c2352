package orders

import (
	"time"

	"github.com/acemq/acemq-gen/runtime/flow"
)

//go:generate go tool acemq-gen

// Events carries what happens to an order.
var Events = flow.Topic("orders-events")

// Placed announces an order that was accepted.
var Placed = flow.Publish[OrderPlaced](Events, "order.placed.{Country}")

// Billed announces an order that was paid.
var Billed = flow.Publish[OrderBilled](Events, "order.billed")

// Billing charges every order that was placed.
var Billing = flow.Consume[OrderPlaced]("billing.orders",
	flow.From(Placed),
	flow.Retry(flow.Exponential(5, time.Second, time.Minute)),
	flow.Prefetch(50))

// Receipts books every order that was paid.
var Receipts = flow.Consume[OrderBilled]("accounting.receipts",
	flow.From(Billed),
	flow.Retry(flow.Fixed(4, 30*time.Second)))

// Audit keeps every order event, whatever its type.
var Audit = flow.Dispatch("audit.orders", flow.Bind(Events, "order.#"),
	flow.Case[OrderPlaced](), flow.Case[OrderBilled](),
	flow.Retry(flow.NoRetry()))
