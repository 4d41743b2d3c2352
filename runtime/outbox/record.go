package outbox

import (
	"errors"
	"fmt"
	"strings"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Record is a message that was written down to be published later. [NewRecord] makes one, and so does the code that
// acemq-gen makes for a publication with flow.Outbox().
type Record struct {
	// Message is what is published, its body as it stands. The id of its envelope is the record's: it stays the same
	// however often the record is published, and one id is kept once.
	Message acemq.Outgoing

	// OrderingKey orders records: those of the same key are published in the order in which they were added. Records
	// with none are free. It has 255 bytes at most.
	OrderingKey string
}

// NewRecord returns the record of m along a route: type, version, routing key and body are those of a publisher of the
// route, and the options are those of its Publish. It needs no connection. A route without a codec takes [acemq.JSON].
//
// A relay publishes persistently and wants a queue to take the message, so a route that is Optional or Transient is
// refused.
func NewRecord[T any](route acemq.Route[T], m T, opts ...acemq.PublishOption) (Record, error) {
	message, err := route.Outgoing(m, opts...)
	if err != nil {
		return Record{}, fmt.Errorf("outbox: a record of %s: %w", route.Type, err)
	}
	record := Record{Message: message}
	return record, record.Check()
}

// OrderedBy returns the record with an ordering key, "" for none. The id of the aggregate is a good one.
func (r Record) OrderedBy(key string) Record {
	r.OrderingKey = key
	return r
}

// ID returns the id of the record, which is the id of its message.
func (r Record) ID() string { return r.Message.Envelope.ID }

// Check says why the record could never be published: it has no id, or a value that no broker takes. Stores check what
// is added.
func (r Record) Check() error {
	if r.Message.Copy || r.Message.FromData {
		return r.fault(errors.New("the fields Copy and FromData are the relay's to decide: leave them out"))
	}
	if err := wire.CheckShort("the ordering key", r.OrderingKey); err != nil {
		return r.fault(err)
	}
	envelope := r.Message.Envelope
	if envelope.Origin == "" {
		envelope.Origin = longestOrigin // the relay's connection writes it
	}
	_, err := transport.Check(transport.Message{
		Exchange:    r.Message.Exchange,
		Key:         r.Message.Key,
		Body:        r.Message.Body,
		ContentType: r.Message.ContentType,
		MessageID:   envelope.ID,
		ReplyTo:     r.Message.ReplyTo,
		Headers:     envelope.Headers(r.Message.Headers),
		Expiration:  r.Message.Expires,
	})
	if refused := new(acemq.RefusedError); errors.As(err, &refused) {
		return r.fault(refused.Cause)
	}
	return err
}

var longestOrigin = strings.Repeat("o", wire.MaxShort)

func (r Record) fault(err error) error { return fmt.Errorf("outbox: the record %q: %w", r.ID(), err) }
