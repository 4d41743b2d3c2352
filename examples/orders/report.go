package main

import (
	"fmt"
	"io"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/ordered"
)

// heading says what a report is about.
type heading struct {
	source   string
	database string
	trail    *trail
	took     time.Duration
}

// row is what became of the messages of a queue, and what else there is to say.
type row struct {
	queue                           string
	accepted, retried, dead, parked int64
	remark                          string
}

// report prints what each consumer did, and last what became of the orders.
func (s *service) report(out io.Writer, h heading) {
	published, settled := s.tally.count()
	fmt.Fprintf(out, "%d orders from %s, kept in %s\n\n", published, h.source, h.database)
	fmt.Fprintf(out, "%-22s %9s %9s %14s %9s\n", "queue", "accepted", "retried", "dead-lettered", "parked")
	for _, r := range s.rows() {
		fmt.Fprintf(out, "%-22s %9d %9d %14d %9d", r.queue, r.accepted, r.retried, r.dead, r.parked)
		if r.remark != "" {
			fmt.Fprintf(out, "   %s", r.remark)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "\naudit: %v\n", h.trail)
	fmt.Fprintf(out, "\ntime %v\n", h.took.Round(time.Millisecond))
	fmt.Fprintf(out, "published %d settled %d lost %d\n", published, settled, published-settled)
}

func (s *service) rows() []row {
	remarks := map[string]string{
		"checkout.fraud":      "large orders alone",
		"billing.orders":      fmt.Sprintf("%d refunded, for no courier goes there", s.places.count()),
		"billing.reminders":   fmt.Sprintf("%d not paid", s.reminders.count()),
		"fulfilment.validate": fmt.Sprintf("%d entered, %d ended early", s.fulfilment.Entered(), s.fulfilment.EndedEarly()),
		"fulfilment.ship":     fmt.Sprintf("%d completed", s.fulfilment.Completed()),
	}
	var rows []row
	for _, consumer := range s.desks.consumers {
		rows = append(rows, consumerRow(consumer, remarks[consumer.Queue()]))
	}
	return append(rows, ledgerRow(s.ledger, fmt.Sprintf("%d accounts, each in order", s.accounting.count())))
}

func consumerRow(consumer *acemq.Consumer, remark string) row {
	c := consumer.Counts()
	return row{consumer.Queue(), c.Accepted, c.Retried, c.Rejected + c.DeadLettered, c.Parked, remark}
}

// ledgerRow counts a try in place as a retry.
func ledgerRow(ledger *ordered.Consumer, remark string) row {
	c := ledger.Counts()
	return row{ledgerJourney, c.Handled, c.Failed, c.Skipped, c.Parked, remark}
}
