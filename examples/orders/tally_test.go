package main

import (
	"testing"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// An order is settled when everything that is expected of it has ended, in whatever order the two are noted.
func TestTally(t *testing.T) {
	tally := newTally()
	want := func(published, settled int) {
		t.Helper()
		if p, s := tally.count(); p != published || s != settled {
			t.Errorf("published %d settled %d, want %d and %d", p, s, published, settled)
		}
	}
	end := func(queue, kind, order string) {
		tally.end(queue, acemq.Envelope{Type: kind, Correlation: order})
	}
	end("checkout.accept", "cart", "1")
	want(0, 0)
	tally.sold("1")
	want(1, 1)
	tally.placed("1")
	tally.sold("2")
	want(2, 0)
	end("checkout.fraud", "cart", "2") // in the dead letters of the fraud desk
	want(2, 1)
	end("audit.orders", "order.placed", "1")
	end("billing.orders", "order.billed", "1") // what does not belong there changes nothing
	want(2, 1)
	tally.billed("1") // a bill ends what was expected of billing
	for _, queue := range []string{"accounting.receipts", "warehouse.orders", "audit.orders"} {
		want(2, 1)
		end(queue, "order.billed", "1")
		end(queue, "order.billed", "1")
	}
	want(2, 2)
	tally.billed("an order of another run")
	want(2, 2)
	tally.entered("1")
	tally.shipping("1")
	end("accounting.ledger.3", "ledger.entry", "1")
	want(2, 1)
	end("fulfilment.pack", "order", "1")
	want(2, 2)
}
