package rabbit

import (
	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// encoded returns a table, normal already, in the types of the library. One without tables, lists and decimals inside,
// which is the rule, is shared.
func encoded(table wire.Table) amqp.Table {
	for _, value := range table {
		if !isFlat(value) {
			return encodedValue(table).(amqp.Table)
		}
	}
	return amqp.Table(table)
}

func encodedValue(value any) any {
	switch v := value.(type) {
	case wire.Table:
		table := make(amqp.Table, len(v))
		for name, inner := range v {
			table[name] = encodedValue(inner)
		}
		return table
	case []any:
		list := make([]any, len(v))
		for i, inner := range v {
			list[i] = encodedValue(inner)
		}
		return list
	case wire.Decimal:
		return amqp.Decimal{Scale: v.Scale, Value: v.Value}
	}
	return value
}

// decoded returns a received table in the types of the contract. The table is the caller's.
func decoded(table amqp.Table) wire.Table {
	for name, value := range table {
		if !isFlat(value) {
			table[name] = decodedValue(value)
		}
	}
	return wire.Table(table)
}

func decodedValue(value any) any {
	switch v := value.(type) {
	case amqp.Table:
		return decoded(v)
	case []any:
		for i, inner := range v {
			v[i] = decodedValue(inner)
		}
		return v
	case amqp.Decimal:
		return wire.Decimal{Scale: v.Scale, Value: v.Value}
	}
	return value
}

// isFlat reports whether a value is the same in both vocabularies.
func isFlat(value any) bool {
	switch value.(type) {
	case wire.Table, amqp.Table, []any, wire.Decimal, amqp.Decimal:
		return false
	}
	return true
}
