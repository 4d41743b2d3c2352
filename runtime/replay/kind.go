package replay

import "github.com/acemq/acemq-gen/runtime/transport"

// kind is a logical type and a version; the zero kind is every one.
type kind struct {
	name    string
	version int
}

// OfType returns a replay of messages of one logical type and version alone: others are declined, and a filter does not
// see them. It is for a queue whose messages are of several types.
func (r *Replay[T]) OfType(name string, version int) *Replay[T] {
	narrowed := *r
	narrowed.only = kind{name, version}
	return &narrowed
}

// takes reports whether a message is of the type that is replayed.
func (r *Replay[T]) takes(d *transport.Delivery) bool {
	if r.only == (kind{}) {
		return true
	}
	envelope := envelopeOf(d)
	return r.only == kind{envelope.Type, envelope.Version}
}
