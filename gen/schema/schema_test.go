package schema_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/load/loadtest"
	"github.com/acemq/acemq-gen/gen/read"
	"github.com/acemq/acemq-gen/gen/schema"
	"github.com/acemq/acemq-gen/gen/schema/testdata/corpus"
)

func TestFileNames(t *testing.T) {
	for logical, want := range map[string]string{
		"order.placed":   "order.placed.v2.schema.json",
		"Order_placed-1": "Order_placed-1.v2.schema.json",
		"com/acme order": "com%2Facme%20order.v2.schema.json",
		"..":             "%2E..v2.schema.json",
		"größe":          "gr%C3%B6%C3%9Fe.v2.schema.json",
		"100%":           "100%25.v2.schema.json",
	} {
		if got := schema.FileName(logical, 2); got != want {
			t.Errorf("the schema of %q is in %s, want %s", logical, got, want)
		}
		if got := schema.SampleName(logical, 2); got != strings.Replace(want, ".schema", "", 1) {
			t.Errorf("the sample of %q is in %s", logical, got)
		}
	}
}

// TestDocumentsAreTheSameEveryTime loads the corpus twice.
func TestDocumentsAreTheSameEveryTime(t *testing.T) {
	first, second := corpusDocuments(t), corpusDocuments(t)
	for name := range first {
		if !bytes.Equal(first[name].Content, second[name].Content) || !bytes.Equal(first[name].Sample, second[name].Sample) {
			t.Errorf("%s has two schemas:\n%s%s", name, first[name].Content, second[name].Content)
		}
	}
}

// TestReflection holds schemas against those that invopop/jsonschema makes by reflection, of the types that it knows.
func TestReflection(t *testing.T) {
	documents := corpusDocuments(t)
	reflector := jsonschema.Reflector{Anonymous: true, DoNotReference: true, ExpandedStruct: true, AllowAdditionalProperties: true}
	for _, name := range []string{
		"Empty", "Bools", "Floats", "Embeds", "EmbedsHidden", "EmbedsPointer", "Nested", "Aliases", "Skipped",
		"SingleBool", "SingleText", "SingleTextOmitEmpty", "SingleFloat", "SingleStruct", "SingleTime", "SingleTimeOmitZero",
	} {
		want := members(t, reflector.Reflect(corpus.Messages[name]))
		if got := members(t, documents[name].Schema); !reflect.DeepEqual(got, want) {
			t.Errorf("the members of %s are %v, by reflection %v", name, got, want)
		}
	}
}

// members returns the names of a schema's members as they stand.
func members(t *testing.T, s *jsonschema.Schema) []string {
	t.Helper()
	var names []string
	if s.Properties != nil {
		for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
			names = append(names, pair.Key)
		}
	}
	return names
}

// TestKnownTypesOfOtherModules stands in for modules that this one does not require.
func TestKnownTypesOfOtherModules(t *testing.T) {
	const archive = `
-- go.mod --
module example.com/shop

go 1.26.0

require github.com/shopspring/decimal v1.4.0

replace github.com/shopspring/decimal => ./decimal
-- decimal/go.mod --
module github.com/shopspring/decimal

go 1.26.0
-- decimal/decimal.go --
package decimal

type Decimal struct{ n int }

func (d Decimal) MarshalJSON() ([]byte, error) { return nil, nil }

type NullDecimal struct{ Decimal Decimal }

func (d NullDecimal) MarshalJSON() ([]byte, error) { return nil, nil }
-- flow.go --
package shop

import "github.com/shopspring/decimal"

//acemq:message
type Order struct {
	Total  decimal.Decimal
	Rebate decimal.NullDecimal
	Broken Missing
}

//acemq:message
type Offer struct {
	Total  decimal.Decimal
	Rebate decimal.NullDecimal
}
`
	loaded, err := load.Load(t.Context(), load.Config{Dir: loadtest.Module(t, archive)})
	if err != nil || len(loaded.Packages) != 1 {
		t.Fatal(err, loaded)
	}
	flow, _ := read.Read(loaded.Packages[0])
	documents, mistakes := schema.Documents(loaded.Packages[0], flow)
	if len(documents) != 1 || len(mistakes) > 0 {
		t.Fatalf("there are %d schemas, and mistakes %v: want that of Offer alone", len(documents), mistakes)
	}
	got, err := json.Marshal(documents[0].Schema.Properties)
	want := `{"Total":{"type":"string","format":"decimal"},` +
		`"Rebate":{"anyOf":[{"type":"string","format":"decimal"},{"type":"null"}]}}`
	if err != nil || string(got) != want {
		t.Errorf("the members are %s, %v, want %s", got, err, want)
	}
}
