package asyncapi

import (
	"github.com/acemq/acemq-gen/gen/outline"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// headersName is the name of the schema of the headers that all messages share.
const headersName = "acemq-headers"

// header is a JSON Schema of a header.
type header struct {
	Type        string `json:"type,omitempty"`
	Minimum     *int   `json:"minimum,omitempty"`
	Const       any    `json:"const,omitempty"`
	Description string `json:"description,omitempty"`
}

// headers is a JSON Schema of headers.
type headers struct {
	Type        string            `json:"type"`
	Description string            `json:"description,omitempty"`
	AllOf       []reference       `json:"allOf,omitempty"`
	Properties  map[string]header `json:"properties"`
}

// headersOf is the schema of the headers of a message: those of the contract, with its type and version.
func headersOf(m outline.Message) headers {
	h := headers{
		Type: "object", AllOf: []reference{to("components", "schemas", headersName)}, Properties: map[string]header{},
	}
	if m.Type != "" {
		h.Properties[wire.HeaderType] = header{Const: m.Type}
		h.Properties[wire.HeaderVersion] = header{Const: m.Version}
	}
	return h
}

// headersSchema is the schema of the headers of the contract (contract: envelope). None is required: a message without
// them is taken as it is.
func headersSchema() headers {
	text := func(description string) header { return header{Type: "string", Description: description} }
	count := func(from int, description string) header {
		return header{Type: "integer", Minimum: &from, Description: description}
	}
	return headers{
		Type: "object",
		Description: "The headers of the AceMQ contract. Id, type, version, correlation, attempt and first-seen are always " +
			"written; a message without them is taken as it is. Names that begin with x-acemq- are reserved.",
		Properties: map[string]header{
			wire.HeaderID:            text("The id of the message, the same over retries and redeliveries."),
			wire.HeaderType:          text("The logical type of the message."),
			wire.HeaderVersion:       count(1, "The version of the payload's schema."),
			wire.HeaderCorrelation:   text("The id of what the message belongs to, carried on from message to message."),
			wire.HeaderCausation:     text("The id of the message that caused this one."),
			wire.HeaderOrigin:        text("The process that published the message, service@host."),
			wire.HeaderAttempt:       count(1, "Which delivery of the message this is."),
			wire.HeaderFirstSeen:     count(0, "When the message was first published, in milliseconds since 1970."),
			wire.HeaderError:         text("Why the message was set aside; on messages in dead letter and parked queues."),
			wire.HeaderClaim:         text("Where the application stored the payload."),
			wire.HeaderRoute:         text("The steps of the pipeline that the message is in, with commas between."),
			wire.HeaderRoutePosition: count(0, "The step that the message is at."),
			wire.HeaderRouteID:       text("The id of this run of the pipeline."),
			wire.HeaderItinerary:     text("The routing slip of the message, as JSON."),
			wire.HeaderReplyTo:       text("The queue for the answer; on requests, where it equals the property reply-to."),
			wire.HeaderReplyError:    text("Why a request failed; on its answer."),
			wire.HeaderReplayedFrom:  text("The queue that a replay took the message from."),
			wire.HeaderReplayedAt:    text("When it did, as in RFC 3339."),
			wire.HeaderReplayCount:   count(1, "How often the message was replayed."),
		},
	}
}
