package wire

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// ofEveryType holds a value of each type that goes on the wire as it is.
func ofEveryType() Table {
	return Table{
		"nil": nil, "bool": true, "int8": int8(-1), "int16": int16(-1), "int32": int32(-1), "int64": int64(-1),
		"uint8": uint8(1), "uint16": uint16(1), "uint32": uint32(1), "float32": float32(1), "float64": 1.5,
		"string": "text", "bytes": []byte("bytes"), "time": now, "decimal": Decimal{2, 314},
		"table": Table{"a": "b", "c": int64(2)}, "list": []any{"a", int32(1), []any{nil}},
	}
}

func TestNormalHeadersKeepsWhatIsNormal(t *testing.T) {
	for name, headers := range map[string]Table{"every type": ofEveryType(), "empty": {}, "nil": nil} {
		got, err := NormalHeaders(headers, MaxHeaders)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !sameMap(got, headers) {
			t.Errorf("%s: the table was copied", name)
		}
	}
}

func sameMap(a, b Table) bool { return reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer() }

func TestNormalHeadersChangesIntegers(t *testing.T) {
	inner, items := Table{"n": uint64(4)}, []any{"a", 5, Table{"n": 6}}
	headers := Table{"int": 1, "uint": uint(2), "uint64": uint64(math.MaxInt64), "min": math.MinInt64, "table": inner,
		"list": items, "text": "same"}
	got, err := NormalHeaders(headers, MaxHeaders)
	if err != nil {
		t.Fatal(err)
	}
	want := Table{"int": int64(1), "uint": int64(2), "uint64": int64(math.MaxInt64), "min": int64(math.MinInt64),
		"table": Table{"n": int64(4)}, "list": []any{"a", int64(5), Table{"n": int64(6)}}, "text": "same"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
	if headers["int"] != 1 || inner["n"] != uint64(4) || items[1] != 5 {
		t.Error("the caller's values were changed")
	}
}

func TestNormalHeadersRefuses(t *testing.T) {
	type region string
	self := Table{}
	self["self"] = self
	loop := []any{nil}
	loop[0] = loop
	tests := []struct {
		name    string
		headers Table
		want    string
	}{
		{"list of strings", Table{"tags": []string{"a"}}, `header "tags": AMQP has nothing for the type []string`},
		{"named string", Table{"region": region("eu")}, `header "region": AMQP has nothing for the type wire.region`},
		{"duration", Table{"wait": time.Second}, `header "wait": AMQP has nothing for the type time.Duration`},
		{"struct", Table{"s": struct{}{}}, `header "s": AMQP has nothing for the type struct {}`},
		{"pointer", Table{"p": new(string)}, `header "p": AMQP has nothing for the type *string`},
		{"complex", Table{"c": 1i}, `header "c": AMQP has nothing for the type complex128`},
		{"uint64 too large", Table{"n": uint64(math.MaxInt64) + 1}, `header "n": 9223372036854775808 is more than`},
		{"uint too large", Table{"n": uint(math.MaxUint64)}, `header "n": 18446744073709551615 is more than`},
		{"inside a table", Table{"t": Table{"a": Table{"b": []int{1}}}},
			`header "t": entry "a": entry "b": AMQP has nothing for the type []int`},
		{"inside a list", Table{"l": []any{1, []any{2, struct{}{}}}},
			`header "l": item 1: item 1: AMQP has nothing for the type struct {}`},
		{"long name", Table{strings.Repeat("n", 256): 1}, `its name has 256 bytes, and AMQP takes 255 at most`},
		{"long name inside", Table{"t": Table{strings.Repeat("n", 256): 1}}, `header "t": entry "nnn`},
		{"table that holds itself", Table{"t": self}, "more than 16 tables and lists are inside each other"},
		{"list that holds itself", Table{"l": loop}, "more than 16 tables and lists are inside each other"},
		{"too large together", Table{"a": strings.Repeat("a", 20<<10), "b": []byte(strings.Repeat("b", 20<<10))},
			"the headers have 40978 bytes, and a message takes 32768 at most"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := NormalHeaders(test.headers, MaxHeaders)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %.100v, error %v, want %q", got, err, test.want)
			}
			if len(err.Error()) > 800 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
}

func TestNormalHeadersTakesTheBudgetAndNoMore(t *testing.T) {
	const around = 4 + 1 + len("a") + 5 // of the table, the name, and the value
	fits := Table{"a": strings.Repeat("x", MaxHeaders-around)}
	if _, err := NormalHeaders(fits, MaxHeaders); err != nil {
		t.Errorf("%d bytes: %v", HeaderSize(fits), err)
	}
	if _, err := NormalHeaders(Table{"a": fits["a"].(string) + "x"}, MaxHeaders); err == nil {
		t.Error("a byte more was let through")
	}
}

// TestHeaderSize derives sizes by encoding: the tables of AMQP 0-9-1 as RabbitMQ takes them.
func TestHeaderSize(t *testing.T) {
	every := ofEveryType()
	for name, value := range every {
		headers := Table{name: value}
		if got, want := HeaderSize(headers), len(encode(t, headers)); got != want {
			t.Errorf("%s: got %d bytes, encoded %d", name, got, want)
		}
	}
	if got, want := HeaderSize(every), len(encode(t, every)); got != want {
		t.Errorf("together: got %d bytes, encoded %d", got, want)
	}
	if got := HeaderSize(nil); got != 4 {
		t.Errorf("no headers: got %d bytes, want 4 for the length", got)
	}
}

// encode writes a table as a client library does: a length, and for each entry its name, the letter of its type and its
// value.
func encode(t *testing.T, table Table) []byte {
	t.Helper()
	var entries bytes.Buffer
	for name, value := range table {
		entries.WriteByte(byte(len(name)))
		entries.WriteString(name)
		entries.Write(encodeValue(t, value))
	}
	return append(binary.BigEndian.AppendUint32(nil, uint32(entries.Len())), entries.Bytes()...)
}

func encodeValue(t *testing.T, value any) []byte {
	t.Helper()
	letters := map[reflect.Type]byte{
		reflect.TypeFor[bool]():    't',
		reflect.TypeFor[int8]():    'b',
		reflect.TypeFor[int16]():   's',
		reflect.TypeFor[int32]():   'I',
		reflect.TypeFor[int64]():   'l',
		reflect.TypeFor[uint8]():   'B',
		reflect.TypeFor[uint16]():  'u',
		reflect.TypeFor[uint32]():  'i',
		reflect.TypeFor[float32](): 'f',
		reflect.TypeFor[float64](): 'd',
		reflect.TypeFor[Decimal](): 'D',
	}
	long := func(letter byte, content []byte) []byte {
		return append(binary.BigEndian.AppendUint32([]byte{letter}, uint32(len(content))), content...)
	}
	switch v := value.(type) {
	case nil:
		return []byte{'V'}
	case string:
		return long('S', []byte(v))
	case []byte:
		return long('x', v)
	case time.Time:
		return binary.BigEndian.AppendUint64([]byte{'T'}, uint64(v.Unix()))
	case Table:
		return append([]byte{'F'}, encode(t, v)...)
	case []any:
		var items []byte
		for _, item := range v {
			items = append(items, encodeValue(t, item)...)
		}
		return long('A', items)
	}
	encoded, err := binary.Append([]byte{letters[reflect.TypeOf(value)]}, binary.BigEndian, value)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// FuzzNormalHeaders holds that headers are normal after they were made so, and never larger than the budget.
func FuzzNormalHeaders(f *testing.F) {
	f.Add("name", "value", int64(1), uint64(1), []byte("bytes"), uint8(3))
	f.Add("", strings.Repeat("v", 1<<15), int64(-1), uint64(1)<<63, []byte(nil), uint8(20))
	f.Fuzz(func(t *testing.T, name, text string, n int64, u uint64, raw []byte, depth uint8) {
		var value any = Table{name: u, "n": int(n), "raw": raw}
		for range depth % 32 {
			value = []any{value, text}
		}
		normal, err := NormalHeaders(Table{name: value, "text": text}, MaxHeaders)
		if err != nil {
			return
		}
		if size := len(encode(t, normal)); size > MaxHeaders || size != HeaderSize(normal) {
			t.Errorf("encoded %d bytes, HeaderSize says %d", size, HeaderSize(normal))
		}
		again, err := NormalHeaders(normal, MaxHeaders)
		if err != nil || !sameMap(again, normal) {
			t.Errorf("made normal again: %v, %v", again, err)
		}
	})
}
