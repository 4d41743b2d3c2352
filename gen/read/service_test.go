package read

import (
	"testing"
	"time"

	"github.com/acemq/acemq-gen/gen/model"
)

const services = `
-- ext/ext.go --
package ext

type Order struct{ ID string }

type Page[T any] struct{ Items []T }
-- orders/flow.go --
package orders

import (
	"time"

	"example.com/shop/ext"
	"github.com/acemq/acemq-gen/runtime/flow"
)

//acemq:message
type Question struct{ ID string }

//acemq:message
type Answer struct{ ID string }

type State struct{ client *NotYet }

type Alias = ext.Order

const refund = "re" + "fund"

// PlaceOrder undoes what it did.
var PlaceOrder = flow.Saga[*State]("place-order",
	flow.Action("take-payment", flow.Undo(refund)),
	flow.Action("book"))

var (
	_ = flow.Saga[State]("own", flow.Action("a"))
	_ = flow.Saga[Alias]("foreign", flow.Action("a"))
	_ = flow.Saga[map[string]*ext.Page[State]]("generic", flow.Action("a"))
	_ = flow.Saga[any]("any", flow.Action("a"))
	_ = flow.Saga[error]("error", flow.Action("a"))
	_ = flow.Saga[[4]byte]("array", flow.Action("a"))
)

// Quotes answers.
var Quotes = flow.Request[Question, Answer]("quotes",
	flow.Retry(flow.Fixed(2, time.Second)), flow.Prefetch(3), flow.Concurrency(2))

var _ = flow.Request[Answer, Answer]("half-price", flow.RetryDelay(time.Minute))
`

func TestReadServices(t *testing.T) {
	got := readModule(t, services)["orders"]
	if got.errors != "" {
		t.Fatalf("errors\n%s", got.errors)
	}
	at := func(line, column int) model.Pos { return model.Pos{File: "orders/flow.go", Line: line, Column: column} }
	local := func(name string) model.Type {
		return model.Type{Path: "example.com/shop/orders", Package: "orders", Name: name}
	}

	check(t, "a saga", got.flow.Sagas[0], model.Saga{
		Decl:  model.Decl{Pos: at(23, 18), Name: "PlaceOrder", Doc: "PlaceOrder undoes what it did."},
		Title: "place-order", TitlePos: at(23, 36), Subject: local("*State"), SubjectPos: at(23, 28),
		Actions: []model.Action{
			{
				Pos: at(24, 2), Name: "take-payment", NamePos: at(24, 14),
				Undo:    &model.Undo{Name: "refund", NamePos: at(24, 40)},
				Options: []model.Option{{Pos: at(24, 30), Name: "Undo"}},
			},
			{Pos: at(25, 2), Name: "book", NamePos: at(25, 14)},
		},
	})
	var subjects []model.Type
	for _, saga := range got.flow.Sagas[1:] {
		subjects = append(subjects, saga.Subject)
	}
	check(t, "subjects", subjects, []model.Type{
		local("State"), {Path: "example.com/shop/ext", Package: "ext", Name: "Order"},
		local("map[string]*example.com/shop/ext.Page[State]"), local("any"), local("error"), local("[4]byte"),
	})

	quotes := got.flow.Requests[0]
	quotes.Queue.Options = nil
	check(t, "a request", quotes, model.Request{
		Decl:     model.Decl{Pos: at(37, 14), Name: "Quotes", Doc: "Quotes answers."},
		Question: model.Case{Pos: at(37, 27), Message: local("Question")},
		Answer:   model.Case{Pos: at(37, 37), Message: local("Answer")},
		Queue: model.Queue{
			Broker: "quotes", BrokerPos: at(37, 45), Prefetch: 3, Concurrency: 2,
			Retry: &model.Retry{Pos: at(38, 13), Constructor: "Fixed", Attempts: 2, Initial: time.Second},
		},
	})
	if half := got.flow.Requests[1]; half.Name != "HalfPrice" || half.Queue.RetryDelay != time.Minute {
		t.Errorf("the blank request is %+v", half)
	}
}
