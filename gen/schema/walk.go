package schema

import (
	"encoding/json"
	"go/types"
	"math"
	"strconv"

	"github.com/invopop/jsonschema"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/marker"
)

// schemaOf returns the schema of what encoding/json writes for a value of type t.
func (b *builder) schemaOf(t types.Type, at place) *jsonschema.Schema {
	t = types.Unalias(t)
	named, isNamed := t.(*types.Named)
	if isNamed {
		if s, is := b.special(named, at); is {
			return s
		}
	}
	var s *jsonschema.Schema
	switch {
	case isNamed && types.Identical(named, b.root):
		s = &jsonschema.Schema{Ref: "#"}
	case isNamed && isDefined(named):
		s = b.reference(named)
	default:
		s = b.content(t, at)
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map:
		return nullable(s)
	}
	return s
}

// content returns the schema of what t is made of.
func (b *builder) content(t types.Type, at place) *jsonschema.Schema {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return b.basic(t, u, at)
	case *types.Interface:
		return b.dynamic(t, u, at)
	case *types.Struct:
		return b.object(t, u, at)
	case *types.Map:
		return b.table(u, at)
	case *types.Slice:
		return b.slice(u, at)
	case *types.Array:
		n := uint64(u.Len())
		return &jsonschema.Schema{Type: "array", Items: b.schemaOf(u.Elem(), at), MinItems: &n, MaxItems: &n}
	case *types.Pointer:
		return b.schemaOf(u.Elem(), at)
	}
	return b.impossible(t, at)
}

// special returns the schema of a type that is not written as what it is made of: one that is known, one with a marker,
// and one that writes itself.
func (b *builder) special(t *types.Named, at place) (*jsonschema.Schema, bool) {
	if shape, is := b.comments.of(t.Obj()).shape(); is {
		return b.shaped(shape), true
	}
	name := fullName(t)
	if k, is := known[name]; is {
		if name == duration {
			b.warnOfDuration(at)
		}
		s := &jsonschema.Schema{Type: k.kind, Format: k.format}
		b.samples[s] = k.sample
		if k.null {
			s = nullable(s)
		}
		return s, true
	}
	if types.IsInterface(t) {
		return nil, false
	}
	if marshals(t, "MarshalJSON") {
		b.writesItself(t, at)
		return &jsonschema.Schema{}, true
	}
	if marshals(t, "MarshalText") {
		s := &jsonschema.Schema{Type: "string"}
		b.samples[s] = nil
		return s, true
	}
	if name == "net/url.URL" {
		b.report(diag.SchemaUnknown, at, "use a string", "%s is a url.URL, which encoding/json writes as an object of its parts", at)
		return &jsonschema.Schema{}, true
	}
	return nil, false
}

// fullName is the path and the name of a type, without type arguments.
func fullName(t *types.Named) string {
	if t.Obj().Pkg() == nil {
		return t.Obj().Name()
	}
	return t.Obj().Pkg().Path() + "." + t.Obj().Name()
}

// shaped is the schema that a marker describes.
func (b *builder) shaped(shape marker.Shape) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: shape.Type, Format: shape.Format, Pattern: shape.Pattern}
	if shape.Type == "any" {
		s.Type = ""
	}
	b.samples[s] = nil
	if shape.Example != "" {
		s.Examples = []any{valueOf(s.Type, shape.Example)}
		b.samples[s] = s.Examples[0]
	}
	return s
}

// valueOf reads a value for a schema of a type: text for strings, JSON for all else, and text where it is no JSON.
func valueOf(kind, text string) any {
	if kind != "string" && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return text
}

// writesItself reports a type with a MarshalJSON method, whose JSON only its author knows.
func (b *builder) writesItself(t *types.Named, at place) {
	name := b.display(t)
	if t.Obj().Pkg() == b.pkg.Types {
		help := "say what it writes with a marker above it: " + marker.Prefix + "schema type=string format=decimal"
		if promoted := promotedFrom(t, "MarshalJSON"); promoted != nil {
			help = "give the embedded " + b.display(promoted) + " a name; or, where that is meant, " + help
		}
		b.mistakes.Add(diag.Diagnostic{
			Code: diag.SchemaUnknown, Pos: b.pkg.Pos(t.Obj().Pos()), Help: help,
			Message: name + " writes its own JSON, so its schema is unknown",
		})
		return
	}
	b.report(diag.SchemaUnknown, at,
		"say what it writes in the field's tag: `jsonschema:\"type=string,format=decimal\"`; or with the marker "+
			marker.Prefix+"schema where "+name+" is declared",
		"%s is of type %s, which writes its own JSON, so its schema is unknown", at, name)
}

// promotedFrom returns the embedded type that brings a method, nil where the type has it itself.
func promotedFrom(t *types.Named, name string) types.Type {
	_, index, _ := types.LookupFieldOrMethod(t, true, nil, name)
	s, is := t.Underlying().(*types.Struct)
	if len(index) < 2 || !is {
		return nil
	}
	return s.Field(index[0]).Type()
}

