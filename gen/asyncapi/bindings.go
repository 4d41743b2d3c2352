package asyncapi

import "github.com/acemq/acemq-gen/gen/outline"

// bindingVersion is that of the AMQP bindings which AsyncAPI 3.0.0 knows.
const bindingVersion = "0.3.0"

// bound is what a part of the document is on AMQP.
type bound[B any] struct {
	AMQP B `json:"amqp"`
}

type channelBinding struct {
	Is       string           `json:"is"`
	Exchange *exchangeBinding `json:"exchange,omitempty"`
	Queue    *queueBinding    `json:"queue,omitempty"`
	Version  string           `json:"bindingVersion"`
}

type exchangeBinding struct {
	Name string `json:"name"`
	Type string `json:"type"`
	*exchangeLife
}

// exchangeLife is how long an exchange lives; nil where another service declares it.
type exchangeLife struct {
	Durable    bool `json:"durable"`
	AutoDelete bool `json:"autoDelete"`
}

type queueBinding struct {
	Name string `json:"name,omitempty"` // absent where it has parameters
	*queueLife
}

// queueLife is how long a queue lives; nil where another service declares it.
type queueLife struct {
	Durable    bool `json:"durable"`
	Exclusive  bool `json:"exclusive"`
	AutoDelete bool `json:"autoDelete"`
}

func onExchange(e *outline.Exchange) bound[channelBinding] {
	b := &exchangeBinding{Name: e.Name, Type: e.Kind}
	if !e.External {
		b.exchangeLife = &exchangeLife{Durable: true}
	}
	return bound[channelBinding]{channelBinding{Is: "routingKey", Exchange: b, Version: bindingVersion}}
}

func onQueue(q queueBinding) bound[channelBinding] {
	return bound[channelBinding]{channelBinding{Is: "queue", Queue: &q, Version: bindingVersion}}
}

// owned is the life of a queue that a flow declares.
func owned() *queueLife { return &queueLife{Durable: true} }

type operationBinding struct {
	Expiration   int64  `json:"expiration,omitempty"` // in milliseconds
	Priority     int    `json:"priority,omitempty"`
	DeliveryMode int    `json:"deliveryMode,omitempty"`
	Mandatory    *bool  `json:"mandatory,omitempty"`
	Ack          bool   `json:"ack,omitempty"`
	Version      string `json:"bindingVersion"`
}

// The delivery modes of AMQP.
const (
	transient  = 1
	persistent = 2
)

func sending(o outline.Options) bound[operationBinding] {
	b := operationBinding{
		Expiration: o.Expires.Milliseconds(), Priority: o.Priority, DeliveryMode: persistent,
		Mandatory: new(!o.Optional), Version: bindingVersion,
	}
	if o.Transient {
		b.DeliveryMode = transient
	}
	return bound[operationBinding]{b}
}

func receiving() bound[operationBinding] {
	return bound[operationBinding]{operationBinding{Ack: true, Version: bindingVersion}}
}

// messageBinding has the version alone: the runtime sets neither the content encoding of a message nor its type, which
// travels in a header.
type messageBinding struct {
	Version string `json:"bindingVersion"`
}
