package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/idempotency"
	"github.com/acemq/acemq-gen/runtime/outbox"
	"github.com/acemq/acemq-gen/runtime/saga"
)

// billing charges orders and says so.
type billing struct {
	conn      *acemq.Conn
	places    orders.PlaceOrderActions
	reminders *reminders
	db        *database
	relay     *outbox.Relay
	tally     *tally
}

// bill is the handler of billing.orders. A customer whose order cannot be charged hears of it, unless it is paid by
// then. One whose order cannot be delivered has the money back.
func (b *billing) bill(ctx context.Context, m *acemq.Message[orders.OrderPlaced]) acemq.Ack {
	o := m.Payload.Order
	err := b.place(ctx, o)
	switch {
	case errors.Is(err, errNoCourier):
		return acemq.DeadLetter(err)
	case err != nil:
		if failed := b.reminders.schedule(ctx, o, m.Envelope); failed != nil {
			return acemq.Retry(failed)
		}
		return acemq.Retry(err)
	}
	if err := b.book(ctx, m); err != nil {
		return acemq.Retry(err)
	}
	return acemq.Accept()
}

// place takes what the order needs, or nothing. An order that does not add up will never add up, so it is not tried
// again; a busy payment service is asked again later.
func (b *billing) place(ctx context.Context, o orders.Order) error {
	if cost := sum(o.Lines); cost != o.TotalCents {
		return acemq.Fatal(fmt.Errorf("order %d says %d cents and its lines cost %d", o.OrderID, o.TotalCents, cost))
	}
	result := orders.RunPlaceOrder(ctx, b.places, o, saga.ReportTo(b.conn))
	if result.HasUnresolved() {
		return acemq.Fatal(fmt.Errorf("order %d: %w; and what was taken was not given back: %v",
			o.OrderID, result.Err, result.Unresolved))
	}
	return result.Err
}

// book writes the bill, the record that announces it, and that this message was handled, in one transaction: however
// often the message comes, the order is billed once.
func (b *billing) book(ctx context.Context, m *acemq.Message[orders.OrderPlaced]) error {
	o, order := m.Payload.Order, m.Envelope.Correlation
	record, err := orders.BilledRecord(orders.OrderBilled{Order: o}, acemq.CausedBy(m.Envelope))
	if err != nil {
		return acemq.Fatal(err)
	}
	if err := b.db.bill(ctx, order, o, record, idempotency.Key(m.Queue, m.Envelope.ID)); err != nil {
		return err
	}
	b.relay.Kick()
	b.tally.billed(order)
	return nil
}
