package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
)

// billing charges orders and says so.
type billing struct {
	payments *payments
	billed   *orders.BilledPublisher
	tally    *tally
}

// charge is the handler of billing.orders. An order that does not add up will never add up, so it is not tried again;
// a busy payment service is asked again later.
func (b *billing) charge(ctx context.Context, m *acemq.Message[orders.OrderPlaced]) acemq.Ack {
	o := m.Payload
	if cost := sum(o.Lines); cost != o.TotalCents {
		return acemq.DeadLetter(fmt.Errorf("order %d says %d cents and its lines cost %d", o.OrderID, o.TotalCents, cost))
	}
	if err := b.payments.take(o.OrderID, o.TotalCents); err != nil {
		return acemq.Retry(err)
	}
	event := orders.OrderBilled{OrderID: o.OrderID, TotalCents: o.TotalCents}
	if err := b.billed.Publish(ctx, event, acemq.CausedBy(m.Envelope)); err != nil {
		return acemq.Retry(err)
	}
	b.tally.billed(m.Envelope.ID)
	b.tally.end(m.Queue, m.Envelope.Type, m.Envelope.ID)
	return acemq.Accept()
}

// largeCents is the amount from which the payment service does not answer at once.
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
