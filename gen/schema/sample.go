package schema

import (
	"encoding/json"
	"math/big"
	"net/url"
	"strings"

	"github.com/invopop/jsonschema"
	orderedmap "github.com/pb33f/ordered-map/v2"
)

// sampler makes up a value for each part of a schema.
type sampler struct {
	samples map[*jsonschema.Schema]any
	root    *jsonschema.Schema
	inside  map[*jsonschema.Schema]bool // the definitions that it is in the middle of
}

// sample returns a message that the schema accepts, as JSON. What cannot be made up is left out of it.
func (b *builder) sample(root *jsonschema.Schema) ([]byte, error) {
	s := sampler{b.samples, root, map[*jsonschema.Schema]bool{root: true}}
	value, _ := s.value(root)
	return render(value)
}

// value returns a value for a schema, and false where none can be made up.
func (s sampler) value(of *jsonschema.Schema) (any, bool) {
	if of.Examples != nil {
		return of.Examples[0], true
	}
	if of.Enum != nil {
		return of.Enum[0], true
	}
	if of.Ref != "" {
		return s.referred(of.Ref)
	}
	if of.AnyOf != nil { // what may be null is, where there is nothing else
		value, _ := s.value(of.AnyOf[0])
		return value, true
	}
	if value, told := s.samples[of]; told {
		return value, value != nil
	}
	switch of.Type {
	case "boolean":
		return true, true
	case "integer", "number":
		return amountFor(of), true
	case "string":
		return textFor(of)
	case "array":
		return s.items(of)
	case "object":
		return s.members(of)
	}
	return nil, false
}

// referred returns a value for a definition, and false inside of itself.
func (s sampler) referred(ref string) (any, bool) {
	name, err := url.PathUnescape(strings.TrimPrefix(ref, "#/$defs/"))
	of := s.root.Definitions[name]
	if err != nil || of == nil || s.inside[of] {
		return nil, false
	}
	s.inside[of] = true
	defer delete(s.inside, of)
	return s.value(of)
}

func (s sampler) items(of *jsonschema.Schema) (any, bool) {
	items := []any{}
	n := uint64(1)
	if of.MinItems != nil {
		n = *of.MinItems
	}
	value, found := s.value(of.Items)
	if !found || n > 1 && of.UniqueItems {
		return items, of.MinItems == nil || n == 0
	}
	for range n {
		items = append(items, value)
	}
	return items, true
}

func (s sampler) members(of *jsonschema.Schema) (any, bool) {
	members := orderedmap.New[string, any]()
	for pair := of.Properties.Oldest(); pair != nil; pair = pair.Next() {
		if value, found := s.value(pair.Value); found {
			members.Set(pair.Key, value)
		}
	}
	if of.AdditionalProperties == nil || of.AdditionalProperties == jsonschema.FalseSchema {
		return members, true
	}
	key, found := s.key(of.PropertyNames)
	value, made := s.value(of.AdditionalProperties)
	if found && made {
		members.Set(key, value)
	}
	return members, true
}

// key returns a key of a map.
func (s sampler) key(of *jsonschema.Schema) (string, bool) {
	switch {
	case of == nil:
		return "key", true
	case of.Pattern != "":
		return "1", true
	}
	value, found := s.value(of)
	text, is := value.(string)
	return text, found && is
}

// amountFor returns a number inside of the limits of a schema, or one of them where it finds none.
func amountFor(of *jsonschema.Schema) json.Number {
	one, half := big.NewRat(1, 1), big.NewRat(1, 2)
	candidates := []*big.Rat{one, new(big.Rat)}
	for _, limit := range []json.Number{
		of.Minimum, of.Maximum, of.ExclusiveMinimum, of.ExclusiveMaximum, of.MultipleOf,
	} {
		if n, is := new(big.Rat).SetString(string(limit)); is {
			for _, step := range []*big.Rat{new(big.Rat), one, half} {
				candidates = append(candidates, new(big.Rat).Add(n, step), new(big.Rat).Sub(n, step))
			}
		}
	}
	for _, n := range candidates {
		if fits(of, n) {
			return amountText(n)
		}
	}
	return amountText(candidates[len(candidates)-1])
}

func amountText(n *big.Rat) json.Number {
	if n.IsInt() {
		return json.Number(n.Num().String())
	}
	return json.Number(n.FloatString(6))
}

// fits reports whether a number keeps the limits of a schema.
func fits(of *jsonschema.Schema, n *big.Rat) bool {
	holds := func(limit json.Number, fine func(order int) bool) bool {
		l, is := new(big.Rat).SetString(string(limit))
		return !is || fine(n.Cmp(l))
	}
	step, is := new(big.Rat).SetString(string(of.MultipleOf))
	return (!is || step.Sign() == 0 || new(big.Rat).Quo(n, step).IsInt()) &&
		(of.Type != "integer" || n.IsInt()) &&
		holds(of.Minimum, func(order int) bool { return order >= 0 }) &&
		holds(of.Maximum, func(order int) bool { return order <= 0 }) &&
		holds(of.ExclusiveMinimum, func(order int) bool { return order > 0 }) &&
		holds(of.ExclusiveMaximum, func(order int) bool { return order < 0 })
}

// formats are values of strings of the formats that JSON Schema has.
var formats = map[string]string{
	"":          "text",
	"date":      "2006-01-02",
	"date-time": "2006-01-02T15:04:05Z",
	"decimal":   "12.50",
	"duration":  "PT1M",
	"email":     "somebody@example.com",
	"hostname":  "example.com",
	"ipv4":      "192.0.2.1",
	"ipv6":      "2001:db8::1",
	"time":      "15:04:05Z",
	"uri":       "https://example.com/",
	"uuid":      sampleUUID,
}

// textFor returns a string for a schema, and false where it has a form that is not known.
func textFor(of *jsonschema.Schema) (string, bool) {
	text, known := formats[of.Format]
	if !known || of.Pattern != "" {
		return "", false
	}
	if of.MinLength != nil && uint64(len(text)) < *of.MinLength {
		text += strings.Repeat("x", int(*of.MinLength)-len(text))
	}
	if of.MaxLength != nil && uint64(len(text)) > *of.MaxLength {
		text = text[:*of.MaxLength]
	}
	return text, true
}
