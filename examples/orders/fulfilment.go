package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/pipeline"
)

// entrance is where orders that were paid enter the warehouse.
type entrance struct {
	fulfilment *orders.FulfilmentPipeline
	tally      *tally
}

// enter is the handler of warehouse.orders: it sends an order into the pipeline, under the id of the bill.
func (e *entrance) enter(ctx context.Context, m *acemq.Message[orders.OrderBilled]) acemq.Ack {
	err := e.fulfilment.Send(ctx, m.Payload.Order, acemq.WithID(m.Envelope.ID), acemq.CausedBy(m.Envelope))
	if err != nil {
		return acemq.Retry(err)
	}
	e.tally.shipping(m.Envelope.Correlation)
	e.tally.end(m.Queue, m.Envelope)
	return acemq.Accept()
}

// warehouse runs the steps of the pipeline.
type warehouse struct{ tally *tally }

// letterPieces is how much fits into a letter, and boxPieces into a box that one person packs.
const (
	letterPieces = 2
	boxPieces    = 45
)

// insuredCents is the most that a parcel is insured for.
const insuredCents = 1_000_000

// Validate ends what fits into a letter: it needs no parcel, and goes out with the mail.
func (w warehouse) Validate(_ context.Context, m *acemq.Message[orders.Order]) (orders.Order, error) {
	if pieces(m.Payload) <= letterPieces {
		w.tally.end(m.Queue, m.Envelope)
		return orders.Order{}, pipeline.End
	}
	return m.Payload, nil
}

var errHeavy = errors.New("the box is heavy and waits for a second pair of hands")

// Pack fails for good where no parcel will do, and for a while where a box is heavy.
func (w warehouse) Pack(_ context.Context, m *acemq.Message[orders.Order]) (orders.Parcel, error) {
	o := m.Payload
	switch n := pieces(o); {
	case o.TotalCents > insuredCents:
		return orders.Parcel{}, acemq.Fatal(fmt.Errorf("order %d is worth more than a parcel is insured for", o.OrderID))
	case n > boxPieces && m.IsFirstAttempt():
		return orders.Parcel{}, errHeavy
	default:
		return orders.Parcel{OrderID: o.OrderID, Country: o.Country, Pieces: n}, nil
	}
}

// Ship hands the parcel to the courier.
func (w warehouse) Ship(_ context.Context, m *acemq.Message[orders.Parcel]) error {
	w.tally.end(m.Queue, m.Envelope)
	return nil
}

func pieces(o orders.Order) int64 {
	var n int64
	for _, l := range o.Lines {
		n += l.Quantity
	}
	return n
}
