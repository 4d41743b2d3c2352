package wire

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// NormalHeaders checks headers and brings them into the form that goes on the wire: int, uint and uint64 become int64.
// It returns the table it was given when nothing has to change, and a copy otherwise. It refuses, by its name, a
// header of a type that AMQP does not have or with a number that does not fit, and headers that are larger together
// than limit, in bytes: [MaxHeaders], or [MaxCopyHeaders] for a message that came from a broker.
//
// The types that AMQP has are nil, bool, the signed integers, the unsigned ones up to 32 bits, float32, float64,
// string, []byte, time.Time (in whole seconds), [Decimal], []any and Table.
func NormalHeaders(headers Table, limit int) (Table, error) {
	normal, _, err := normalTable(headers, "header", 0)
	if err != nil {
		return nil, err
	}
	if size := HeaderSize(normal); size > limit {
		return nil, fmt.Errorf("the headers have %d bytes, and a message takes %d at most: move large values to "+
			"the body", size, limit)
	}
	return normal, nil
}

// normalTable copies the table once a value in it has to change, and reports whether it did.
func normalTable(table Table, entry string, depth int) (normal Table, changed bool, err error) {
	normal = table
	for name, value := range table {
		if len(name) > MaxShort {
			return nil, false, fmt.Errorf("%s %q: its name has %d bytes, and AMQP takes %d at most",
				entry, short(name), len(name), MaxShort)
		}
		v, differs, err := normalValue(value, depth)
		if err != nil {
			return nil, false, fmt.Errorf("%s %q: %w", entry, name, err)
		}
		if differs && !changed {
			normal, changed = maps.Clone(table), true
		}
		if differs {
			normal[name] = v
		}
	}
	return normal, changed, nil
}

// normalList does for a list what normalTable does for a table.
func normalList(list []any, depth int) (normal []any, changed bool, err error) {
	normal = list
	for i, value := range list {
		v, differs, err := normalValue(value, depth)
		if err != nil {
			return nil, false, fmt.Errorf("item %d: %w", i, err)
		}
		if differs && !changed {
			normal, changed = slices.Clone(list), true
		}
		if differs {
			normal[i] = v
		}
	}
	return normal, changed, nil
}

// normalValue returns the value as it goes on the wire, and reports whether it is another one.
func normalValue(value any, depth int) (normal any, changed bool, err error) {
	if depth > maxDepth {
		return nil, false, fmt.Errorf("more than %d tables and lists are inside each other: flatten them", maxDepth)
	}
	switch v := value.(type) {
	case nil, bool, int8, int16, int32, int64, uint8, uint16, uint32, float32, float64,
		string, []byte, time.Time, Decimal:
		return v, false, nil
	case int:
		return int64(v), true, nil
	case uint:
		return signed(uint64(v))
	case uint64:
		return signed(v)
	case Table:
		return normalTable(v, "entry", depth+1)
	case []any:
		return normalList(v, depth+1)
	}
	return nil, false, fmt.Errorf("AMQP has nothing for the type %T: use a string, a bool, a number or bytes", value)
}

func signed(n uint64) (any, bool, error) {
	if n > math.MaxInt64 {
		return nil, false, fmt.Errorf("%d is more than the 64 bits with sign that AMQP has: send it as a string", n)
	}
	return int64(n), true, nil
}

// HeaderSize returns how many bytes headers take on the wire. They are of the form that [NormalHeaders] returns.
func HeaderSize(headers Table) int {
	size := 4
	for name, value := range headers {
		size += 1 + len(name) + valueSize(value)
	}
	return size
}

// valueSize counts a value with the byte that says its type.
func valueSize(value any) int {
	switch v := value.(type) {
	case bool, int8, uint8:
		return 2
	case int16, uint16:
		return 3
	case int32, uint32, float32:
		return 5
	case Decimal:
		return 6
	case int64, float64, time.Time:
		return 9
	case string:
		return 5 + len(v)
	case []byte:
		return 5 + len(v)
	case Table:
		return 1 + HeaderSize(v)
	case []any:
		size := 5
		for _, item := range v {
			size += valueSize(item)
		}
		return size
	}
	return 1 // nil
}
