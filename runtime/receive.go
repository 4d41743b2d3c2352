package acemq

import "github.com/acemq/acemq-gen/runtime/transport"

// Receive reads a delivery of [Conn.Subscribe] as a message whose body is a T. An error says that the body cannot be
// decoded. It is for the pattern packages.
func Receive[T any](d *transport.Delivery, codec Codec) (*Message[T], error) {
	in := received(d, codec)
	return read[T](&in)
}

// IsFatal reports whether err was marked by [Fatal], itself or in what it wraps.
func IsFatal(err error) bool { return isFatal(err) }
