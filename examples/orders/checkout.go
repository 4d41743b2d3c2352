package main

import (
	"context"
	"errors"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/outbox"
)

// route is the way of an order: large ones go by the fraud desk. A route that leaves the price out does not compile.
func route(cents int64) orders.CheckoutAtOrderPlaced[orders.Cart] {
	priced := orders.CheckoutFromCart().Price()
	if cents >= largeCents {
		priced = priced.Fraud()
	}
	return priced.Accept()
}

// checkout is what happens between the till and the books.
type checkout struct {
	db    *database
	relay *outbox.Relay
	tally *tally
}

// price is the stop that says what an order costs: what the customer was told, or else what its lines come to.
func (c *checkout) price(_ context.Context, m *acemq.Message[orders.Cart]) (orders.Order, error) {
	cart := m.Payload
	return orders.Order{
		OrderID: cart.OrderID, CustomerID: cart.CustomerID, Country: cart.Country, Lines: cart.Lines,
		TotalCents: total(cart), PlacedAt: cart.PlacedAt,
	}, nil
}

var errSecondLook = errors.New("the fraud desk wants a second look")

// fraud is the stop for large orders. Very large ones are looked at twice.
func (c *checkout) fraud(_ context.Context, m *acemq.Message[orders.Order]) (orders.Order, error) {
	if m.Payload.TotalCents >= 2*largeCents && m.IsFirstAttempt() {
		return orders.Order{}, errSecondLook
	}
	return m.Payload, nil
}

// accept is the last stop. The order and the record that announces it are written in one transaction; the relay
// publishes the record.
func (c *checkout) accept(ctx context.Context, m *acemq.Message[orders.Order]) (orders.OrderPlaced, error) {
	placed := orders.OrderPlaced{Order: m.Payload}
	record, err := orders.PlacedRecord(placed, acemq.CausedBy(m.Envelope))
	if err != nil {
		return placed, acemq.Fatal(err)
	}
	if err := c.db.accept(ctx, m.Envelope.Correlation, m.Payload, record); err != nil {
		return placed, err
	}
	c.relay.Kick()
	c.tally.placed(m.Envelope.Correlation)
	c.tally.end(m.Queue, m.Envelope)
	return placed, nil
}
