package main

import (
	"fmt"
	"io"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
)

type report struct {
	orders int
	source string
	took   time.Duration
	desks  []*acemq.Consumer
	tally  *tally
}

// printReport prints what each consumer did, and last what became of the orders.
func printReport(out io.Writer, r report) {
	fmt.Fprintf(out, "%d orders from %s\n\n", r.orders, r.source)
	fmt.Fprintf(out, "%-22s %9s %9s %14s %9s\n", "queue", "accepted", "retried", "dead-lettered", "parked")
	for _, consumer := range r.desks {
		c := consumer.Counts()
		fmt.Fprintf(out, "%-22s %9d %9d %14d %9d\n", consumer.Queue(), c.Accepted, c.Retried, c.Rejected+c.DeadLettered, c.Parked)
	}
	published, settled := r.tally.count()
	fmt.Fprintf(out, "\ntime %v\n", r.took.Round(time.Millisecond))
	fmt.Fprintf(out, "published %d settled %d lost %d\n", published, settled, published-settled)
}
