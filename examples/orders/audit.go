package main

import (
	"context"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
)

// audit sees every event of an order.
type audit struct{ tally *tally }

func (a audit) OrderPlaced(_ context.Context, m *acemq.Message[orders.OrderPlaced]) acemq.Ack {
	a.tally.end(m.Queue, m.Envelope)
	return acemq.Accept()
}

func (a audit) OrderBilled(_ context.Context, m *acemq.Message[orders.OrderBilled]) acemq.Ack {
	a.tally.end(m.Queue, m.Envelope)
	return acemq.Accept()
}
