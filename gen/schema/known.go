package schema

import (
	"encoding/json"

	"github.com/invopop/jsonschema"
)

// knownType is a type whose JSON is known.
type knownType struct {
	kind, format string
	sample       any
	null         bool // it writes null for a value that it takes for none
}

// known are the types whose JSON is known, by path and name.
var known = map[string]knownType{
	"encoding/json.Number":     {kind: "number", sample: json.Number("1.5")},
	"encoding/json.RawMessage": {sample: "anything"},
	"time.Time":                {kind: "string", format: "date-time", sample: "2006-01-02T15:04:05Z"},
	"time.Duration":            {kind: "integer", sample: 1_500_000_000},
	"math/big.Int":             {kind: "integer", sample: 12},
	"math/big.Float":           {kind: "string", sample: "1.5"},
	"math/big.Rat":             {kind: "string", sample: "3/2"},
	"net.IP":                   {kind: "string", sample: "192.0.2.1"},
	"net/netip.Addr":           {kind: "string", sample: "192.0.2.1"},
	"net/netip.AddrPort":       {kind: "string", sample: "192.0.2.1:5672"},
	"net/netip.Prefix":         {kind: "string", sample: "192.0.2.0/24"},
	"log/slog.Level":           {kind: "string", sample: "INFO"},

	"github.com/google/uuid.UUID":               {kind: "string", format: "uuid", sample: sampleUUID},
	"github.com/google/uuid.NullUUID":           {kind: "string", format: "uuid", sample: sampleUUID, null: true},
	"github.com/gofrs/uuid.UUID":                {kind: "string", format: "uuid", sample: sampleUUID},
	"github.com/gofrs/uuid/v5.UUID":             {kind: "string", format: "uuid", sample: sampleUUID},
	"github.com/shopspring/decimal.Decimal":     {kind: "string", format: "decimal", sample: "12.50"},
	"github.com/shopspring/decimal.NullDecimal": {kind: "string", format: "decimal", sample: "12.50", null: true},
	"github.com/oklog/ulid/v2.ULID":             {kind: "string", sample: "01ARZ3NDEKTSV4RRFFQ69G5FAV"},
	"cloud.google.com/go/civil.Date":            {kind: "string", format: "date", sample: "2006-01-02"},
}

const sampleUUID = "01234567-89ab-4cde-8f01-23456789abcd"

// duration is the one known type that a reader has to be told about: a number without a unit.
const duration = "time.Duration"

func null() *jsonschema.Schema { return &jsonschema.Schema{Type: "null"} }

// nullable lets a schema accept null as well.
func nullable(s *jsonschema.Schema) *jsonschema.Schema {
	if isAnything(s) || len(s.AnyOf) > 0 && s.AnyOf[len(s.AnyOf)-1].Type == "null" {
		return s
	}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, null()}}
}

// isAnything reports whether a schema accepts every value.
func isAnything(s *jsonschema.Schema) bool {
	return s.Type == "" && s.Ref == "" && s.AnyOf == nil && s.Enum == nil
}
