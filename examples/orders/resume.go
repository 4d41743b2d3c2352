package main

import (
	"context"
	"strings"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	acemq "github.com/acemq/acemq-gen/runtime"
)

// takeUp counts what waits in the queues of work, before anybody consumes from them, as orders of this run. What waits
// out a delay is not there, and comes when it comes.
func (t *tally) takeUp(ctx context.Context, conn *acemq.Conn) error {
	seen := map[string]bool{}
	for _, q := range orders.Topology().Queues {
		if !isWork(q.Name) {
			continue
		}
		err := conn.Browse(ctx, q.Name, func(m *acemq.Message[[]byte]) {
			order := m.Envelope.Correlation
			if !seen[order] {
				seen[order] = true
				t.published(order)
			}
			t.expect(order, place(q.Name, m.Envelope.Type))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// isWork reports whether a queue is one that a handler takes from, and none beside it.
func isWork(queue string) bool {
	return !strings.HasSuffix(queue, ".dlq") && !strings.HasSuffix(queue, ".parked") && !strings.Contains(queue, ".retry.")
}
