package acemq

import (
	"time"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// Message is a message as a handler sees it.
type Message[T any] struct {
	Payload     T         // the decoded body
	Envelope    Envelope  // identity, correlation, causation, attempt
	Headers     Headers   // the application's headers, without the reserved ones and the broker's
	RoutingKey  string    // as delivered: after a retry, the queue's name
	Queue       string    // the queue it was consumed from
	ReceivedAt  time.Time // when this consumer took it up
	Redelivered bool      // the broker handed it out before, and it was not settled
	ReplyTo     string    // the queue that an answer is expected in, empty for none

	received Headers // with the reserved ones and the broker's; nil for a message that a test made
}

// Attempt returns the number of this delivery, 1 for the first. It is read off the wire, so that it counts over
// processes and restarts.
func (m *Message[T]) Attempt() int { return m.Envelope.Attempt }

// IsFirstAttempt reports whether the message has not failed before.
func (m *Message[T]) IsFirstAttempt() bool { return m.Envelope.Attempt == 1 }

// Header returns the text of an application header, empty where it is absent or is no text. Headers with other values
// are in [Message.Headers].
func (m *Message[T]) Header(name string) string { return headerText(m.Headers, name) }

// WireHeaders returns every header of the message as it was received, the reserved ones too and without the broker's, in
// a table of its own. What travels in the reserved headers, a declared route for one, is only here. For a message that
// was not received, it returns the headers that it would be published with.
func (m *Message[T]) WireHeaders() Headers {
	if m.received == nil {
		return m.Envelope.Headers(m.Headers)
	}
	headers := make(Headers, len(m.received))
	for name, value := range m.received {
		if !wire.IsBroker(name) {
			headers[name] = value
		}
	}
	return headers
}

// DeliveryCount returns how often the broker says that it handed the message out before this delivery. Only quorum
// queues count, so 0 may mean that nobody does.
func (m *Message[T]) DeliveryCount() int { return deliveryCount(m.received) }

// deliveryCount reads the header with which a quorum queue counts.
func deliveryCount(headers Headers) int {
	n, _ := headers["x-delivery-count"].(int64)
	return int(n)
}

// headerText reads a header that client libraries write as a string or as bytes.
func headerText(headers Headers, name string) string {
	switch v := headers[name].(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

// view returns what a handler sees of a delivery beside its body.
func view[T any](in *incoming) *Message[T] {
	m := &Message[T]{
		Envelope:    in.envelope,
		Headers:     in.headers,
		RoutingKey:  in.delivery.Key,
		Queue:       in.delivery.Queue,
		ReceivedAt:  in.receivedAt,
		Redelivered: in.delivery.Redelivered,
		ReplyTo:     headerText(in.delivery.Headers, wire.HeaderReplyTo),
		received:    in.delivery.Headers,
	}
	if m.received == nil {
		m.received = Headers{}
	}
	if m.ReplyTo == "" {
		m.ReplyTo = in.delivery.ReplyTo
	}
	return m
}
