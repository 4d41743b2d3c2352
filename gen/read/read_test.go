package read

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/load/loadtest"
	"github.com/acemq/acemq-gen/gen/model"
)

// readModule reads every package of a module, by the last element of its path.
func readModule(t *testing.T, archive string) map[string]result {
	t.Helper()
	loaded, err := load.Load(t.Context(), load.Config{Dir: loadtest.Module(t, archive), Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	if len(loaded.Errors) > 0 {
		t.Fatalf("errors of the load: %v", loaded.Errors)
	}
	results := map[string]result{}
	for _, p := range loaded.Packages {
		flow, diags := Read(p)
		var text strings.Builder
		diags.WriteText(&text)
		results[strings.TrimPrefix(p.Path, "example.com/shop/")] = result{flow, text.String()}
	}
	return results
}

// result is a flow and the mistakes in it, as they are printed.
type result struct {
	flow   *model.Flow
	errors string
}

const orders = `
-- orders/messages.go --
package orders

import "time"

// OrderPlaced says that an order was accepted.
//
//acemq:message type=order.placed version=2
type OrderPlaced struct {
	OrderID string
	Region  string
	At      time.Time
}

type (
	//acemq:message
	OrderShipped struct{ Carrier NotYet }

	Hidden struct{}
)
-- orders/flow.go --
package orders

import (
	"time"

	f "github.com/acemq/acemq-gen/runtime/flow"
)

//go:generate go tool acemq-gen

const prefix = "billing"

// Audit keeps every order event, whatever its type.
//
//nolint:all
var Audit = f.Dispatch("audit.orders", f.Bind(Events, "order.#", "x."+"y"),
	f.Case[OrderPlaced]())

var (
	// Events carries what happens to an order.
	Events, Other = f.Topic("orders-events", f.External()), (f.Fanout("others"))

	Placed = f.Publish[OrderPlaced](Events, "order.placed.{Region}", f.Optional(), f.Transient(),
		f.Expires(5*time.Second), f.Priority(3))

	_ = f.Publish[OrderPlaced](f.Default, "work")
	_ = f.Publish[OrderPlaced](Other, "")
)

// Billing charges every order that was placed.
var Billing = f.Consume[OrderPlaced](prefix+".orders",
	f.From(Placed), f.Retry(f.Exponential(5, time.Second, time.Minute).GiveUpAfter(time.Hour).Jitter(0.5)),
	f.Prefetch(50), f.Concurrency(1<<2), f.Classic(), f.TTL(time.Hour), f.MaxLength(100_000), f.SingleActive())

var _ = f.Consume[OrderPlaced]("work", f.RequeueOnFailure(), f.RetryDelay(time.Minute), f.External())

var p = NewPlacedPublisher(nil)
`

func TestReadTheWholeVocabulary(t *testing.T) {
	got := readModule(t, orders)["orders"]
	if got.errors != "" {
		t.Errorf("errors\n%s", got.errors)
	}
	flow := got.flow
	placed := model.Type{Path: "example.com/shop/orders", Package: "orders", Name: "OrderPlaced"}
	at := func(line, column int) model.Pos { return model.Pos{File: "orders/flow.go", Line: line, Column: column} }
	check(t, "messages", flow.Messages, []model.Message{
		{Pos: model.Pos{File: "orders/messages.go", Line: 7, Column: 1}, Go: placed, Type: "order.placed", Version: 2},
		{Pos: model.Pos{File: "orders/messages.go", Line: 15, Column: 2}, Go: model.Type{Path: placed.Path, Package: "orders", Name: "OrderShipped"}, Type: "order.shipped", Version: 1},
	})
	check(t, "exchanges", flow.Exchanges, []model.Exchange{
		{Decl: model.Decl{Pos: at(21, 18), Name: "Events", Doc: "Events carries what happens to an order."}, Broker: "orders-events", Kind: "topic", External: true, Options: []model.Option{{Pos: at(21, 43), Name: "External"}}},
		{Decl: model.Decl{Pos: at(21, 59), Name: "Other", Doc: "Events carries what happens to an order."}, Broker: "others", Kind: "fanout"},
	})
	check(t, "a publication", flow.Publishes[0], model.Publish{
		Decl: model.Decl{Pos: at(23, 11), Name: "Placed"}, Message: placed, MessagePos: at(23, 21), Exchange: model.Ref{Pos: at(23, 34), Name: "Events"},
		Key: "order.placed.{Region}", KeyPos: at(23, 42), Fields: []model.KeyField{{Name: "Region", Kind: model.StringField}},
		Optional: true, Transient: true, Expires: 5 * time.Second, Priority: 3,
		Options: []model.Option{{Pos: at(23, 67), Name: "Optional"}, {Pos: at(23, 81), Name: "Transient"},
			{Pos: at(24, 3), Name: "Expires", Number: int64(5 * time.Second)}, {Pos: at(24, 29), Name: "Priority", Number: 3}},
	})
	if names := []string{flow.Publishes[1].Name, flow.Publishes[2].Name, flow.Publishes[1].Exchange.Name}; !reflect.DeepEqual(names, []string{"Work", "Others", ""}) {
		t.Errorf("the blank publications are %q", names)
	}
	billing := flow.Consumes[0]
	billing.Queue.Options = nil
	check(t, "a consumer", billing, model.Consume{
		Decl: model.Decl{Pos: at(31, 15), Name: "Billing", Doc: "Billing charges every order that was placed."}, Message: placed, MessagePos: at(31, 25),
		Queue: model.Queue{Broker: "billing.orders", BrokerPos: at(31, 38), Classic: true, TTL: time.Hour, MaxLength: 100_000,
			SingleActive: true, Prefetch: 50, Concurrency: 4,
			Bindings: []model.Binding{{Pos: at(32, 2), Publication: &model.Ref{Pos: at(32, 9), Name: "Placed"},
				Exchange: model.Ref{Pos: at(23, 34), Name: "Events"}, Keys: []string{"order.placed.*"}}},
			Retry: &model.Retry{Pos: at(32, 26), Constructor: "Exponential", Attempts: 5, Initial: time.Second, Limit: time.Minute,
				GiveUpAfter: new(time.Hour), Jitter: new(0.5)}},
	})
	check(t, "a dispatcher", flow.Dispatches, []model.Dispatch{{
		Decl:  model.Decl{Pos: at(16, 13), Name: "Audit", Doc: "Audit keeps every order event, whatever its type."},
		Queue: model.Queue{Broker: "audit.orders", BrokerPos: at(16, 24), Bindings: []model.Binding{{Pos: at(16, 40), Exchange: model.Ref{Pos: at(16, 47), Name: "Events"}, Keys: []string{"order.#", "x.y"}}}},
		Cases: []model.Case{{Pos: at(17, 9), Message: placed}},
	}})
	work := flow.Consumes[1]
	if work.Name != "Work" || !work.Queue.RequeueOnFailure || work.Queue.RetryDelay != time.Minute || !work.Queue.External {
		t.Errorf("the blank consumer is %+v", work)
	}
	if _, has := flow.Package.Files["f"]; !has || flow.Package.Scope["Placed"] != at(23, 2) {
		t.Errorf("the package is %+v", flow.Package)
	}
}

func check(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got\n%+v\nwant\n%+v", what, got, want)
	}
}
