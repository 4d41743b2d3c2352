package main

import (
	"context"
	"sync"
	"time"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
)

const (
	// remindAfter is how long a customer has to pay.
	remindAfter = 3 * time.Second

	// overdueAfter is when a reminder that did not come is sent again: a broker that is killed may lose a scheduled
	// message that was just on its way.
	overdueAfter = 10 * time.Second
)

// reminders looks after customers who have not paid.
type reminders struct {
	due   *orders.DuePublisher
	db    *database
	tally *tally

	mu      sync.Mutex
	waiting map[string]reminder // by order
	unpaid  map[string]bool     // orders that were not paid when the reminder came
}

// reminder is one that was scheduled and has not come.
type reminder struct {
	due   orders.PaymentDue
	cause acemq.Envelope
	since time.Time
}

func newReminders(conn *acemq.Conn, db *database, t *tally) *reminders {
	return &reminders{
		due: orders.NewDuePublisher(conn), db: db, tally: t,
		waiting: map[string]reminder{}, unpaid: map[string]bool{},
	}
}

// schedule has an order looked at again when it should be paid.
func (r *reminders) schedule(ctx context.Context, o orders.Order, cause acemq.Envelope) error {
	due := orders.PaymentDue{OrderID: o.OrderID, TotalCents: o.TotalCents}
	if err := r.due.PublishAfter(ctx, remindAfter, due, acemq.CausedBy(cause)); err != nil {
		return err
	}
	r.tally.due(cause.Correlation)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting[cause.Correlation] = reminder{due, cause, time.Now()}
	return nil
}

// remind is the handler of billing.reminders.
func (r *reminders) remind(ctx context.Context, m *acemq.Message[orders.PaymentDue]) acemq.Ack {
	order := m.Envelope.Correlation
	paid, err := r.db.isPaid(ctx, order)
	if err != nil {
		return acemq.Retry(err)
	}
	r.came(order, paid)
	r.tally.end(m.Queue, m.Envelope)
	return acemq.Accept()
}

func (r *reminders) came(order string, paid bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.waiting, order)
	if !paid {
		r.unpaid[order] = true
	}
}

// repeat sends reminders that are overdue again.
func (r *reminders) repeat(ctx context.Context) {
	for _, w := range r.overdue() {
		r.due.Publish(ctx, w.due, acemq.CausedBy(w.cause)) // one that fails is overdue again
	}
}

// overdue returns the reminders that did not come, and gives them another while.
func (r *reminders) overdue() []reminder {
	r.mu.Lock()
	defer r.mu.Unlock()
	var late []reminder
	for order, w := range r.waiting {
		if time.Since(w.since) < overdueAfter {
			continue
		}
		w.since = time.Now()
		r.waiting[order] = w
		late = append(late, w)
	}
	return late
}

// count returns how many customers were reminded.
func (r *reminders) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.unpaid)
}
