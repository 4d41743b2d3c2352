package rabbit

import (
	"context"
	"fmt"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/internal/brokertest"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/conformance"
)

func TestConformance(t *testing.T) {
	url := brokertest.URL(t)
	conformance.Run(t, conformance.Harness{
		Open:           func(t *testing.T) transport.Broker { return dial(t, url, Options{}) },
		DeleteQueue:    func(t *testing.T, queue string) { deleteQueue(t, url, queue) },
		DeleteExchange: func(t *testing.T, exchange string) { deleteExchange(t, url, exchange) },
		Cut:            func(_ *testing.T, b transport.Broker) { cut(b.(*broker)) },
		Version:        version(t, url),
	})
}

// TestConformanceUnderAlarm runs the cases of a blocked broker, on a node that no other test shares.
func TestConformanceUnderAlarm(t *testing.T) {
	node := brokertest.Node(t)
	conformance.Run(t, conformance.Harness{
		Open:           func(t *testing.T) transport.Broker { return dial(t, node.URL(), Options{}) },
		DeleteQueue:    func(t *testing.T, queue string) { deleteQueue(t, node.URL(), queue) },
		DeleteExchange: func(t *testing.T, exchange string) { deleteExchange(t, node.URL(), exchange) },
		Cut:            func(_ *testing.T, b transport.Broker) { cut(b.(*broker)) },
		Block: func(t *testing.T) func() {
			watermark(t, node, "0")
			return func() { watermark(t, node, "0.4") }
		},
		Version: version(t, node.URL()),
	})
}

func watermark(t *testing.T, node *brokertest.Server, fraction string) {
	t.Helper()
	if _, err := node.Ctl(context.Background(), "set_vm_memory_high_watermark", fraction); err != nil {
		t.Fatal(err)
	}
}

// dial connects with a short backoff.
func dial(t testing.TB, url string, options Options) transport.Broker {
	t.Helper()
	if options.Backoff == nil {
		options.Backoff = func(int) time.Duration { return 300 * time.Millisecond }
	}
	b, err := Dial(t.Context(), url, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	return b
}

// cut ends the connections of a broker by force.
func cut(b *broker) {
	for _, l := range []*link{b.publishing, b.consuming} {
		if e, _, _ := l.look(); e != nil {
			e.network.Conn.Close()
		}
	}
}

// admin runs f on a channel that nothing of this package made.
func admin(t testing.TB, url string, f func(*amqp.Channel) error) {
	t.Helper()
	conn, err := amqp.Dial(url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		t.Fatal(err)
	}
	if err := f(ch); err != nil {
		t.Fatal(err)
	}
}

func deleteQueue(t testing.TB, url, queue string) {
	t.Helper()
	admin(t, url, func(ch *amqp.Channel) error {
		_, err := ch.QueueDelete(queue, false, false, false)
		return err
	})
}

func deleteExchange(t testing.TB, url, exchange string) {
	t.Helper()
	admin(t, url, func(ch *amqp.Channel) error { return ch.ExchangeDelete(exchange, false, false) })
}

// version asks the broker for its version.
func version(t testing.TB, url string) (v conformance.Version) {
	t.Helper()
	conn, err := amqp.Dial(url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	text, _ := conn.Properties["version"].(string)
	if _, err := fmt.Sscanf(text, "%d.%d", &v.Major, &v.Minor); err != nil {
		t.Fatalf("the broker's version is %q: %v", text, err)
	}
	return v
}
