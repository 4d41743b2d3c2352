package main

import (
	"context"
	"sync"
	"time"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
)

// arrival is one event in one queue, and the message id of the order that it is about.
type arrival struct{ queue, event, order string }

// tally says what became of the orders: every event that the broker confirmed is expected in the queues that are bound
// for it, and has ended when a handler accepted it there or when it lies in the queues beside. An event that comes
// twice counts once.
type tally struct {
	mu       sync.Mutex
	orders   []string // the message ids that were published
	expected map[arrival]bool
	ended    map[arrival]bool
}

func newTally() *tally { return &tally{expected: map[arrival]bool{}, ended: map[arrival]bool{}} }

// placed notes an order that the broker has confirmed.
func (t *tally) placed(order string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.orders = append(t.orders, order)
	t.expected[arrival{"billing.orders", "order.placed", order}] = true
	t.expected[arrival{"audit.orders", "order.placed", order}] = true
}

// billed notes a bill that the broker has confirmed.
func (t *tally) billed(order string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expected[arrival{"accounting.receipts", "order.billed", order}] = true
	t.expected[arrival{"audit.orders", "order.billed", order}] = true
}

// end notes that an event has ended in a queue.
func (t *tally) end(queue, event, order string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended[arrival{queue, event, order}] = true
}

// count returns how many orders were published, and how many of them have nothing left to happen.
func (t *tally) count() (published, settled int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	open := map[string]bool{}
	for a := range t.expected {
		if !t.ended[a] {
			open[a.order] = true
		}
	}
	return len(t.orders), len(t.orders) - len(open)
}

// receipt is the handler of accounting.receipts: a bill names the order that caused it.
func (t *tally) receipt(_ context.Context, m *acemq.Message[orders.OrderBilled]) acemq.Ack {
	t.end(m.Queue, m.Envelope.Type, m.Envelope.Causation)
	return acemq.Accept()
}

// wait looks into the queues beside the queues of work until every order is settled, or ctx ends.
func (t *tally) wait(ctx context.Context, conn *acemq.Conn) error {
	for {
		for _, queue := range []string{"billing.orders", "audit.orders"} {
			for _, beside := range []string{".dlq", ".parked"} {
				err := conn.Browse(ctx, queue+beside, func(m *acemq.Message[[]byte]) {
					t.end(queue, m.Envelope.Type, m.Envelope.ID)
				})
				if err != nil && ctx.Err() == nil {
					return err
				}
			}
		}
		if published, settled := t.count(); published == settled {
			return nil
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
