package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
)

// serve reads all orders before it connects, so that a file with a mistake in it changes nothing.
func serve(ctx context.Context, path, url string, timeout time.Duration, log *slog.Logger, out io.Writer) error {
	all, err := readOrders(path)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("not all orders were settled within %v", timeout))
	defer cancel()
	conn, err := acemq.Dial(ctx, url, acemq.WithService("orders"), acemq.WithLogger(log))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := orders.Declare(ctx, conn); err != nil {
		return err
	}

	start := time.Now()
	tally := newTally()
	desks, err := open(ctx, conn, tally)
	if err != nil {
		return err
	}
	err = newTill(conn).publish(ctx, all, tally)
	if err == nil {
		err = tally.wait(ctx, conn)
	}
	printReport(out, report{
		orders: len(all), source: source(path), took: time.Since(start), desks: desks, tally: tally,
	})
	return err
}

// open starts every consumer of the flow.
func open(ctx context.Context, conn *acemq.Conn, t *tally) ([]*acemq.Consumer, error) {
	b := &billing{payments: newPayments(), billed: orders.NewBilledPublisher(conn), tally: t}
	billing, err := orders.ConsumeBilling(ctx, conn, b.charge)
	if err != nil {
		return nil, err
	}
	receipts, err := orders.ConsumeReceipts(ctx, conn, t.receipt)
	if err != nil {
		return nil, err
	}
	audit, err := orders.ConsumeAudit(ctx, conn, audit{t})
	if err != nil {
		return nil, err
	}
	return []*acemq.Consumer{billing, receipts, audit}, nil
}

func source(path string) string {
	if path == "" {
		return "the sample"
	}
	return path
}
