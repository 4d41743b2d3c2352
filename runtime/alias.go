package acemq

import (
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Envelope is what the contract says about a message beside its body: identity, correlation, causation, attempt.
type Envelope = wire.Envelope

// Headers are AMQP headers by name.
type Headers = wire.Table

// What may become of a publish beside success. Each is found with errors.As.
type (
	// UnroutableError says that the broker took a message and had no queue for it. The message is gone.
	UnroutableError = transport.UnroutableError

	// NackedError says that the broker refused a message. The message is not stored.
	NackedError = transport.NackedError

	// RefusedError says that a message was not sent. Nothing was written, and it is safe to publish it again.
	RefusedError = transport.RefusedError

	// UnknownError says that a message was written and that its answer never came: the broker may have it or not.
	UnknownError = transport.UnknownError
)

// What may be wrong with a topology on a broker. Each is found with errors.As.
type (
	// ConflictError says that the broker has an object of the same name with other settings (406).
	ConflictError = transport.ConflictError

	// NotFoundError says that an object does not exist (404).
	NotFoundError = transport.NotFoundError
)

// State tells how a connection is.
type State = transport.State

// QueueState is what a broker tells of a queue.
type QueueState = transport.QueueState
