package memory_test

import (
	"testing"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// BenchmarkThrough publishes to a consumer that acks.
func BenchmarkThrough(b *testing.B) {
	bench := newBench(b)
	c := bench.consume("q", 100)
	go func() {
		for d := range c.Deliveries() {
			_ = d.Ack()
		}
	}()
	m := transport.Message{Key: "q", MessageID: "m", Body: make([]byte, 256), Headers: wire.Table{
		wire.HeaderID: "m", wire.HeaderType: "order.placed", wire.HeaderVersion: int32(1), wire.HeaderAttempt: int32(1),
		wire.HeaderCorrelation: "m", wire.HeaderFirstSeen: int64(1),
	}}
	b.ReportAllocs()
	for b.Loop() {
		p, err := bench.broker.Publish(b.Context(), m)
		bench.must(err)
		bench.must(p.Wait(b.Context()))
	}
}

// BenchmarkDeepQueue publishes to and takes from a queue of 200,000 messages.
func BenchmarkDeepQueue(b *testing.B) {
	bench := newBench(b)
	bench.queue("deep", wire.Table{"x-message-ttl": int64(3_600_000), "x-max-length": int64(200_000)})
	m := transport.Message{Key: "deep", MessageID: "m"}
	publish := func() {
		_, err := bench.broker.Publish(b.Context(), m)
		bench.must(err)
	}
	for range 200_000 {
		publish()
	}
	c := bench.consume("deep", 10)
	b.ReportAllocs()
	for b.Loop() {
		publish()
		bench.must((<-c.Deliveries()).Ack())
	}
}
