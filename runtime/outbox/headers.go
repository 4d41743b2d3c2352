package outbox

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Headers are stored as JSON in which every AMQP type survives: a counter that came back as a floating point number
// would go out as one. Text, bools, null and 64-bit integers stand as they are, lists as lists. Any other value is an
// object of one entry that names its type: {"int32": 7}, {"bytes": "AAE="}, {"table": {...}}.

// EncodeHeaders returns the form in which a store keeps headers. Equal headers have equal forms.
func EncodeHeaders(headers acemq.Headers) (string, error) {
	normal, err := wire.NormalHeaders(headers, wire.MaxCopyHeaders)
	if err != nil {
		return "", fmt.Errorf("outbox: store headers: %w", err)
	}
	text, err := json.Marshal(storedTable(normal))
	if err != nil {
		return "", fmt.Errorf("outbox: store headers: %w", err)
	}
	return string(text), nil
}

// DecodeHeaders reads what EncodeHeaders wrote.
func DecodeHeaders(text string) (acemq.Headers, error) {
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	var stored map[string]any
	if err := decoder.Decode(&stored); err != nil {
		return nil, fmt.Errorf("outbox: the stored headers are no JSON object: %w", err)
	}
	headers, err := readTable(stored)
	if err != nil {
		return nil, fmt.Errorf("outbox: the stored headers: %w", err)
	}
	return headers, nil
}

func storedTable(table wire.Table) map[string]any {
	stored := make(map[string]any, len(table))
	for name, value := range table {
		stored[name] = stored1(value)
	}
	return stored
}

// stored1 returns a value of normal headers as JSON takes it.
func stored1(value any) any {
	switch v := value.(type) {
	case int8:
		return typed("int8", v)
	case int16:
		return typed("int16", v)
	case int32:
		return typed("int32", v)
	case uint8:
		return typed("uint8", v)
	case uint16:
		return typed("uint16", v)
	case uint32:
		return typed("uint32", v)
	case float32:
		return typed("float32", strconv.FormatFloat(float64(v), 'g', -1, 32)) // JSON has no NaN and no infinity
	case float64:
		return typed("float64", strconv.FormatFloat(v, 'g', -1, 64))
	case []byte:
		return typed("bytes", v)
	case time.Time:
		return typed("time", v.Unix())
	case wire.Decimal:
		return typed("decimal", []int64{int64(v.Scale), int64(v.Value)})
	case wire.Table:
		return typed("table", storedTable(v))
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = stored1(item)
		}
		return list
	}
	return value
}

func typed(name string, value any) any { return map[string]any{name: value} }

func readTable(stored map[string]any) (wire.Table, error) {
	table := make(wire.Table, len(stored))
	for name, value := range stored {
		v, err := readValue(value)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
		table[name] = v
	}
	return table, nil
}

// readValue reads a value that stored1 made.
func readValue(stored any) (any, error) {
	switch v := stored.(type) {
	case json.Number:
		return v.Int64()
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			var err error
			if list[i], err = readValue(item); err != nil {
				return nil, fmt.Errorf("item %d: %w", i, err)
			}
		}
		return list, nil
	case map[string]any:
		names := slices.Collect(maps.Keys(v))
		if len(names) != 1 {
			return nil, errors.New("an object that does not name one type")
		}
		return readTyped(names[0], v[names[0]])
	}
	return stored, nil
}

// readTyped reads the value of an object that names its type.
func readTyped(name string, stored any) (any, error) {
	switch name {
	case "int8":
		return integer[int8](stored)
	case "int16":
		return integer[int16](stored)
	case "int32":
		return integer[int32](stored)
	case "uint8":
		return integer[uint8](stored)
	case "uint16":
		return integer[uint16](stored)
	case "uint32":
		return integer[uint32](stored)
	case "float32":
		f, err := strconv.ParseFloat(fmt.Sprint(stored), 32)
		return float32(f), err
	case "float64":
		return strconv.ParseFloat(fmt.Sprint(stored), 64)
	case "bytes":
		return base64.StdEncoding.DecodeString(fmt.Sprint(stored))
	case "time":
		seconds, err := integer[int64](stored)
		return time.Unix(seconds, 0).UTC(), err
	case "decimal":
		return readDecimal(stored)
	case "table":
		if table, ok := stored.(map[string]any); ok {
			return readTable(table)
		}
	}
	return nil, fmt.Errorf("nothing that is stored as %q", name)
}

func readDecimal(stored any) (any, error) {
	list, ok := stored.([]any)
	if !ok || len(list) != 2 {
		return nil, errors.New("a decimal that is not its scale and its value")
	}
	scale, err := integer[uint8](list[0])
	if err != nil {
		return nil, err
	}
	value, err := integer[int32](list[1])
	return wire.Decimal{Scale: scale, Value: value}, err
}

// integer reads a number that fits into T.
func integer[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](stored any) (T, error) {
	n, ok := stored.(json.Number)
	if !ok {
		return 0, fmt.Errorf("%v is no number", stored)
	}
	i, err := n.Int64()
	if err == nil && int64(T(i)) != i {
		err = fmt.Errorf("%d does not fit", i)
	}
	return T(i), err
}
