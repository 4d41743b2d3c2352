package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/ordered"
	"github.com/acemq/acemq-gen/runtime/outbox"
	"github.com/acemq/acemq-gen/runtime/request"
	"github.com/acemq/acemq-gen/runtime/schedule"
)

// serve reads all orders before it connects, so that a file with a mistake in it changes nothing.
func serve(ctx context.Context, s settings, log *slog.Logger, out io.Writer) error {
	all, err := s.orders()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.timeout, fmt.Errorf("not all orders were settled within %v", s.timeout))
	defer cancel()
	trail := newTrail()
	conn, err := acemq.Dial(ctx, s.url, acemq.WithService("orders"), acemq.WithLogger(log),
		acemq.WithInterceptor(trail.interceptor()))
	if err != nil {
		return err
	}
	db, err := openDatabase(ctx, s.db)
	if err != nil {
		conn.Close(context.WithoutCancel(ctx))
		return err
	}
	defer db.close()
	defer conn.Close(context.WithoutCancel(ctx))
	if err := orders.Declare(ctx, conn); err != nil {
		return err
	}
	start := time.Now()
	places, t := newPlacement(s.closed), newTally()
	if s.resume {
		if err := t.takeUp(ctx, conn); err != nil {
			return err
		}
	}
	service, err := open(ctx, conn, db, places, t)
	if err != nil {
		return err
	}
	defer service.relay.Close(context.WithoutCancel(ctx))
	err = service.settle(ctx, all)
	service.report(out, heading{s.source(), db.dialect.String(), trail, time.Since(start)})
	return err
}

// service is a shop with the departments behind it.
type service struct {
	conn  *acemq.Conn
	relay *outbox.Relay
	tally *tally

	shop       *shop
	reminders  *reminders
	places     *placement
	accounting *accounting
	fulfilment *orders.FulfilmentPipeline

	desks  desks
	ledger *ordered.Consumer
}

// desks are consumers that were started, and why one was not.
type desks struct {
	consumers []*acemq.Consumer
	err       error
}

func (d *desks) add(c *acemq.Consumer, err error) {
	if err != nil {
		d.err = err
		return
	}
	d.consumers = append(d.consumers, c)
}

func (d *desks) addServer(s *request.Server, err error) {
	if err != nil {
		d.err = err
		return
	}
	d.add(s.Consumer, nil)
}

// open starts the relay, the scheduler, and every consumer of the flow.
func open(ctx context.Context, conn *acemq.Conn, db *database, places *placement, t *tally) (*service, error) {
	s := &service{
		conn: conn, tally: t, places: places,
		shop: newShop(conn, t), reminders: newReminders(conn, db, t), accounting: newAccounting(conn, t),
	}
	var err error
	if _, err = schedule.Run(ctx, conn); err != nil {
		return nil, err
	}
	if s.fulfilment, err = orders.RunFulfilment(ctx, conn, warehouse{t}); err != nil {
		return nil, err
	}
	if s.ledger, err = orders.ConsumeLedger(ctx, conn, s.accounting.apply); err != nil {
		return nil, err
	}
	if s.relay, err = outbox.Start(conn, db.outbox); err != nil {
		return nil, err
	}
	s.openDesks(ctx, db)
	if s.desks.err != nil {
		s.relay.Close(context.WithoutCancel(ctx))
	}
	return s, s.desks.err
}

func (s *service) openDesks(ctx context.Context, db *database) {
	checkout := &checkout{db: db, relay: s.relay, tally: s.tally}
	billing := &billing{
		conn: s.conn, places: s.places, reminders: s.reminders, db: db, relay: s.relay, tally: s.tally,
	}
	entrance := &entrance{s.fulfilment, s.tally}
	conn, desks := s.conn, &s.desks
	desks.addServer(orders.ServeQuotes(ctx, conn, quote))
	desks.add(orders.HandleCheckoutPrice(ctx, conn, checkout.price))
	desks.add(orders.HandleCheckoutFraud(ctx, conn, checkout.fraud))
	desks.add(orders.HandleCheckoutAccept(ctx, conn, checkout.accept))
	desks.add(orders.ConsumeBilling(ctx, conn, billing.bill, acemq.WithIdempotency(db.handled)))
	desks.add(orders.ConsumeReminders(ctx, conn, s.reminders.remind))
	desks.add(orders.ConsumeReceipts(ctx, conn, s.accounting.receipt))
	desks.add(orders.ConsumeWarehouse(ctx, conn, entrance.enter))
	desks.consumers = append(desks.consumers, s.fulfilment.Consumers()...)
	desks.add(orders.ConsumeAudit(ctx, conn, audit{s.tally}))
}

// settle sells all orders, and looks into the queues until every one of them is settled and in the ledger, or ctx ends.
func (s *service) settle(ctx context.Context, all []order) error {
	if err := s.shop.sell(ctx, all); err != nil {
		return err
	}
	for {
		if err := s.tally.look(ctx, s.conn); err != nil {
			return err
		}
		if published, settled := s.tally.count(); published == settled {
			return s.accounting.verify()
		}
		s.reminders.repeat(ctx)
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// orders reads what is to be sold.
func (s settings) orders() ([]order, error) {
	if s.resume {
		return nil, nil
	}
	return readOrders(s.path)
}

// source says where the orders come from.
func (s settings) source() string {
	switch {
	case s.resume:
		return "the queues"
	case s.path == "":
		return "the sample"
	}
	return s.path
}
