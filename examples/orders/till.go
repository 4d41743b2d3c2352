package main

import (
	"context"
	"errors"
	"time"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
)

// till announces orders. Some arrive from old tills as bytes, and go out as they came.
type till struct {
	placed *orders.PlacedPublisher
	bytes  *acemq.Publisher[brokenOrder]
}

// brokenOrder is the body that an old till sent.
type brokenOrder struct {
	country string
	body    []byte
}

func newTill(conn *acemq.Conn) *till {
	return &till{
		placed: orders.NewPlacedPublisher(conn),
		bytes: acemq.NewPublisher(conn, acemq.Route[brokenOrder]{
			Exchange: "orders-events",
			Key:      "order.placed.{Country}",
			Fields:   func(b brokenOrder) []string { return []string{b.country} },
			Type:     "order.placed",
			Version:  1,
			Codec:    asSent{acemq.JSON},
		}),
	}
}

// asSent calls a body JSON and passes it on as it is.
type asSent struct{ acemq.Codec }

func (asSent) Encode(v any) ([]byte, error) { return v.(*brokenOrder).body, nil }

type pending struct {
	order        order
	id           string
	confirmation *acemq.Confirmation
	err          error
}

// publish announces every order. One whose outcome is unknown, or that the broker did not take, is announced again
// under the same id until it is confirmed: twice is better than never, and the id tells.
func (t *till) publish(ctx context.Context, all []order, tally *tally) error {
	var waiting []pending
	for _, o := range all {
		waiting = append(waiting, pending{order: o, id: acemq.NewID()})
	}
	for len(waiting) > 0 {
		for i := range waiting {
			p := &waiting[i]
			p.confirmation, p.err = t.send(ctx, p.order, p.id)
		}
		var again []pending
		for _, p := range waiting {
			if p.err == nil {
				p.err = p.confirmation.Wait(ctx)
			}
			var unroutable *acemq.UnroutableError
			switch {
			case p.err == nil:
				tally.placed(p.id)
			case errors.As(p.err, &unroutable) || ctx.Err() != nil:
				return p.err
			default:
				again = append(again, p)
			}
		}
		if waiting = again; len(waiting) > 0 {
			time.Sleep(200 * time.Millisecond)
		}
	}
	return nil
}

func (t *till) send(ctx context.Context, o order, id string) (*acemq.Confirmation, error) {
	if o.Broken != "" {
		return t.bytes.PublishAsync(ctx, brokenOrder{o.ShipTo.Country, []byte(o.Broken)}, acemq.WithID(id))
	}
	return t.placed.PublishAsync(ctx, o.event(), acemq.WithID(id))
}
