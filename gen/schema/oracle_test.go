package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/load/loadtest"
	"github.com/acemq/acemq-gen/gen/read"
	"github.com/acemq/acemq-gen/gen/schema"
	"github.com/acemq/acemq-gen/gen/schema/testdata/corpus"
)

// corpusDocuments returns the schemas of the corpus by the name of the type.
func corpusDocuments(t *testing.T) map[string]schema.Document {
	t.Helper()
	dir := filepath.Join(loadtest.Root(t), "gen/schema/testdata/corpus")
	loaded, err := load.Load(t.Context(), load.Config{Dir: dir})
	if err != nil || len(loaded.Errors) > 0 {
		t.Fatal(err, loaded.Errors)
	}
	flow, mistakes := read.Read(loaded.Packages[0])
	documents, more := schema.Documents(loaded.Packages[0], flow)
	for _, d := range append(mistakes, more...) {
		t.Error(d)
	}
	byName := map[string]schema.Document{}
	for _, d := range documents {
		byName[d.Message.Go.Name] = d
	}
	return byName
}

// TestOracle holds the schema of each type of the corpus against encoding/json: what it writes for random values is
// valid, and what it cannot read is not; a member that is always there is required.
func TestOracle(t *testing.T) {
	documents := corpusDocuments(t)
	if got, want := slices.Sorted(maps.Keys(documents)), slices.Sorted(maps.Keys(corpus.Messages)); !slices.Equal(got, want) {
		t.Fatalf("there are schemas of %v, want %v", got, want)
	}
	if len(documents) < 100 {
		t.Errorf("the corpus has %d types", len(documents))
	}
	refused := 0
	for name, document := range documents {
		t.Run(name, func(t *testing.T) { refused += holdAgainstJSON(t, document, corpus.Messages[name]) })
	}
	if refused < 10*len(documents) {
		t.Errorf("only %d near misses were tried", refused)
	}
}

// incomplete are the messages whose samples miss a text that only its type knows how to write.
var incomplete = map[string]bool{"Texts": true, "Replaced": true, "SingleTextMarshaler": true}

// holdAgainstJSON returns how many near misses it tried.
func holdAgainstJSON(t *testing.T, document schema.Document, zero any) int {
	const values, mutated = 60, 6
	valid := compile(t, document.Content)
	if err := json.Unmarshal(document.Sample, reflect.New(reflect.TypeOf(zero).Elem()).Interface()); err != nil {
		t.Errorf("the sample cannot be read: %v\n%s", err, document.Sample)
	}
	if err := valid.Validate(decoded(t, document.Sample)); err != nil && !incomplete[document.Message.Go.Name] {
		t.Errorf("the sample is not valid: %v\n%s", err, document.Sample)
	}
	r := rand.New(rand.NewPCG(1, 2))
	always := map[string]int{}
	refused := 0
	var last []byte
	for n := range values {
		v := reflect.New(reflect.TypeOf(zero).Elem())
		fill(r, v.Elem(), 3)
		text, err := json.Marshal(v.Interface())
		if err != nil {
			t.Fatalf("%+v: %v", v, err)
		}
		if err := valid.Validate(decoded(t, text)); err != nil {
			t.Fatalf("%s\nis not valid: %v\n%s", text, err, document.Content)
		}
		for key := range decoded(t, text).(map[string]any) {
			always[key]++
		}
		if n < mutated {
			refused += nearMisses(t, valid, document, v.Type().Elem(), text)
		}
		last = text
	}
	for key, n := range always {
		if n == values {
			refused++
			object := decoded(t, last).(map[string]any)
			delete(object, key)
			if valid.Validate(object) == nil {
				t.Errorf("%q is always there and not required\n%s", key, document.Content)
			}
		}
	}
	return refused
}

// nearMisses changes one value of a message after the other to one of another kind: what encoding/json cannot read,
// the schema refuses.
func nearMisses(t *testing.T, valid *validator.Schema, document schema.Document, typ reflect.Type, text []byte) int {
	refused := 0
	for n := 0; ; n++ {
		found := false
		for _, wrong := range []any{"no such text", json.Number("1.5"), json.Number("-1"), json.Number("70000"), true,
			[]any{"x"}, map[string]any{"x": map[string]any{}}} {
			message := decoded(t, text)
			at := n
			message, changed := replace(message, &at, wrong)
			if at >= 0 {
				return refused
			}
			found = true
			if !changed {
				continue
			}
			mutated, err := json.Marshal(message)
			if err != nil {
				t.Fatal(err)
			}
			var kind *json.UnmarshalTypeError // what is wrong with a text, its own type knows
			if err := json.Unmarshal(mutated, reflect.New(typ).Interface()); !errors.As(err, &kind) {
				continue
			}
			refused++
			if valid.Validate(decoded(t, mutated)) == nil {
				t.Errorf("%s\ncannot be read (%v) and is valid\n%s", mutated, kind, document.Content)
			}
		}
		if !found {
			return refused
		}
	}
}

