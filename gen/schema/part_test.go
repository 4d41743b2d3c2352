package schema_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/acemq/acemq-gen/gen/schema/testdata/corpus"
)

// TestPartsSayWhatTheWholeSays holds each schema of the corpus as a part of another document against the schema by
// itself: for random messages, and for those messages with one member wrong.
func TestPartsSayWhatTheWholeSays(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	accepted, refused := 0, 0
	for name, document := range corpusDocuments(t) {
		text, err := document.Part("#/deep/here")
		if err != nil {
			t.Fatal(err)
		}
		whole, part := compile(t, document.Content), compilePart(t, text)
		agree := func(message any) {
			want, got := whole.Validate(message) == nil, part.Validate(message) == nil
			if got != want {
				t.Errorf("%s: the part accepts %v: %v, and the whole: %v\n%s", name, message, got, want, text)
			}
			if got {
				accepted++
			} else {
				refused++
			}
		}
		for range 5 {
			v := reflect.New(reflect.TypeOf(corpus.Messages[name]).Elem())
			fill(r, v.Elem(), 3)
			sent, err := json.Marshal(v.Interface())
			if err != nil {
				t.Fatal(err)
			}
			agree(decoded(t, sent))
			for _, member := range slices.Sorted(maps.Keys(decoded(t, sent).(map[string]any))) {
				message := decoded(t, sent).(map[string]any)
				message[member] = []any{map[string]any{"no such": "member"}}
				agree(message)
			}
		}
	}
	if accepted < 500 || refused < 500 {
		t.Errorf("%d messages were accepted and %d refused", accepted, refused)
	}
}

func compilePart(t *testing.T, text []byte) *validator.Schema {
	t.Helper()
	c := validator.NewCompiler()
	c.AssertFormat()
	c.AssertContent()
	document := fmt.Appendf(nil, `{"deep": {"here": %s}}`, text)
	if err := c.AddResource("mem:///document.json", decoded(t, document)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///document.json#/deep/here")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}
