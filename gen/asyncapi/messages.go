package asyncapi

import (
	"cmp"
	"fmt"

	"github.com/acemq/acemq-gen/gen/outline"
	"github.com/acemq/acemq-gen/gen/schema"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// payloadFormat is the format of the schemas of messages.
const payloadFormat = "application/schema+json;version=2020-12"

// message returns the name of a message, which is made where it is not there.
func (b *builder) message(m outline.Message) string {
	if name, known := b.messages[m]; known {
		return name
	}
	logical := cmp.Or(m.Type, m.Go)
	name := free(b.document.Components.Messages, safe(fmt.Sprintf("%s.v%d", logical, m.Version)))
	b.messages[m] = name
	b.document.Components.Schemas[headersName] = headersSchema()
	b.document.Components.Messages[name] = &message{
		Name:          logical,
		Title:         m.Go,
		CorrelationID: location{Location: "$message.header#/" + wire.HeaderCorrelation},
		Headers:       headersOf(m),
		Bindings:      bound[messageBinding]{messageBinding{bindingVersion}},
	}
	return name
}

// payloads gives the messages their schemas.
func (b *builder) payloads() error {
	for m, name := range b.messages {
		for _, s := range b.schemas {
			if !isOf(s, m) {
				continue
			}
			part, err := s.Part(pointer("components", "messages", name, "payload", "schema"))
			if err != nil {
				return fmt.Errorf("the schema of %s: %w", m.Go, err)
			}
			b.document.Components.Messages[name].Description = s.Schema.Description
			b.document.Components.Messages[name].Payload = &payload{payloadFormat, part}
		}
	}
	return nil
}

// isOf reports whether a schema is that of a message.
func isOf(s schema.Document, m outline.Message) bool {
	of := s.Message
	return outline.Message{Go: of.Go.String(), Type: of.Type, Version: of.Version, Pos: of.Pos} == m
}
