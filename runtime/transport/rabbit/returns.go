package rabbit

import (
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// returns matches the messages that the broker sent back with the publishes they were.
//
// The broker returns a message before it confirms it, and the library hands the return over before it closes the
// confirm's channel. So whoever sees a confirm finds its return here already, if he looks himself: a goroutine that
// collects returns may not have run yet. The channel holds as many returns as there are publishes in flight, so that
// the library never waits to hand one over.
type returns struct {
	incoming chan amqp.Return

	mu   sync.Mutex
	back map[transport.Address]int // two publishes in flight may have the same address
}

func newReturns(window int) *returns {
	return &returns{incoming: make(chan amqp.Return, window), back: make(map[transport.Address]int)}
}

// take reports whether the publish to this address came back. It is asked once a publish, after its confirm.
func (r *returns) take(address transport.Address) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drain()
	count := r.back[address]
	switch count {
	case 0:
		return false
	case 1:
		delete(r.back, address)
	default:
		r.back[address] = count - 1
	}
	return true
}

func (r *returns) drain() {
	for {
		select {
		case m, open := <-r.incoming:
			if !open {
				return
			}
			r.back[transport.Address{Exchange: m.Exchange, Key: m.RoutingKey, MessageID: m.MessageId}]++
		default:
			return
		}
	}
}
