package main

import (
	"context"
	"strings"
	"sync"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
)

// tally says what became of the orders. Whatever the broker has confirmed about an order, or the database has promised,
// is expected somewhere, and has ended there when a handler is done with it or when it lies in a queue beside. An order
// is settled when nothing that is expected of it is left. What comes twice counts once.
type tally struct {
	mu       sync.Mutex
	orders   []string // the correlation ids of the orders that were published
	progress map[string]progress
}

// progress is what is expected of an order, by place, and what has ended.
type progress struct{ expected, ended map[string]bool }

func newTally() *tally { return &tally{progress: map[string]progress{}} }

// journeys are the places that have several queues. What sets out is expected to end at one of them.
const (
	checkoutJourney   = "checkout"
	ledgerJourney     = "accounting.ledger"
	fulfilmentJourney = "fulfilment"
)

// place returns where a message of a type ends that is in a queue.
func place(queue, kind string) string {
	for _, journey := range []string{checkoutJourney, ledgerJourney, fulfilmentJourney} {
		if strings.HasPrefix(queue, journey+".") {
			return journey
		}
	}
	return queue + " " + kind
}

// sold notes an order that set out from a till.
func (t *tally) sold(order string) {
	t.published(order)
	t.expect(order, checkoutJourney)
}

// announced notes an order that an old till announced by itself.
func (t *tally) announced(order string) {
	t.published(order)
	t.placed(order)
}

func (t *tally) published(order string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.orders = append(t.orders, order)
}

// placed notes that an order is in the books, or announced: it will be billed.
func (t *tally) placed(order string) {
	t.expect(order, place("billing.orders", "order.placed"), place("audit.orders", "order.placed"))
}

// billed notes that an order has a bill.
func (t *tally) billed(order string) {
	t.expect(order, place("accounting.receipts", "order.billed"), place("warehouse.orders", "order.billed"),
		place("audit.orders", "order.billed"))
	t.note(order, place("billing.orders", "order.placed"))
}

// due notes that somebody will ask whether an order was paid.
func (t *tally) due(order string) { t.expect(order, place("billing.reminders", "payment.due")) }

// entered notes that the ledger has an entry.
func (t *tally) entered(order string) { t.expect(order, ledgerJourney) }

// shipping notes that an order is in the pipeline.
func (t *tally) shipping(order string) { t.expect(order, fulfilmentJourney) }

func (t *tally) expect(order string, places ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, place := range places {
		t.of(order).expected[place] = true
	}
}

// end notes that a message has ended in a queue, or beside it.
func (t *tally) end(queue string, e acemq.Envelope) { t.note(e.Correlation, place(queue, e.Type)) }

func (t *tally) note(order, place string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.of(order).ended[place] = true
}

// of returns the progress of an order; the caller has the lock.
func (t *tally) of(order string) progress {
	if _, known := t.progress[order]; !known {
		t.progress[order] = progress{map[string]bool{}, map[string]bool{}}
	}
	return t.progress[order]
}

// count returns how many orders were published, and how many of them have nothing left to happen. What an earlier run
// left in the queues is not among them.
func (t *tally) count() (published, settled int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, order := range t.orders {
		if t.progress[order].isSettled() {
			settled++
		}
	}
	return len(t.orders), settled
}

func (p progress) isSettled() bool {
	for place := range p.expected {
		if !p.ended[place] {
			return false
		}
	}
	return true
}

// look notes what lies in the queues beside the queues of work.
func (t *tally) look(ctx context.Context, conn *acemq.Conn) error {
	for _, q := range orders.Topology().Queues {
		queue, dead := strings.CutSuffix(q.Name, ".dlq")
		queue, parked := strings.CutSuffix(queue, ".parked")
		if !dead && !parked {
			continue
		}
		err := conn.Browse(ctx, q.Name, func(m *acemq.Message[[]byte]) { t.end(queue, m.Envelope) })
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}
