package flow

// MessageType is a declared message type.
type MessageType[T any] struct{}

// Message makes a type of another module a message, where a marker cannot be written: it says the logical type and the
// version of the payload, from 1.
//
//	var _ = flow.Message[billing.Invoice]("invoice.created", 1)
func Message[T any](logicalType string, version int) MessageType[T] { return MessageType[T]{} }
