package read

import (
	"testing"
	"time"

	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

const patterns = `
-- ext/ext.go --
package ext

func Key[T any](T) string { return "" }
-- orders/flow.go --
package orders

import (
	"time"

	"example.com/shop/ext"
	"github.com/acemq/acemq-gen/runtime/flow"
)

//acemq:message
type Order struct{ ID string }

type Alias = Order

func (o Order) Key() string { return o.ID }

const (
	name  = "orders"
	eight = 1 << 3
)

var Events = flow.Topic("events")

// Fulfilment takes an order to the courier.
var Fulfilment = flow.Pipeline(name, flow.WriteAs(flow.Itinerary),
	flow.Step[Alias, Order]("price", flow.Retry(flow.Fixed(2, time.Second)), flow.Prefetch(3), flow.Concurrency(2)),
	flow.Sink[Order]("ship", flow.Idempotent(0), flow.RetryDelay(time.Minute)))

var _ = flow.Slip("check-out", flow.AnyDestination(), flow.WriteAs(flow.Declared),
	flow.Stop[Order, Order]("price", Events, "order."+"price", flow.Idempotent(time.Hour)),
	flow.Stop[Order, Order]("ship", flow.Default, "check-out.ship"))

var Ledger = flow.Ordered("ledger", eight, Order.Key,
	flow.OnFailure(flow.Skip, 4, time.Second), flow.PartitionedAs(flow.Java), flow.SingleActive(), flow.Idempotent(time.Minute))

var Other = flow.Ordered[Order]("other", 3, ext.Key)

var Due = flow.Publish[Order](Events, "due", flow.Outbox(), flow.Schedulable())
`

func TestReadPatterns(t *testing.T) {
	got := readModule(t, patterns)["orders"]
	if got.errors != "" {
		t.Fatalf("errors\n%s", got.errors)
	}
	order := model.Type{Path: "example.com/shop/orders", Package: "orders", Name: "Order"}
	at := func(line, column int) model.Pos { return model.Pos{File: "orders/flow.go", Line: line, Column: column} }
	taken := func(line, column int) model.Case { return model.Case{Pos: at(line, column), Message: order} }

	pipeline := got.flow.Pipelines[0]
	for i := range pipeline.Steps {
		pipeline.Steps[i].Queue.Options = nil
	}
	check(t, "a pipeline", pipeline, model.Pipeline{
		Decl:   model.Decl{Pos: at(25, 18), Name: "Fulfilment", Doc: "Fulfilment takes an order to the courier."},
		Broker: "orders", BrokerPos: at(25, 32), Form: "Itinerary",
		Options: []model.Option{{Pos: at(25, 38), Name: "WriteAs"}},
		Steps: []model.Step{
			{
				Pos: at(26, 2), Name: "price", In: taken(26, 12), Out: taken(26, 19),
				Queue: model.Queue{
					Broker: "orders.price", BrokerPos: at(26, 26), Prefetch: 3, Concurrency: 2,
					Retry: &model.Retry{Pos: at(26, 46), Constructor: "Fixed", Attempts: 2, Initial: time.Second},
				},
			},
			{
				Pos: at(27, 2), Name: "ship", In: taken(27, 12), Sink: true,
				Queue: model.Queue{
					Broker: "orders.ship", BrokerPos: at(27, 19), Idempotent: model.DefaultLease, RetryDelay: time.Minute,
				},
			},
		},
	})

	slip := got.flow.Slips[0]
	if slip.Name != "CheckOut" || slip.Form != "Declared" || !slip.AnyDestination {
		t.Errorf("the slip is %+v", slip)
	}
	price, ship := slip.Stops[0], slip.Stops[1]
	price.Queue.Options = nil
	address := model.Ref{Pos: at(30, 35), Name: "Events"}
	check(t, "a stop", price, model.Stop{
		Step: model.Step{
			Pos: at(30, 2), Name: "price", In: taken(30, 12), Out: taken(30, 19),
			Queue: model.Queue{
				Broker: "check-out.price", BrokerPos: at(30, 26), Idempotent: time.Hour,
				Bindings: []model.Binding{{Pos: at(30, 2), Exchange: address, Keys: []string{"order.price"}}},
			},
		},
		Exchange: address, Key: "order.price", KeyPos: at(30, 43),
	})
	if ship.Exchange.Name != "" || ship.Queue.Bindings != nil {
		t.Errorf("the stop at the default exchange is %+v", ship)
	}

	ledger, java := got.flow.Ordered[0], wire.Java
	ledger.Options = nil
	check(t, "an ordered queue", ledger, model.Ordered{
		Decl: model.Decl{Pos: at(33, 14), Name: "Ledger"}, Broker: "ledger", BrokerPos: at(33, 27),
		Partitions: 8, PartitionsPos: at(33, 37), Message: order, MessagePos: at(33, 14),
		Key:         model.Function{Pos: at(33, 44), Of: order, Method: "Key"},
		Failure:     model.Failure{Pos: at(34, 2), Mode: "Skip", Attempts: 4, Delay: time.Second},
		Partitioner: &java, SingleActive: true, Idempotent: time.Minute,
	})
	key := model.Function{
		Pos: at(36, 45), Of: model.Type{Path: "example.com/shop/ext", Package: "ext", Name: "Key[Order]"},
	}
	check(t, "the key of another", got.flow.Ordered[1].Key, key)

	if due := got.flow.Publishes[0]; !due.Outbox || !due.Schedulable {
		t.Errorf("the publication is %+v", due)
	}
}
