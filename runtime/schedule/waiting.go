package schedule

import (
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// waiting is a message that came out of a rung.
type waiting struct {
	wire.Scheduled
	message *acemq.Message[[]byte]
}

// read reads the message. An error says why no scheduler made it.
func read(m *acemq.Message[[]byte]) (waiting, error) {
	scheduled, err := wire.ReadScheduled(m.Headers)
	return waiting{scheduled, m}, err
}

// hop returns the message for another rung: its headers as they are, whichever library wrote them.
func (w waiting) hop() acemq.Outgoing {
	return acemq.Outgoing{
		Headers: w.message.Headers,
		Body:    w.message.Payload,
		ReplyTo: w.replyTo(),
		Copy:    true,
	}
}

// delivery returns the message as it is delivered.
func (w waiting) delivery() acemq.Outgoing {
	return acemq.Outgoing{
		Exchange:    w.Exchange,
		Key:         w.Key,
		Envelope:    w.Envelope,
		Headers:     wire.ScheduledApplication(w.message.Headers),
		Body:        w.message.Payload,
		ContentType: w.ContentType,
		ReplyTo:     w.replyTo(),
		Priority:    w.Priority,
		Expires:     w.Expires,
		FromData:    true,
		Copy:        true,
	}
}

// replyTo returns the reply address where the property can hold it. The header travels anyway.
func (w waiting) replyTo() string {
	if wire.CheckShort("the reply address", w.message.ReplyTo) != nil {
		return ""
	}
	return w.message.ReplyTo
}
