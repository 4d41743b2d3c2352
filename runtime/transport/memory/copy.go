package memory

import (
	"slices"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// copied returns a message whose body and headers are its own, as they are after a way over a wire.
func copied(m transport.Message) transport.Message {
	m.Body = slices.Clone(m.Body)
	if len(m.Headers) > 0 {
		m.Headers = copiedTable(m.Headers)
	} else {
		m.Headers = nil
	}
	return m
}

func copiedTable(t wire.Table) wire.Table {
	c := make(wire.Table, len(t))
	for name, value := range t {
		c[name] = copiedValue(value)
	}
	return c
}

// copiedValue copies what can be changed in place, and cuts a time to the seconds that AMQP has.
func copiedValue(value any) any {
	switch v := value.(type) {
	case []byte:
		return slices.Clone(v)
	case time.Time:
		return time.Unix(v.Unix(), 0)
	case wire.Table:
		return copiedTable(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = copiedValue(item)
		}
		return list
	}
	return value
}
