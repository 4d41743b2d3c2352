package read

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

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

// TestLineEndsDoNotMatter reads the same flow with the line ends of Windows.
func TestLineEndsDoNotMatter(t *testing.T) {
	archive := txtar.Parse([]byte(orders))
	for i := range archive.Files {
		archive.Files[i].Data = bytes.ReplaceAll(archive.Files[i].Data, []byte("\n"), []byte("\r\n"))
	}
	got, want := readModule(t, string(txtar.Format(archive)))["orders"], readModule(t, orders)["orders"]
	if got.errors != "" {
		t.Errorf("errors\n%s", got.errors)
	}
	got.flow.Package.Dir = want.flow.Package.Dir
	check(t, "the flow", got.flow, want.flow)
}

func check(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got\n%+v\nwant\n%+v", what, got, want)
	}
}

const foreign = `
-- shared/shared.go --
package shared

// Order is marked where it is declared.
//
//acemq:message type=shared.order version=3
type Order struct{ ID string }

type Plain struct{ ID string }

//acemq:message
type Page[T any] struct{ Items []T }
-- orders/messages.go --
package orders

import "example.com/shop/shared"

type Alias = shared.Order

//acemq:message type=box version=2
type Box[T any] struct{ Item T }

type Wanted = Box[Alias]

type stale = Renamed
-- orders/acemq_publishers_gen.go --
// Code generated by acemq-gen. DO NOT EDIT.

package orders

type OutPublisher struct{ gone Vanished }
-- orders/flow.go --
package orders

import (
	"example.com/shop/shared"

	"github.com/acemq/acemq-gen/runtime/flow"
)

var _ = flow.Message[shared.Plain]("plain", 4)

var Audit = flow.Dispatch("audit", flow.Case[Alias](), flow.Case[shared.Plain](), flow.Case[Wanted](),
	flow.Case[shared.Page[Box[[]*shared.Plain]]]())
`

func TestMessagesOfOtherPackages(t *testing.T) {
	results := readModule(t, strings.ReplaceAll(foreign, "-- orders/flow.go --\n", "-- orders/flow.go --\n\n"))
	got := results["orders"]
	if got.errors != "" {
		t.Errorf("errors\n%s", got.errors)
	}
	at := func(file string, line, column int) model.Pos {
		return model.Pos{File: file, Line: line, Column: column}
	}
	order := model.Type{Path: "example.com/shop/shared", Package: "shared", Name: "Order"}
	plain := model.Type{Path: "example.com/shop/shared", Package: "shared", Name: "Plain"}
	box := model.Type{Path: "example.com/shop/orders", Package: "orders", Name: "Box[example.com/shop/shared.Order]"}
	page := model.Type{Path: "example.com/shop/shared", Package: "shared", Name: "Page[Box[[]*example.com/shop/shared.Plain]]"}
	check(t, "messages", got.flow.Messages, []model.Message{
		{Pos: at("orders/flow.go", 10, 9), Go: plain, Type: "plain", Version: 4},
		{Pos: at("shared/shared.go", 5, 1), Go: order, Type: "shared.order", Version: 3},
		{Pos: at("orders/messages.go", 7, 1), Go: box, Type: "box", Version: 2},
		{Pos: at("shared/shared.go", 10, 1), Go: page, Type: "page", Version: 1},
	})
	var cases []model.Type
	for _, c := range got.flow.Dispatches[0].Cases {
		cases = append(cases, c.Message)
	}
	check(t, "cases", cases, []model.Type{order, plain, box, page})
	if names := results["shared"].flow.Messages; len(names) != 1 {
		t.Errorf("the shared package has the messages %v, want one: a generic type is none by itself", names)
	}
}

func TestKeyFieldKinds(t *testing.T) {
	got := readModule(t, `
-- a/a.go --
package a

import "github.com/acemq/acemq-gen/runtime/flow"

type Base struct{ Country string }

type Code string

type Level uint8

type Colour int

func (Colour) String() string { return "red" }

type Tag string

func (Tag) String() string { return "tag" }

type Text = string

//acemq:message
type Order struct {
	Base
	Code   Code
	Level  Level
	Colour Colour
	Tag    Tag
	Text   Text
	Count  int64
	Rune   rune
	Price  float64
}

var P = flow.Publish[Order](flow.Default, "{Country}.{Code}.{Level}.{Colour}.{Tag}.{Text}.{Count}.{Rune}.{Price}.{cuont}")
`)["a"]
	want := []model.KeyField{{Name: "Country", Kind: model.StringField}, {Name: "Code", Kind: model.NamedString},
		{Name: "Level", Kind: model.UnsignedField}, {Name: "Colour", Kind: model.StringerField},
		{Name: "Tag", Kind: model.StringerField}, {Name: "Text", Kind: model.StringField},
		{Name: "Count", Kind: model.SignedField}, {Name: "Rune", Kind: model.SignedField},
		{Name: "Price", Reason: "Price is of type float64"}, {Name: "cuont", Reason: "Order has no field cuont"}}
	check(t, "fields", got.flow.Publishes[0].Fields, want)
}
