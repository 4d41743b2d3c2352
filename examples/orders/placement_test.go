package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
)

// What a saga took before no courier was found is given back; the same order can be placed when couriers go there again.
func TestPlaceOrder(t *testing.T) {
	p := newPlacement([]string{"Norway"})
	o := orders.Order{OrderID: 7, Country: "Norway", TotalCents: 100}
	result := orders.RunPlaceOrder(t.Context(), p, o)
	if result.Failed != "book-courier" || !errors.Is(result.Err, errNoCourier) {
		t.Errorf("it failed at %q: %v", result.Failed, result.Err)
	}
	if want := []string{"reserve-stock", "take-payment"}; !slices.Equal(result.Compensated, want) {
		t.Errorf("undone: %q, want %q", result.Compensated, want)
	}
	if len(p.paid) != 0 || len(p.reserved) != 0 || p.count() != 1 {
		t.Errorf("paid %v, reserved %v, %d refunded; want 1 refunded and nothing else", p.paid, p.reserved, p.count())
	}
	p.closed = nil
	if result := orders.RunPlaceOrder(t.Context(), p, o); !result.Succeeded() {
		t.Error(result.Err)
	}
	if p.paid[7] != 100 || !p.reserved[7] || p.count() != 0 {
		t.Errorf("paid %v, reserved %v, %d refunded; want 100 cents of order 7", p.paid, p.reserved, p.count())
	}
}

// brokenTill gives no money back.
type brokenTill struct{ *placement }

func (brokenTill) Refund(context.Context, orders.Order) error { return errors.New("the till is stuck") }

// What could not be given back stands in the reason that goes to the dead letters with the order.
func TestUnresolved(t *testing.T) {
	conn, err := acemq.Dial(t.Context(), "memory://"+t.Name())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	p := newPlacement([]string{"Norway"})
	b := &billing{conn: conn, places: brokenTill{p}}
	err = b.place(t.Context(), orders.Order{OrderID: 7, Country: "Norway"})
	if err == nil || !acemq.IsFatal(err) || !strings.Contains(err.Error(), "take-payment: the till is stuck") {
		t.Errorf("place: %v; want a reason that names the payment", err)
	}
	if len(p.paid) != 1 || len(p.reserved) != 0 {
		t.Errorf("paid %v, reserved %v; want the money taken and the goods back", p.paid, p.reserved)
	}
}