func (b *builder) warnOfDuration(at place) {
	if at.field == nil || b.comments.of(at.field).text != "" {
		return
	}
	b.report(diag.DurationNumber, at, "say so in a comment above the field, or send milliseconds as an int64 with a name that says so",
		"%s is a time.Duration, which is a number of nanoseconds on the wire", at)
}

// dynamic is the schema of an interface. Into one with methods nothing can be decoded.
func (b *builder) dynamic(t types.Type, u *types.Interface, at place) *jsonschema.Schema {
	s := &jsonschema.Schema{}
	b.samples[s] = "anything"
	if u.NumMethods() > 0 {
		b.report(diag.SchemaImpossible, at, "use the type that is sent, or any",
			"%s is a %s: nothing can be decoded into an interface with methods", at, b.display(t))
	}
	return s
}

// ranges are the smallest and the largest values of integers that are not the whole of what JSON numbers hold.
var ranges = map[types.BasicKind][2]string{
	types.Int8:    {"-128", "127"},
	types.Int16:   {"-32768", "32767"},
	types.Int32:   {"-2147483648", "2147483647"},
	types.Uint8:   {"0", "255"},
	types.Uint16:  {"0", "65535"},
	types.Uint32:  {"0", strconv.Itoa(math.MaxUint32)},
	types.Uint:    {"0"},
	types.Uint64:  {"0"},
	types.Uintptr: {"0"},
}

func (b *builder) basic(t types.Type, u *types.Basic, at place) *jsonschema.Schema {
	s := &jsonschema.Schema{}
	switch info := u.Info(); {
	case u.Kind() == types.Invalid:
		b.invalid = true
	case info&types.IsBoolean != 0:
		s.Type = "boolean"
	case info&types.IsString != 0:
		s.Type = "string"
	case info&types.IsInteger != 0:
		s.Type = "integer"
		s.Minimum, s.Maximum = json.Number(ranges[u.Kind()][0]), json.Number(ranges[u.Kind()][1])
	case info&types.IsFloat != 0:
		s.Type = "number"
	default:
		return b.impossible(t, at)
	}
	if named, is := t.(*types.Named); is {
		if values := enumOf(named); values != nil {
			s.Enum, s.Minimum, s.Maximum = values, "", ""
		}
	}
	return s
}

// impossible reports a type that encoding/json cannot write.
func (b *builder) impossible(t types.Type, at place) *jsonschema.Schema {
	b.report(diag.SchemaImpossible, at, "leave it out of the message: `json:\"-\"`",
		"%s is a %s, which JSON cannot hold", at, b.display(t))
	return &jsonschema.Schema{}
}

func (b *builder) slice(u *types.Slice, at place) *jsonschema.Schema {
	if isByte(u.Elem()) {
		s := &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}
		b.samples[s] = "AQID"
		return s
	}
	return &jsonschema.Schema{Type: "array", Items: b.schemaOf(u.Elem(), at)}
}

// isByte reports whether a slice of t is written as base64.
func isByte(t types.Type) bool {
	basic, is := t.Underlying().(*types.Basic)
	return is && basic.Kind() == types.Uint8 && !marshals(t, "MarshalJSON") && !marshals(t, "MarshalText")
}

func (b *builder) table(u *types.Map, at place) *jsonschema.Schema {
	if t, name := forgotten(u.Elem()); t != nil {
		b.report(diag.SchemaMethod, at, "declare the method on "+b.display(t)+" itself, or make the values pointers",
			"the method %s of %s is not called in a map: it is declared on the pointer, and values in a map have none",
			name, b.display(t))
	}
	return &jsonschema.Schema{
		Type: "object", PropertyNames: b.keys(u.Key(), at), AdditionalProperties: b.schemaOf(u.Elem(), at),
	}
}

// keys is the schema of the keys of a map, nil where every text is one.
func (b *builder) keys(t types.Type, at place) *jsonschema.Schema {
	t = types.Unalias(t)
	basic, _ := t.Underlying().(*types.Basic)
	named, _ := t.(*types.Named)
	switch {
	case basic != nil && basic.Info()&types.IsString != 0:
		if named == nil {
			return nil
		}
		if values := enumOf(named); values != nil {
			return &jsonschema.Schema{Enum: values}
		}
		return nil
	case marshals(t, "MarshalText") && !byPointer(t, "MarshalText"):
		s := &jsonschema.Schema{Type: "string"}
		b.samples[s] = nil
		if named != nil && known[fullName(named)].kind != "" {
			b.samples[s] = known[fullName(named)].sample
		}
		return s
	case basic != nil && basic.Info()&types.IsUnsigned != 0:
		return &jsonschema.Schema{Pattern: "^[0-9]+$"}
	case basic != nil && basic.Info()&types.IsInteger != 0:
		return &jsonschema.Schema{Pattern: "^-?[0-9]+$"}
	case basic != nil && basic.Kind() == types.Invalid:
		b.invalid = true
	default:
		b.report(diag.SchemaImpossible, at, "use keys of a string or an integer type",
			"%s has keys of type %s, which JSON cannot hold", at, b.display(t))
	}
	return nil
}

// display names a type as the package of the flow does.
func (b *builder) display(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == b.pkg.Types {
			return ""
		}
		return p.Name()
	})
}
