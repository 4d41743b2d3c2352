package acemq

import (
	"errors"
	"strings"
	"time"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// Route says where the messages of one publisher go and what they carry. Generated code has one for each publication.
type Route[T any] struct {
	Exchange string           // "" is the default exchange, whose keys are queue names
	Key      string           // the routing key, with {Field} where a value of the message belongs
	Fields   func(T) []string // the values of the {Field}s of Key, in order; nil where it has none
	Type     string           // the logical type, "order.placed"; empty takes the routing key
	Version  int              // the schema version of the payload, from 1
	Codec    Codec            // nil takes the connection's

	Optional  bool          // may reach no queue at all
	Transient bool          // may be lost when the broker restarts
	Expires   time.Duration // how long a message may wait in a queue; 0 is for ever
	Priority  uint8
}

// Outgoing returns m as a publisher of the route would send it, for a message that is kept and sent later with
// [Conn.Send]. It needs no connection: a route without a codec takes [JSON], and the origin is left to the connection
// that sends.
//
// What is kept is not lost on its way, so routes that are Optional or Transient, whose messages may be, are refused.
func (r Route[T]) Outgoing(m T, opts ...PublishOption) (Outgoing, error) {
	own := gather(opts)
	if own.err != nil {
		return Outgoing{}, own.err
	}
	if err := r.checkKept(); err != nil {
		return Outgoing{}, err
	}
	codec := r.Codec
	if codec == nil {
		codec = JSON
	}
	key, err := r.key(&m)
	if err != nil {
		return Outgoing{}, err
	}
	body, err := codec.Encode(&m)
	if err != nil {
		return Outgoing{}, err
	}
	return Outgoing{
		Exchange:    r.Exchange,
		Key:         key,
		Envelope:    r.envelope(own.envelope, key),
		Headers:     own.headers,
		Body:        body,
		ContentType: codec.ContentType(),
		ReplyTo:     own.replyTo,
		Priority:    r.Priority,
		Expires:     r.Expires,
	}, nil
}

// checkKept checks that messages of the route can be kept for later.
func (r *Route[T]) checkKept() error {
	switch {
	case r.Optional:
		return errors.New("the route is Optional, and a message that is kept for later is kept until a queue takes it: " +
			"leave Optional out")
	case r.Transient:
		return errors.New("the route is Transient, and a message that is kept for later is kept on disk: " +
			"leave Transient out")
	}
	return nil
}

// key returns the routing key of m, or, with an error, its template.
func (r *Route[T]) key(m *T) (string, error) {
	if !strings.Contains(r.Key, "{") {
		return r.Key, nil
	}
	var values []string
	if r.Fields != nil {
		values = r.Fields(*m)
	}
	key, err := wire.ExpandKey(r.Key, values)
	if err != nil {
		return r.Key, err
	}
	return key, nil
}

// envelope completes what the options say of the envelope, but for the origin.
func (r *Route[T]) envelope(e Envelope, key string) Envelope {
	if e.Type == "" {
		e.Type = r.Type
	}
	if e.Version == 0 {
		e.Version = r.Version
	}
	return e.Complete(wire.Arrival{RoutingKey: key, Now: time.Now(), NewID: NewID})
}
