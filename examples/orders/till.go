package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
)

// shop has the tills. Old ones send bytes, which go out as they came.
type shop struct {
	conn   *acemq.Conn
	quotes *orders.QuotesClient
	bytes  *acemq.Publisher[brokenOrder]
	tally  *tally
}

// brokenOrder is the body that an old till sent.
type brokenOrder struct {
	country string
	body    []byte
}

func newShop(conn *acemq.Conn, t *tally) *shop {
	return &shop{
		conn:   conn,
		quotes: orders.NewQuotesClient(conn),
		bytes: acemq.NewPublisher(conn, acemq.Route[brokenOrder]{
			Exchange: "orders-events",
			Key:      "order.placed.{Country}",
			Fields:   func(b brokenOrder) []string { return []string{b.country} },
			Type:     "order.placed",
			Version:  1,
			Codec:    asSent{acemq.JSON},
		}),
		tally: t,
	}
}

// asSent calls a body JSON and passes it on as it is.
type asSent struct{ acemq.Codec }

func (asSent) Encode(v any) ([]byte, error) { return v.(*brokenOrder).body, nil }

// tills is how many orders are sent at once.
const tills = 32

// sell sends every order on its way.
func (s *shop) sell(ctx context.Context, all []order) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	queue := make(chan order)
	var open sync.WaitGroup
	for range tills {
		open.Go(func() {
			for o := range queue {
				if err := s.hand(ctx, o); err != nil {
					stop(err)
				}
			}
		})
	}
	for _, o := range all {
		queue <- o
	}
	close(queue)
	open.Wait()
	return context.Cause(ctx)
}

// hand sends one order. One whose outcome is unknown, or that the broker did not take, is sent again under the same id
// until it is confirmed: twice is better than never, and the id tells.
func (s *shop) hand(ctx context.Context, o order) error {
	id := acemq.NewID()
	for {
		err := s.send(ctx, o, id)
		var unroutable *acemq.UnroutableError
		switch {
		case err == nil:
			return nil
		case errors.As(err, &unroutable):
			return err
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// send sends an order along its route, under an id that becomes the correlation id of everything about it.
func (s *shop) send(ctx context.Context, o order, id string) error {
	if o.Broken != "" {
		err := s.bytes.Publish(ctx, brokenOrder{o.ShipTo.Country, []byte(o.Broken)}, acemq.WithID(id))
		if err == nil {
			s.tally.announced(id)
		}
		return err
	}
	cart := o.cart()
	cents, err := s.ask(ctx, cart)
	if err != nil {
		return err
	}
	err = route(cents).Send(ctx, s.conn, cart, acemq.WithID(id))
	if err == nil {
		s.tally.sold(id)
	}
	return err
}

// total is what a cart costs: what the customer was told, or else what its lines come to.
func total(c orders.Cart) int64 {
	if c.ToldCents != nil {
		return *c.ToldCents
	}
	return sum(c.Lines)
}
