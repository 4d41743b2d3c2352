package acemq

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// incoming is a delivery that was taken up.
type incoming struct {
	delivery   transport.Delivery
	envelope   Envelope
	headers    Headers // of the application
	codec      Codec
	receivedAt time.Time
	watched    *watched // nil where nobody watches
}

// received returns a delivery whose body codec reads.
func received(d *transport.Delivery, codec Codec) incoming {
	in := incoming{delivery: *d}
	in.read(codec)
	return in
}

// read reads the envelope of the delivery, whose body codec reads.
func (in *incoming) read(codec Codec) {
	in.codec, in.receivedAt, in.watched = codec, time.Now(), nil
	in.envelope, in.headers = wire.ReadHeaders(in.delivery.Headers, wire.Arrival{
		MessageID:  in.delivery.MessageID,
		RoutingKey: in.delivery.Key,
		Now:        in.receivedAt,
		NewID:      NewID,
	})
}

// processor decodes a delivery and hands it to a handler.
type processor func(ctx context.Context, in *incoming) Ack

// decodeAs returns the processor that decodes a T for handler. What cannot be decoded never reaches the handler.
func decodeAs[T any](handler Handler[T]) processor {
	return func(ctx context.Context, in *incoming) Ack {
		m, err := read[T](in)
		if err != nil {
			return undecodable(err)
		}
		if in.watched == nil {
			return handler(ctx, m)
		}
		return surround(ctx, in, m, handler)
	}
}

// read returns what a handler sees of a delivery.
func read[T any](in *incoming) (*Message[T], error) {
	m := view[T](in)
	if !in.codec.Reads(in.delivery.ContentType) {
		return nil, unreadable(in.codec, in.delivery.ContentType)
	}
	if err := in.codec.Decode(in.delivery.ContentType, in.delivery.Body, &m.Payload); err != nil {
		return nil, err
	}
	return m, nil
}

var errGoexit = errors.New("acemq: the handler ended its goroutine and gave no answer")

// handle processes a delivery and settles it, even where the handler ends its goroutine.
func (c *Consumer) handle(in *incoming) {
	ack := DeadLetter(errGoexit)
	defer func() { c.settle(in, ack) }()
	ack = c.answer(in)
}

// answer returns what the processor says, or a dead letter where it panics.
func (c *Consumer) answer(in *incoming) (ack Ack) {
	defer func() {
		if value := recover(); value != nil {
			ack = DeadLetter(panicked(in.envelope.ID, value))
			c.log.Error("acemq: a handler panicked", "id", in.envelope.ID, "type", in.envelope.Type,
				"panic", fmt.Sprint(value), "stack", string(debug.Stack()))
		}
	}()
	return c.process(c.handling, in)
}

func panicked(id string, value any) error {
	return fmt.Errorf("acemq: the handler panicked on message %s: %v", id, value)
}
