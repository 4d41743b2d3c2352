package main

import (
	"errors"
	"slices"
	"testing"

	"github.com/acemq/acemq-gen/examples/orders/orders"
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
