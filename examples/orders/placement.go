package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/acemq/acemq-gen/examples/orders/orders"
)

// largeCents is the amount from which an order is large: the fraud desk looks at it, and the payment service does not
// answer at once.
const largeCents = 500_000

var (
	errBusy      = errors.New("the payment service is busy")
	errNoCourier = errors.New("no courier goes there")
)

// placement stands for the services that an order needs: payments, the stock and the couriers. It has the actions of
// the saga. Each keeps what it did by order, so that doing it twice changes nothing.
type placement struct {
	closed []string // countries that no courier goes to

	mu       sync.Mutex
	asked    map[int64]bool  // orders that the payment service was asked about
	paid     map[int64]int64 // cents, by order
	reserved map[int64]bool  // orders whose goods are off the shelf
	refunded map[int64]bool  // orders that were paid once and are not
}

func newPlacement(closed []string) *placement {
	return &placement{
		closed: closed, asked: map[int64]bool{}, paid: map[int64]int64{}, reserved: map[int64]bool{},
		refunded: map[int64]bool{},
	}
}

// TakePayment takes small amounts at once, and large ones when it is asked again.
func (p *placement) TakePayment(_ context.Context, o orders.Order) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if o.TotalCents >= largeCents && !p.asked[o.OrderID] {
		p.asked[o.OrderID] = true
		return errBusy
	}
	p.paid[o.OrderID] = o.TotalCents
	delete(p.refunded, o.OrderID)
	return nil
}

// Refund gives the money back.
func (p *placement) Refund(_ context.Context, o orders.Order) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.paid, o.OrderID)
	p.refunded[o.OrderID] = true
	return nil
}

// ReserveStock takes the goods off the shelf.
func (p *placement) ReserveStock(_ context.Context, o orders.Order) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reserved[o.OrderID] = true
	return nil
}

// ReleaseStock puts the goods back.
func (p *placement) ReleaseStock(_ context.Context, o orders.Order) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.reserved, o.OrderID)
	return nil
}

// BookCourier fails where no courier goes. It comes last, for nothing undoes it.
func (p *placement) BookCourier(_ context.Context, o orders.Order) error {
	if slices.Contains(p.closed, o.Country) {
		return fmt.Errorf("order %d goes to %s: %w", o.OrderID, o.Country, errNoCourier)
	}
	return nil
}

// count returns how many orders were refunded.
func (p *placement) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.refunded)
}
