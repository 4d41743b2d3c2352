package flow_test

import (
	"time"

	"github.com/acemq/acemq-gen/runtime/flow"
)

// This file is a whole flow.go. It holds that the vocabulary compiles as a user writes it.

// Events carries what happens to an order.
var Events = flow.Topic("orders-events")

// Placed announces an order that was accepted.
var Placed = flow.Publish[OrderPlaced](Events, "order.placed.{Region}", flow.Outbox())

// Billing charges every order that was placed.
var Billing = flow.Consume[OrderPlaced]("billing.orders",
	flow.From(Placed),
	flow.Retry(flow.Exponential(5, time.Second, time.Minute)),
	flow.Prefetch(50))

// Audit keeps every order event, whatever its type.
var Audit = flow.Dispatch("audit.orders", flow.Bind(Events, "order.#"),
	flow.Case[OrderPlaced](), flow.Case[OrderShipped]())

// Fulfilment takes an order from the door to the courier.
var Fulfilment = flow.Pipeline("orders",
	flow.Step[Order, ValidOrder]("validate"),
	flow.Step[ValidOrder, PricedOrder]("price", flow.Retry(flow.Fixed(4, 30*time.Second))),
	flow.Sink[PricedOrder]("ship"))

// Checkout is the route of orders whose stops differ from one to the next.
var Checkout = flow.Slip("checkout",
	flow.Stop[Order, Order]("validate", Events, "order.validate"),
	flow.Stop[Order, PricedOrder]("price", Events, "order.price"),
	flow.Stop[PricedOrder, PricedOrder]("fraud", Events, "order.fraud"),
	flow.Stop[PricedOrder, Shipment]("ship", Events, "order.ship"))

// Ledger applies the entries of one account in order.
var Ledger = flow.Ordered("ledger", 8, LedgerEntry.Account, flow.OnFailure(flow.Halt, 3, time.Second))

// PlaceOrder undoes what it did when a later step fails.
var PlaceOrder = flow.Saga[Order]("place-order",
	flow.Action("take-payment", flow.Undo("refund")), flow.Action("reserve-stock", flow.Undo("release-stock")),
	flow.Action("book-courier"))

// InvoiceDue reminds billing later.
var InvoiceDue = flow.Publish[Invoice](Events, "invoice.due", flow.Schedulable())

// Quotes answers what an order would cost.
var Quotes = flow.Request[QuoteRequest, Quote]("quotes")

// Everything that the flow above leaves out.
var (
	Theirs  = flow.Topic("their-events", flow.External())
	Direct  = flow.Direct("orders-commands")
	Fanout  = flow.Fanout("prices")
	Headers = flow.Headers("reports")

	Charge = flow.Publish[Order](flow.Default, "payments.charge",
		flow.Optional(), flow.Transient(), flow.Expires(5*time.Second), flow.Priority(3))

	Payments = flow.Consume[Order]("payments.charge", flow.External(),
		flow.Retry(flow.NoRetry().GiveUpAfter(time.Hour).WaitInBrokerFrom(0).Jitter(0.1)),
		flow.Concurrency(4), flow.Idempotent(10*time.Minute))

	Prices = flow.Consume[Quote]("prices.cache", flow.Bind(Fanout), flow.Classic(), flow.TTL(time.Hour),
		flow.MaxLength(100_000), flow.SingleActive(), flow.RetryDelay(10*time.Second), flow.RequeueOnFailure())

	Returns = flow.Pipeline("returns", flow.WriteAs(flow.Itinerary), flow.Sink[Order]("refund"))
	Roaming = flow.Slip("roaming", flow.WriteAs(flow.Declared), flow.AnyDestination(),
		flow.Stop[Order, Order]("anywhere", Direct, "order.anywhere"))

	Stock = flow.Ordered("stock", 6, LedgerEntry.Account, flow.OnFailure(flow.RetryInPlace, 1, time.Minute),
		flow.PartitionedAs(flow.Java), flow.SingleActive())
	Views = flow.Ordered("views", 3, LedgerEntry.Account, flow.OnFailure(flow.Skip, 1, 0),
		flow.PartitionedAs(flow.Unsigned))
	Clicks = flow.Ordered("clicks", 3, LedgerEntry.Account, flow.PartitionedAs(flow.DotNet))

	_ = flow.Message[time.Time]("clock.struck", 1)
)

type (
	Order        struct{}
	ValidOrder   struct{}
	PricedOrder  struct{}
	Shipment     struct{}
	Invoice      struct{}
	QuoteRequest struct{}
	Quote        struct{}
	OrderShipped struct{}
	OrderPlaced  struct{ Region string }
	LedgerEntry  struct{ AccountID string }
)

// Account is the key of an entry.
func (e LedgerEntry) Account() string { return e.AccountID }
