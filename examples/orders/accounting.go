package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
)

// accounting writes what was paid to the accounts of the customers, and applies it there.
type accounting struct {
	entries *orders.LedgerPublisher
	tally   *tally

	mu       sync.Mutex
	accounts map[string]*account // by customer
}

// account has the entries of a customer, as the correlation ids of the orders that they are about.
type account struct {
	pen     chan struct{}   // whoever put something in writes the next entry
	written map[string]bool // what was sent to the ledger
	sent    []string        // the same, in the order in which it was confirmed
	applied []string        // in the order in which the ledger applied it
}

func newAccounting(conn *acemq.Conn, t *tally) *accounting {
	return &accounting{entries: orders.NewLedgerPublisher(conn), tally: t, accounts: map[string]*account{}}
}

func (a *accounting) of(customer string) *account {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.accounts[customer] == nil {
		a.accounts[customer] = &account{pen: make(chan struct{}, 1), written: map[string]bool{}}
	}
	return a.accounts[customer]
}

// receipt is the handler of accounting.receipts. A bill that comes again is not written again.
func (a *accounting) receipt(ctx context.Context, m *acemq.Message[orders.OrderBilled]) acemq.Ack {
	a.tally.billed(m.Envelope.Correlation)
	if err := a.write(ctx, m.Payload.Order, m.Envelope); err != nil {
		return acemq.Retry(err)
	}
	a.tally.entered(m.Envelope.Correlation)
	a.tally.end(m.Queue, m.Envelope)
	return acemq.Accept()
}

// write sends the entry of an order to the ledger. Entries of one account are sent one after the other, the next when
// the broker has confirmed the one before: that is the order in which they are applied.
func (a *accounting) write(ctx context.Context, o orders.Order, cause acemq.Envelope) error {
	account := a.of(o.CustomerID)
	select {
	case account.pen <- struct{}{}:
		defer func() { <-account.pen }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if account.written[cause.Correlation] {
		return nil
	}
	entry := orders.LedgerEntry{CustomerID: o.CustomerID, OrderID: o.OrderID, Cents: o.TotalCents}
	if err := a.send(ctx, entry, cause); err != nil {
		return err
	}
	account.written[cause.Correlation] = true
	account.sent = append(account.sent, cause.Correlation)
	return nil
}

// send sends an entry until it is confirmed, always under the same id. What was not confirmed may be in the ledger all
// the same, so nothing else must come in between.
func (a *accounting) send(ctx context.Context, e orders.LedgerEntry, cause acemq.Envelope) error {
	id := acemq.NewID()
	for {
		_, err := a.entries.Publish(ctx, e, acemq.WithID(id), acemq.CausedBy(cause))
		if err == nil {
			return nil
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return err
		}
	}
}

var errUnsigned = errors.New("a large entry waits to be signed")

// apply is the handler of the ledger. An entry that comes again comes right after itself.
func (a *accounting) apply(_ context.Context, m *acemq.Message[orders.LedgerEntry]) error {
	if m.Payload.Cents >= largeCents && m.IsFirstAttempt() {
		return errUnsigned
	}
	a.of(m.Payload.CustomerID).apply(m.Envelope.Correlation)
	a.tally.end(m.Queue, m.Envelope)
	return nil
}

func (a *account) apply(order string) {
	if last := len(a.applied) - 1; last < 0 || a.applied[last] != order {
		a.applied = append(a.applied, order)
	}
}

// verify compares, entry by entry, what was applied with what was sent. Entries that an earlier run of the program left
// in the ledger are nobody's here.
func (a *accounting) verify() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for customer, account := range a.accounts {
		var next int
		for _, order := range account.applied {
			if !account.written[order] {
				continue
			}
			if next == len(account.sent) || account.sent[next] != order {
				return fmt.Errorf("the ledger of %s is out of order at entry %d", customer, next+1)
			}
			next++
		}
		if next < len(account.sent) {
			return fmt.Errorf("the ledger of %s has %d entries of %d", customer, next, len(account.sent))
		}
	}
	return nil
}

// count returns how many accounts there are.
func (a *accounting) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.accounts)
}
