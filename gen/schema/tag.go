package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/marker"
)

// tags are the words of a field's tag jsonschema, as `minimum=0,maximum=9` has them.
type tags struct {
	words    []word
	required bool // the member is always there, whatever its type says
}

// word is one word of a tag.
type word struct{ key, value string }

// keyword is what a word of a tag does to a schema.
type keyword struct {
	kinds []string // the JSON types it is for; none for all
	set   func(s *jsonschema.Schema, value string) error
}

var (
	numbers = []string{"integer", "number"}
	texts   = []string{"string"}
	arrays  = []string{"array"}
	objects = []string{"object"}
)

// keywords are the words of a tag, besides type, which takes the place of what the Go type says, and required.
var keywords = map[string]keyword{
	"title":            {nil, func(s *jsonschema.Schema, v string) error { s.Title = v; return nil }},
	"description":      {nil, func(s *jsonschema.Schema, v string) error { s.Description = v; return nil }},
	"deprecated":       {nil, flag(func(s *jsonschema.Schema) *bool { return &s.Deprecated })},
	"readOnly":         {nil, flag(func(s *jsonschema.Schema) *bool { return &s.ReadOnly })},
	"writeOnly":        {nil, flag(func(s *jsonschema.Schema) *bool { return &s.WriteOnly })},
	"default":          {nil, func(s *jsonschema.Schema, v string) error { s.Default = valueOf(s.Type, v); return nil }},
	"example":          {nil, func(s *jsonschema.Schema, v string) error { return add(&s.Examples, s, v) }},
	"enum":             {nil, func(s *jsonschema.Schema, v string) error { return add(&s.Enum, s, v) }},
	"minimum":          {numbers, amount(func(s *jsonschema.Schema) *json.Number { return &s.Minimum })},
	"maximum":          {numbers, amount(func(s *jsonschema.Schema) *json.Number { return &s.Maximum })},
	"exclusiveMinimum": {numbers, amount(func(s *jsonschema.Schema) *json.Number { return &s.ExclusiveMinimum })},
	"exclusiveMaximum": {numbers, amount(func(s *jsonschema.Schema) *json.Number { return &s.ExclusiveMaximum })},
	"multipleOf":       {numbers, amount(func(s *jsonschema.Schema) *json.Number { return &s.MultipleOf })},
	"minLength":        {texts, size(func(s *jsonschema.Schema) **uint64 { return &s.MinLength })},
	"maxLength":        {texts, size(func(s *jsonschema.Schema) **uint64 { return &s.MaxLength })},
	"format":           {texts, func(s *jsonschema.Schema, v string) error { s.Format = v; return nil }},
	"pattern":          {texts, setPattern},
	"minItems":         {arrays, size(func(s *jsonschema.Schema) **uint64 { return &s.MinItems })},
	"maxItems":         {arrays, size(func(s *jsonschema.Schema) **uint64 { return &s.MaxItems })},
	"uniqueItems":      {arrays, flag(func(s *jsonschema.Schema) *bool { return &s.UniqueItems })},
	"minProperties":    {objects, size(func(s *jsonschema.Schema) **uint64 { return &s.MinProperties })},
	"maxProperties":    {objects, size(func(s *jsonschema.Schema) **uint64 { return &s.MaxProperties })},
}

func flag(of func(*jsonschema.Schema) *bool) func(*jsonschema.Schema, string) error {
	return func(s *jsonschema.Schema, value string) error {
		if value != "" && value != "true" {
			return fmt.Errorf("is %q, and can only be true", value)
		}
		*of(s) = true
		return nil
	}
}

func amount(of func(*jsonschema.Schema) *json.Number) func(*jsonschema.Schema, string) error {
	return func(s *jsonschema.Schema, value string) error {
		if _, is := new(big.Rat).SetString(value); !is || !json.Valid([]byte(value)) {
			return fmt.Errorf("is %q, and has to be a number", value)
		}
		*of(s) = json.Number(value)
		return nil
	}
}

