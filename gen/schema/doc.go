// Package schema writes the JSON Schema (2020-12) of the messages of a flow, and a sample of each. It reads go/types and
// comments, and runs none of the user's code.
//
// A schema says what encoding/json writes for a value of the type:
//
//   - Members are those of encoding/json: tags, "-", omitempty, omitzero, string, embedded structs. A member is required
//     where it is always written. What may be null is: a pointer, a slice, a map, unless omitempty leaves it out.
//   - Objects are open, so that messages can grow; //acemq:closed above a struct closes it.
//   - A type with a MarshalText method is a string. One with a MarshalJSON method says what it is by a marker,
//     //acemq:schema type=string format=decimal, or, where it is of another module, a field of it by its tag:
//     `jsonschema:"type=string,format=decimal"`. Types that are known: see known.go.
//   - A type made of string, with two constants or more, is an enum of them; one made of an integer is where its
//     constants follow one another without a gap, so that units and flags are none. Of another package, only exported
//     constants are known.
//   - Descriptions are the comments of types and fields. A paragraph "Deprecated: …" says deprecated as well.
//   - Tags `jsonschema:"minimum=0,maximum=9"` add what types cannot say; see tag.go for the keys. A comma in a value is
//     written as two backslashes and a comma.
//
// The document model is that of invopop/jsonschema.
package schema
