package main

import (
	"context"
	"log/slog"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// ours is the runtime as generated code calls it.
func ours(ctx context.Context, url string, s shape) (sample, error) {
	conn, err := acemq.Dial(ctx, url, acemq.WithService("bench"), acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		return sample{}, err
	}
	defer conn.Close(ctx)
	if s.prefetch > 0 {
		return oursConsume(ctx, conn, url, s)
	}
	return oursPublish(ctx, conn, url, s)
}

func oursPublish(ctx context.Context, conn *acemq.Conn, url string, s shape) (sample, error) {
	admin, err := amqp.Dial(url)
	if err != nil {
		return sample{}, err
	}
	defer admin.Close()
	if _, err := emptyQueue(admin); err != nil {
		return sample{}, err
	}
	publisher := acemq.NewPublisher(conn, acemq.Route[[]byte]{
		Key: queue, Type: "bench.message", Version: 1, Codec: acemq.Bytes,
	})
	if err := publisher.Publish(ctx, nil); err != nil { // opens the connection, as raw's is open
		return sample{}, err
	}
	if _, err := emptyQueue(admin); err != nil {
		return sample{}, err
	}
	got, err := publishShape(ctx, publisher, s)
	if err != nil {
		return sample{}, err
	}
	return got, expectDepth(admin, s.messages)
}

// publishShape publishes one at a time with Publish, and pipelined with PublishAsync.
func publishShape(ctx context.Context, publisher *acemq.Publisher[[]byte], s shape) (sample, error) {
	body := make([]byte, s.body)
	if s.window == 1 {
		return pipelined(s, func(int, time.Time) (error, error) { return publisher.Publish(ctx, body), nil },
			func(err error) error { return err })
	}
	send := func(int, time.Time) (*acemq.Confirmation, error) { return publisher.PublishAsync(ctx, body) }
	return pipelined(s, send, func(c *acemq.Confirmation) error { return c.Wait(ctx) })
}

func oursConsume(ctx context.Context, conn *acemq.Conn, url string, s shape) (sample, error) {
	first, err := consume(ctx, conn, s, func() {}) // opens the connection, as raw's is open
	if err != nil {
		return sample{}, err
	}
	if err := first.Close(ctx); err != nil {
		return sample{}, err
	}
	if err := fill(ctx, url, s); err != nil {
		return sample{}, err
	}
	arrivals := newArrivals(s.messages)
	m := newMeter()
	consumer, err := consume(ctx, conn, s, arrivals.note)
	if err != nil {
		return sample{}, err
	}
	if err := arrivals.wait(ctx); err != nil {
		return sample{}, err
	}
	got := m.end(arrivals.gaps(m.start))
	return got, consumer.Close(ctx)
}

func consume(ctx context.Context, conn *acemq.Conn, s shape, note func()) (*acemq.Consumer, error) {
	return acemq.Consume(ctx, conn, acemq.Queue{Name: queue, Prefetch: s.prefetch, Concurrency: s.handlers},
		func(context.Context, *acemq.Message[[]byte]) acemq.Ack {
			note()
			return acemq.Accept()
		}, acemq.DecodeWith(acemq.Bytes))
}
