package brokertest

import (
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Admin returns a channel of the client library alone, on a connection of its own, which lasts as long as the test.
func Admin(t testing.TB, url string) *amqp.Channel {
	t.Helper()
	conn, err := amqp.Dial(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	channel, err := conn.Channel()
	if err != nil {
		t.Fatal(err)
	}
	return channel
}

// RemoveAfter takes the queues and exchanges of a topology off a broker at the end of the test. What all services share
// stays: other tests that run at the same time need it.
func RemoveAfter(t testing.TB, url string, all *topology.Topology) {
	t.Helper()
	channel := Admin(t, url)
	t.Cleanup(func() {
		for _, queue := range all.Queues {
			if _, err := channel.QueueDelete(queue.Name, false, false, false); err != nil {
				t.Errorf("delete queue %s: %v", queue.Name, err)
			}
		}
		for _, exchange := range all.Exchanges {
			if wire.IsShared(exchange.Name) {
				continue
			}
			if err := channel.ExchangeDelete(exchange.Name, false, false); err != nil {
				t.Errorf("delete exchange %s: %v", exchange.Name, err)
			}
		}
	})
}
