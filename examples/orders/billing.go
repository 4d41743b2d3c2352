package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/idempotency"
	"github.com/acemq/acemq-gen/runtime/outbox"
)

// billing charges orders and says so.
type billing struct {
	payments  *payments
	reminders *reminders
	db        *database
	relay     *outbox.Relay
	tally     *tally
}

// bill is the handler of billing.orders. A customer whose order cannot be charged hears of it, unless it is paid by
// then.
func (b *billing) bill(ctx context.Context, m *acemq.Message[orders.OrderPlaced]) acemq.Ack {
	o := m.Payload.Order
	if err := b.charge(o); err != nil {
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

// charge takes the money. An order that does not add up will never add up, so it is not tried again; a busy payment
// service is asked again later.
func (b *billing) charge(o orders.Order) error {
	if cost := sum(o.Lines); cost != o.TotalCents {
		return acemq.Fatal(fmt.Errorf("order %d says %d cents and its lines cost %d", o.OrderID, o.TotalCents, cost))
	}
	return b.payments.take(o.OrderID, o.TotalCents)
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

// largeCents is the amount from which an order is large: the fraud desk looks at it, and the payment service does not
// answer at once.
const largeCents = 500_000

var errBusy = errors.New("the payment service is busy")

// payments stands for a payment service: it takes small amounts at once, and large ones when it is asked again.
type payments struct {
	mu    sync.Mutex
	asked map[int64]bool
}

func newPayments() *payments { return &payments{asked: map[int64]bool{}} }

func (p *payments) take(orderID, amountCents int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if amountCents >= largeCents && !p.asked[orderID] {
		p.asked[orderID] = true
		return errBusy
	}
	return nil
}
