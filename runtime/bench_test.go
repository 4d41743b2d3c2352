package acemq

import (
	"context"
	"testing"

	"github.com/acemq/acemq-gen/runtime/idempotency"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
)

// BenchmarkPublish measures what a publisher costs beside its transport.
func BenchmarkPublish(b *testing.B) {
	s, err := newSettings(nil)
	if err != nil {
		b.Fatal(err)
	}
	publisher := NewPublisher(newConn(null{}, s), placedRoute)
	m := placed{"o-1", "eu"}
	b.ReportAllocs()
	for b.Loop() {
		if err := publisher.Publish(b.Context(), m); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkConsume measures what a consumer costs beside its transport: reading, decoding, settling.
func BenchmarkConsume(b *testing.B) {
	s, err := newSettings(nil)
	if err != nil {
		b.Fatal(err)
	}
	feed := make(chan *transport.Delivery)
	handled := make(chan struct{}, 1)
	c, err := Consume(b.Context(), newConn(feeding{null{}, feed}, s), Queue{Name: work}, func(context.Context, *Message[order]) Ack {
		handled <- struct{}{}
		return Accept()
	})
	if err != nil {
		b.Fatal(err)
	}
	e := Envelope{ID: "1", Type: "order.placed", Correlation: "1", Version: 1, Attempt: 1}
	d := &transport.Delivery{Message: transport.Message{Body: []byte(`{"id":"1"}`), Headers: e.Headers(nil)}, Settler: settled{}}
	b.ReportAllocs()
	for b.Loop() {
		feed <- d
		<-handled
	}
	c.Stop()
	<-c.Done()
}

// BenchmarkMemory measures a message from Publish to Accept through a broker in the process, with a store that remembers
// and without.
func BenchmarkMemory(b *testing.B) {
	for name, opts := range map[string][]ConsumeOption{"plain": nil, "once": {WithIdempotency(idempotency.NewMemory())}} {
		b.Run(name, func(b *testing.B) {
			conn, err := Dial(b.Context(), "memory://bench-"+name)
			if err != nil {
				b.Fatal(err)
			}
			defer conn.Close(context.Background())
			if err := conn.Declare(b.Context(), topology.New().Queue(work)); err != nil {
				b.Fatal(err)
			}
			handled := make(chan struct{}, 1)
			_, err = Consume(b.Context(), conn, Queue{Name: work}, func(context.Context, *Message[order]) Ack {
				handled <- struct{}{}
				return Accept()
			}, opts...)
			if err != nil {
				b.Fatal(err)
			}
			publisher := NewPublisher(conn, Route[order]{Key: work, Type: "order.placed", Version: 1})
			b.ReportAllocs()
			for b.Loop() {
				if err := publisher.Publish(b.Context(), order{"1"}); err != nil {
					b.Fatal(err)
				}
				<-handled
			}
		})
	}
}

// null is a broker that takes everything and keeps nothing.
type null struct{ transport.Broker }

func (null) Declare(context.Context, *topology.Topology) error { return nil }

func (null) Publish(context.Context, transport.Message) (transport.Pending, error) {
	return confirmed, nil
}

func (null) Close(context.Context) error { return nil }

var confirmed transport.Pending = answered{}

// settled answers for a delivery that can be settled.
type settled struct{}

func (settled) Ack() error      { return nil }
func (settled) Nack(bool) error { return nil }
func (settled) Live() bool      { return true }
