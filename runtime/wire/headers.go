package wire

import "strings"

// Table is a set of AMQP headers or arguments by name. The values that the contract writes are string, int32, int64
// and bool; a reader meets every type of AMQP.
type Table = map[string]any

// The reserved headers (contract: envelope, reserved headers).
const (
	ReservedPrefix = "x-acemq-"

	HeaderID            = "x-acemq-id"             // string: stable over retries and redeliveries
	HeaderType          = "x-acemq-type"           // string: the logical type, "order.placed"
	HeaderVersion       = "x-acemq-version"        // int32: the payload's schema version, from 1
	HeaderCorrelation   = "x-acemq-correlation"    // string: the flow that the message belongs to
	HeaderCausation     = "x-acemq-causation"      // string: the id of the message that caused this one
	HeaderOrigin        = "x-acemq-origin"         // string: the process that published it, "service@host"
	HeaderAttempt       = "x-acemq-attempt"        // int32: the delivery attempt, from 1
	HeaderFirstSeen     = "x-acemq-first-seen"     // int64: milliseconds since 1970 of the first publish
	HeaderError         = "x-acemq-error"          // string: why the message was set aside
	HeaderClaim         = "x-acemq-claim"          // string: where the application stored the payload
	HeaderRoute         = "x-acemq-route"          // string: the step names of a declared route, joined with ","
	HeaderRoutePosition = "x-acemq-route-position" // int32: the index into the route, from 0
	HeaderRouteID       = "x-acemq-route-id"       // string: one run of the route
)

// Headers that the contract defines in the application's namespace, so that handlers see them (contract: envelope,
// headers that are not reserved).
const (
	HeaderReplyTo      = "acemq-reply-to"      // string: the reply queue, equal to the reply-to property
	HeaderReplyError   = "acemq-error"         // string: why a responder failed
	HeaderItinerary    = "acemq-routing-slip"  // string: a routing slip in its JSON form
	HeaderReplayedFrom = "acemq-replayed-from" // string: the queue that a replay took the message from
	HeaderReplayedAt   = "acemq-replayed-at"   // string: when, RFC 3339
	HeaderReplayCount  = "acemq-replay-count"  // integer: how often, absent for never
	HeaderTraceParent  = "traceparent"         // string: W3C trace context
	HeaderTraceState   = "tracestate"          // string: W3C trace context
)

// IsReserved reports whether a header name belongs to the contract: a case-sensitive test of its prefix, so that a
// header of a later release cannot pose as an application's (contract: reserved namespace rules).
func IsReserved(name string) bool { return strings.HasPrefix(name, ReservedPrefix) }

// IsBroker reports whether a broker wrote the header. Such headers never travel onwards: RabbitMQ up to 3.13 reads
// an "x-death" that a client published, and drops the message as a dead-letter cycle when its rung expires.
func IsBroker(name string) bool {
	switch name {
	case "x-death", "x-delivery-count", "x-acquired-count":
		return true
	}
	return strings.HasPrefix(name, "x-first-death-") || strings.HasPrefix(name, "x-last-death-")
}

// Application returns the headers that belong to the application: those that are neither reserved nor a broker's.
// The result is a table of its own.
func Application(headers Table) Table {
	size := 0
	for name := range headers {
		if !IsReserved(name) && !IsBroker(name) {
			size++
		}
	}
	own := make(Table, size) // most messages have few of their own, and this runs once a message
	for name, value := range headers {
		if !IsReserved(name) && !IsBroker(name) {
			own[name] = value
		}
	}
	return own
}