// replace puts wrong in the place of value number *n of a message, in the order of their depth, and counts *n down. It
// reports whether it changed the kind of the value.
func replace(v any, n *int, wrong any) (any, bool) {
	if *n == 0 {
		*n = -1
		return wrong, reflect.TypeOf(v) != reflect.TypeOf(wrong) || reflect.TypeOf(v) == reflect.TypeOf(json.Number(""))
	}
	*n--
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			inner, changed := replace(v[key], n, wrong)
			if *n < 0 {
				v[key] = inner
				return v, changed
			}
		}
	case []any:
		for i := range v {
			inner, changed := replace(v[i], n, wrong)
			if *n < 0 {
				v[i] = inner
				return v, changed
			}
		}
	}
	return v, false
}

func compile(t *testing.T, content []byte) *validator.Schema {
	t.Helper()
	c := validator.NewCompiler()
	c.AssertFormat()
	c.AssertContent()
	if err := c.AddResource("mem:///schema.json", decoded(t, content)); err != nil {
		t.Fatalf("%v\n%s", err, content)
	}
	s, err := c.Compile("mem:///schema.json")
	if err != nil {
		t.Fatalf("%v\n%s", err, content)
	}
	return s
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	v, err := validator.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return v
}

// fill gives v a random value. Behind depth pointers, slices and maps it stops.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	if filler, is := v.Addr().Interface().(interface{ Fill(*rand.Rand) }); is {
		filler.Fill(r)
		return
	}
	if special(r, v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()>>r.IntN(64)) * int64(r.IntN(3)-1))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint((r.Uint64() >> r.IntN(64)) * uint64(r.IntN(2)))
	case reflect.Float32, reflect.Float64:
		v.SetFloat((r.Float64() - 0.5) * float64(int64(1)<<r.IntN(60)) * float64(r.IntN(2)))
	case reflect.String:
		v.SetString([]string{"", "a", "Grüße, \"Welt\"\n", "\x00<&>\u2028", "\xff", "zero"}[r.IntN(6)])
	case reflect.Interface:
		if v.NumMethod() == 0 && r.IntN(4) > 0 {
			v.Set(reflect.ValueOf([]any{true, 1.5, "text", []any{nil}, map[string]any{"a": 1}}[r.IntN(5)]))
		}
	default:
		fillParts(r, v, depth)
	}
}

func fillParts(r *rand.Rand, v reflect.Value, depth int) {
	enough := depth <= 0 || r.IntN(4) == 0
	switch v.Kind() {
	case reflect.Pointer:
		if !enough {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth-1)
		}
	case reflect.Slice:
		if !enough {
			v.Set(reflect.MakeSlice(v.Type(), r.IntN(4), 4))
			fillAll(r, v, depth-1)
		}
	case reflect.Array:
		fillAll(r, v, depth)
	case reflect.Map:
		if enough {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(3) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(r, key, depth-1)
			fill(r, value, depth-1)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			option := ",omit"
			if v.Field(i).Kind() == reflect.Struct {
				option = ",omitzero"
			}
			omitted := strings.Contains(v.Type().Field(i).Tag.Get("json"), option) && r.IntN(4) == 0
			if v.Field(i).CanSet() && !omitted {
				fill(r, v.Field(i), depth)
			}
		}
	}
}

func fillAll(r *rand.Rand, v reflect.Value, depth int) {
	for i := range v.Len() {
		fill(r, v.Index(i), depth)
	}
}

// special fills types that do not hold every value of what they are made of.
func special(r *rand.Rand, v reflect.Value) bool {
	var value any
	switch v.Interface().(type) {
	case time.Time:
		value = []time.Time{{}, time.Unix(r.Int64N(1<<34), r.Int64N(1e9)).UTC()}[r.IntN(2)]
	case time.Month:
		value = time.Month(1 + r.IntN(12))
	case time.Weekday:
		value = time.Weekday(r.IntN(7))
	case big.Int:
		value = *big.NewInt(r.Int64() - 1<<62)
	case big.Float:
		value = *big.NewFloat(r.NormFloat64())
	case big.Rat:
		value = *big.NewRat(r.Int64(), 7)
	case json.Number:
		value = json.Number([]string{"", "1", "-2.5e3"}[r.IntN(3)])
	case json.RawMessage:
		value = json.RawMessage([]string{"null", "[1]", `"x"`}[r.IntN(3)])
	case netip.Addr:
		value = netip.AddrFrom4([4]byte{1, 2, 3, byte(r.IntN(256))})
	case netip.Prefix:
		value = netip.MustParsePrefix(fmt.Sprintf("10.0.0.0/%d", 8+r.IntN(24)))
	case uuid.UUID:
		value = uuid.New()
	case uuid.NullUUID:
		value = uuid.NullUUID{UUID: uuid.New(), Valid: r.IntN(2) == 0}
	default:
		var choices []any
		for _, choice := range corpus.Choices {
			if reflect.TypeOf(choice) == v.Type() {
				choices = append(choices, choice)
			}
		}
		if len(choices) == 0 {
			return false
		}
		value = choices[r.IntN(len(choices))]
	}
	v.Set(reflect.ValueOf(value))
	return true
}
