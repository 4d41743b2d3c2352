package schema

import (
	"encoding/json"
	"go/types"

	"github.com/invopop/jsonschema"

	"github.com/acemq/acemq-gen/gen/diag"
)

// object is the schema of a struct.
func (b *builder) object(t types.Type, u *types.Struct, at place) *jsonschema.Schema {
	owner := at.String()
	s := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties()}
	if named, is := t.(*types.Named); is {
		owner = named.Obj().Name()
		if b.comments.of(named.Obj()).closed() {
			s.AdditionalProperties = jsonschema.FalseSchema
		}
	}
	for _, f := range fieldsOf(u) {
		member, required := b.member(f, place{field: f.Var, owner: owner})
		s.Properties.Set(f.name, member)
		if required {
			s.Required = append(s.Required, f.name)
		}
	}
	return s
}

// member is the schema of one field, and whether it is always there.
func (b *builder) member(f field, at place) (*jsonschema.Schema, bool) {
	tags := b.tags(f, at)
	s := b.replaced(tags, at)
	switch {
	case s != nil:
	case f.quoted:
		s = b.quoted(f.present(), at)
	case f.neverNull():
		s = withoutNull(b.schemaOf(f.present(), at))
	default:
		s = b.schemaOf(f.present(), at)
	}
	b.describe(s, b.comments.of(f.Var))
	b.constrain(s, tags, at)
	return s, tags.required || !f.mayBeMissing()
}

// quoted is the schema of a value that the option string puts in quotes.
func (b *builder) quoted(t types.Type, at place) *jsonschema.Schema {
	t = types.Unalias(t)
	if pointer, is := t.(*types.Pointer); is {
		return nullable(b.quoted(pointer.Elem(), at))
	}
	if marshals(t, "MarshalJSON") || marshals(t, "MarshalText") {
		b.report(diag.SchemaImpossible, at, "take the option string out of the tag json",
			"%s writes itself, and with the option string encoding/json cannot read what it wrote", at)
		return &jsonschema.Schema{}
	}
	s := &jsonschema.Schema{Type: "string"}
	named, is := t.(*types.Named)
	if is {
		for _, value := range enumOf(named) {
			text, _ := json.Marshal(value) // of a string or an integer, which cannot fail
			s.Enum = append(s.Enum, string(text))
		}
	}
	info := t.Underlying().(*types.Basic).Info()
	form := quotedForms[info&(types.IsConstType|types.IsUnsigned)]
	switch {
	case s.Enum != nil:
		return s
	case is && fullName(named) == "encoding/json.Number":
		form = quotedForms[types.IsFloat]
	}
	s.Pattern, b.samples[s] = form.pattern, form.sample
	return s
}

// quotedForms are the forms that the option string gives the kinds of values.
var quotedForms = map[types.BasicInfo]struct{ pattern, sample string }{
	types.IsBoolean:                    {"^(true|false)$", "true"},
	types.IsInteger:                    {"^-?[0-9]+$", "1"},
	types.IsInteger | types.IsUnsigned: {"^[0-9]+$", "1"},
	types.IsFloat:                      {`^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$`, "1.5"},
	types.IsString:                     {`^".*"$`, `"text"`},
}
