package main

import (
	"context"
	"time"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
)

// quoteTimeout is how long a till waits for a quote before it asks again.
const quoteTimeout = 5 * time.Second

// quote answers what lines would cost.
func quote(_ context.Context, m *acemq.Message[orders.QuoteRequest]) (orders.Quote, error) {
	return orders.Quote{TotalCents: sum(m.Payload.Lines)}, nil
}

// ask returns what a cart will cost: what the customer was told, or else what a quote says. No answer does not mean that
// nobody handled the request; a quote may be asked for twice.
func (s *shop) ask(ctx context.Context, c orders.Cart) (int64, error) {
	if c.ToldCents != nil {
		return *c.ToldCents, nil
	}
	ctx, cancel := context.WithTimeout(ctx, quoteTimeout)
	defer cancel()
	answer, err := s.quotes.Call(ctx, orders.QuoteRequest{Lines: c.Lines})
	return answer.TotalCents, err
}
