package ordered

import (
	"crypto/sha256"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// identity returns what a message is known by when it comes again: its id or, where it has none, what it holds.
func identity(d *transport.Delivery) string {
	e := wire.ReadEnvelope(d.Headers, wire.Arrival{MessageID: d.MessageID, NewID: func() string { return "" }})
	if e.ID != "" {
		return e.ID
	}
	sum := sha256.Sum256(d.Body)
	return string(sum[:])
}

// How often the broker may have handed a message out. RabbitMQ 4 takes one off a quorum queue that it has handed out
// 21 times, counting each lost channel, and a partition has nowhere to send it.
const (
	worn    = 15 // a message that halts its partition is not held any longer, but left in its queue
	wornOut = 19 // a message that halts its partition is moved to {queue}.dlq, before it is gone
)

// deliveries returns how often the broker handed the message out before; 0 where it does not count.
func deliveries(d *transport.Delivery) int64 {
	n, _ := d.Headers["x-delivery-count"].(int64)
	return n
}
