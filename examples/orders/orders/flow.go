package orders

import (
	"time"

	"github.com/acemq/acemq-gen/runtime/flow"
)

//go:generate go tool acemq-gen

// Counters is where an order goes on its way from the till into the books.
var Counters = flow.Direct("checkout")

// Events carries what happens to an order.
var Events = flow.Topic("orders-events")

// Checkout takes an order from the till into the books: priced, looked at by the fraud desk where it is large, and
// accepted.
var Checkout = flow.Slip("checkout",
	flow.Stop[Cart, Order]("price", Counters, "price"),
	flow.Stop[Order, Order]("fraud", Counters, "fraud", flow.Retry(flow.Fixed(3, 200*time.Millisecond))),
	flow.Stop[Order, OrderPlaced]("accept", Counters, "accept", flow.RetryDelay(time.Second)))

// Quotes answers what an order would cost.
var Quotes = flow.Request[QuoteRequest, Quote]("quotes")

// Placed announces an order that was accepted.
var Placed = flow.Publish[OrderPlaced](Events, "order.placed.{Country}", flow.Outbox())

// Billed announces an order that was paid.
var Billed = flow.Publish[OrderBilled](Events, "order.billed", flow.Outbox())

// Due asks, a while later, whether an order was paid.
var Due = flow.Publish[PaymentDue](Events, "payment.due", flow.Schedulable())

// PlaceOrder takes the money for an order, its goods from the shelf, and a place in a van. Where one of them is not to
// be had, the others are given back.
var PlaceOrder = flow.Saga[Order]("place-order",
	flow.Action("take-payment", flow.Undo("refund")),
	flow.Action("reserve-stock", flow.Undo("release-stock")),
	flow.Action("book-courier"))

// Billing charges every order that was placed, and none twice.
var Billing = flow.Consume[OrderPlaced]("billing.orders",
	flow.From(Placed),
	flow.Retry(flow.Exponential(5, time.Second, time.Minute)),
	flow.Prefetch(50),
	flow.Idempotent(time.Minute))

// Reminders reminds customers of what they have not paid.
var Reminders = flow.Consume[PaymentDue]("billing.reminders", flow.From(Due), flow.RetryDelay(time.Second))

// Receipts books every order that was paid.
var Receipts = flow.Consume[OrderBilled]("accounting.receipts",
	flow.From(Billed),
	flow.Retry(flow.Fixed(4, 30*time.Second)))

// Ledger applies the entries of each customer's account in order.
var Ledger = flow.Ordered("accounting.ledger", 4, LedgerEntry.Account,
	flow.OnFailure(flow.Halt, 3, 100*time.Millisecond))

// Warehouse hands every order that was paid to the warehouse.
var Warehouse = flow.Consume[OrderBilled]("warehouse.orders", flow.From(Billed), flow.RetryDelay(time.Second))

// Fulfilment takes an order that was paid through the warehouse. What fits into a letter needs no parcel.
var Fulfilment = flow.Pipeline("fulfilment",
	flow.Step[Order, Order]("validate"),
	flow.Step[Order, Parcel]("pack", flow.Prefetch(50), flow.Retry(flow.Fixed(3, 200*time.Millisecond))),
	flow.Sink[Parcel]("ship"))

// Audit keeps every order event, whatever its type.
var Audit = flow.Dispatch("audit.orders", flow.Bind(Events, "order.#"),
	flow.Case[OrderPlaced](), flow.Case[OrderBilled](),
	flow.Retry(flow.NoRetry()))