func size(of func(*jsonschema.Schema) **uint64) func(*jsonschema.Schema, string) error {
	return func(s *jsonschema.Schema, value string) error {
		n, err := strconv.ParseUint(value, 10, 32)
		if err != nil {
			return fmt.Errorf("is %q, and has to be a whole number from 0", value)
		}
		*of(s) = &n
		return nil
	}
}

func setPattern(s *jsonschema.Schema, value string) error {
	s.Pattern = value
	if _, err := regexp.Compile(value); err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	return nil
}

func add(list *[]any, s *jsonschema.Schema, value string) error {
	*list = append(*list, valueOf(s.Type, value))
	return nil
}

// tags reads the tags of a field.
func (b *builder) tags(f field, at place) tags {
	var t tags
	for _, text := range commaParts(f.tag.Get("jsonschema")) {
		key, value, _ := strings.Cut(text, "=")
		_, known := keywords[key]
		switch {
		case key == "required" && value == "":
			t.required = true
		case known, key == "type":
			t.words = append(t.words, word{key, value})
		default:
			names := []string{"required", "type"}
			for name := range keywords {
				names = append(names, name)
			}
			slices.Sort(names)
			help := "there is: " + strings.Join(names, ", ")
			if near, found := diag.Nearest(key, names); found {
				help = "did you mean " + near + "?"
			}
			b.report(diag.SchemaTag, at, help, "the tag of %s has a word %q, which does not exist", at, text)
		}
	}
	if text := f.tag.Get("jsonschema_description"); text != "" {
		t.words = append(t.words, word{"description", text})
	}
	return t
}

// commaParts splits a tag at the commas that no backslash stands before.
func commaParts(tag string) []string {
	if tag == "" {
		return nil
	}
	parts := strings.Split(strings.ReplaceAll(tag, `\,`, "\x00"), ",")
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], "\x00", ",")
	}
	return parts
}

// replaced returns the schema that takes the place of the Go type's, nil where the tag says no type.
func (b *builder) replaced(t tags, at place) *jsonschema.Schema {
	i := slices.IndexFunc(t.words, func(w word) bool { return w.key == "type" })
	if i < 0 {
		return nil
	}
	var shape marker.Shape
	if err := shape.Set("type", t.words[i].value); err != nil {
		b.report(diag.SchemaTag, at, "", "the tag of %s cannot be read: %v", at, err)
	}
	s := b.shaped(shape)
	for _, w := range t.words {
		if w.key == "example" {
			b.samples[s] = valueOf(s.Type, w.value)
		}
	}
	return s
}

// constrain adds what the tags of a field say to its schema.
func (b *builder) constrain(s *jsonschema.Schema, t tags, at place) {
	for _, w := range t.words {
		k, is := keywords[w.key]
		if !is {
			continue
		}
		target := s
		if k.kinds != nil || w.key == "enum" {
			target = aboutSchema(s, k.kinds)
		}
		if target == nil {
			b.report(diag.SchemaTag, at, "", "the tag of %s has the word %s, which is for a JSON %s, and this is a %s",
				at, w.key, strings.Join(k.kinds, " or "), withoutNull(s).Type)
			continue
		}
		if err := k.set(target, w.value); err != nil {
			b.report(diag.SchemaTag, at, "", "the tag of %s cannot be read: %s %v", at, w.key, err)
		}
		switch {
		case w.key == "pattern":
			b.samples[target] = nil
		case k.kinds != nil && b.samples[target] != nil:
			delete(b.samples, target)
		}
	}
}

// aboutSchema returns the schema that a word for some JSON types is about: that of the value, or of the items of an array.
// It is nil where there is none.
func aboutSchema(s *jsonschema.Schema, kinds []string) *jsonschema.Schema {
	s = withoutNull(s)
	if s.Type == "array" && !slices.Contains(kinds, "array") && s.Items != nil {
		s = withoutNull(s.Items)
	}
	if s.Type == "" || kinds == nil || slices.Contains(kinds, s.Type) {
		return s
	}
	return nil
}

// withoutNull returns what a schema accepts besides null.
func withoutNull(s *jsonschema.Schema) *jsonschema.Schema {
	if len(s.AnyOf) == 2 && s.AnyOf[1].Type == "null" {
		return s.AnyOf[0]
	}
	return s
}
