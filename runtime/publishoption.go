package acemq

import (
	"fmt"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// PublishOption changes one publish.
type PublishOption func(*publishing)

// publishing is what the options of one publish say.
type publishing struct {
	envelope Envelope
	headers  Headers
	replyTo  string
	err      error // the first option that makes no sense
}

func gather(opts []PublishOption) publishing {
	var p publishing
	for _, option := range opts {
		option(&p)
	}
	return p
}

func (p *publishing) set(name string, value any) {
	if p.err == nil {
		p.err = checkName(name)
	}
	if p.headers == nil {
		p.headers = make(Headers)
	}
	p.headers[name] = value
}

// checkName says whether a header is the application's to set.
func checkName(name string) error {
	if !wire.IsReserved(name) && !wire.IsBroker(name) {
		return nil
	}
	return fmt.Errorf("the header %q is not the application's to set: names with the prefix %q belong to the contract, "+
		"x-death and its kin to the broker", name, wire.ReservedPrefix)
}

// WithHeader sets an application header. Text, whole numbers and bools reach every client library unchanged. A name
// that belongs to the contract or to the broker is refused.
func WithHeader(name string, value any) PublishOption {
	return func(p *publishing) { p.set(name, value) }
}

// WithHeaders sets application headers, as [WithHeader] does. The headers of a [Message] may be passed on with it.
func WithHeaders(headers Headers) PublishOption {
	return func(p *publishing) {
		for name, value := range headers {
			p.set(name, value)
		}
	}
}

// WithID sets the message's id: the idempotency key of its consumers. The default is a random UUID. It is for one
// message, not for a batch.
func WithID(id string) PublishOption {
	return func(p *publishing) { p.envelope.ID = id }
}

// WithCorrelation sets the flow that the message belongs to. The default is the message's own id.
func WithCorrelation(id string) PublishOption {
	return func(p *publishing) { p.envelope.Correlation = id }
}

// CausedBy makes the message part of the flow of e, the envelope of the message that caused it.
func CausedBy(e Envelope) PublishOption {
	return func(p *publishing) {
		p.envelope.Correlation = e.Correlation
		p.envelope.Causation = e.ID
	}
}

// WithClaim says where the application stored the payload, conventionally a URI.
func WithClaim(claim string) PublishOption {
	return func(p *publishing) { p.envelope.Claim = claim }
}

// WithReplyTo names the queue that an answer is expected in. It goes out as a header and as a property, because not
// every library reads both.
func WithReplyTo(queue string) PublishOption {
	return func(p *publishing) {
		p.replyTo = queue
		p.set(wire.HeaderReplyTo, queue)
	}
}

// WithEnvelope publishes under an envelope of the caller's, for a message that goes on its way and is not a new one.
// What e leaves empty is completed from the route. Options after it change it.
func WithEnvelope(e Envelope) PublishOption {
	return func(p *publishing) { p.envelope = e }
}
