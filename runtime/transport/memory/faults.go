package memory

import (
	"slices"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// Fault is an accident that a broker has with a message.
type Fault int

const (
	// NackPublish refuses a message that is published: it is not stored, and its publisher is told.
	NackPublish Fault = iota + 1

	// LoseConfirm stores a message that is published and never tells: the outcome is unknown when the publisher's
	// time is over, or its connection is lost.
	LoseConfirm

	// CloseBeforePublish loses the publisher's connection with a message on its way: it is not stored, and the outcome
	// is unknown.
	CloseBeforePublish

	// CloseAfterPublish stores a message that is published and loses the publisher's connection before the confirm:
	// the outcome is unknown.
	CloseAfterPublish

	// CloseBeforeAck loses the consumer's connection with an ack on its way: the ack was written without an error, and
	// the message is delivered again.
	CloseBeforeAck
)

// Script says when a fault happens.
type Script struct {
	Fault Fault
	Match func(m transport.Message) bool // which messages count; nil for all. It must not call the broker.
	Skip  int                            // how many of them pass before the fault
	Times int                            // how many it then strikes, one after another; 0 reads as 1
}

// strike returns the fault that a message meets as it is published; 0 for none.
func (n *node) strike(m *transport.Message) Fault {
	for _, fault := range []Fault{NackPublish, LoseConfirm, CloseBeforePublish, CloseAfterPublish} {
		if n.strikes(m, fault) {
			return fault
		}
	}
	return 0
}

// strikes reports whether a message meets a fault, and counts it. A script that is over is forgotten.
func (n *node) strikes(m *transport.Message, fault Fault) bool {
	for i, s := range n.scripts {
		switch {
		case s.Fault != fault || s.Match != nil && !s.Match(*m):
		case s.Skip > 0:
			s.Skip--
		default:
			if s.Times--; s.Times <= 0 {
				n.scripts = slices.Delete(n.scripts, i, i+1)
			}
			return true
		}
	}
	return false
}
