package schema

import (
	"bytes"
	"fmt"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/jsontext"
	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/gen/read"
)

// Document is the schema of a message.
type Document struct {
	Message model.Message
	Schema  *jsonschema.Schema
	Content []byte // the schema as JSON, always the same for the same type
	Sample  []byte // a message that the schema accepts, as JSON; what cannot be made up is left out of it
}

// Documents returns the schemas of the messages of a flow, in the order of the flow. It leaves out messages whose types
// do not compile, and those with mistakes.
func Documents(p *load.Package, flow *model.Flow) ([]Document, diag.List) {
	var documents []Document
	var mistakes diag.List
	named := read.Named(p)
	comments := newComments(p)
	for _, message := range flow.Messages {
		t := named[message.Go]
		if t == nil || message.Type == model.Unread || types.IsInterface(t) {
			continue
		}
		b := &builder{
			pkg: p, comments: comments, message: message, root: t,
			defs: map[string]*definition{}, samples: map[*jsonschema.Schema]any{},
		}
		document, fine := b.document()
		mistakes = append(mistakes, b.mistakes...)
		if fine {
			documents = append(documents, document)
		}
	}
	mistakes.Sort()
	return documents, mistakes
}

// Part returns the schema as a part of a larger JSON document, where it stands at a pointer, "#/components/schemas/order"
// for one. It is without $schema and $id, and its references lead from the root of that document.
func (d Document) Part(pointer string) ([]byte, error) {
	part := *d.Schema
	part.Version, part.ID = "", ""
	text, err := render(&part)
	// A text that looks like this has its quotes escaped.
	return bytes.ReplaceAll(text, []byte(`"$ref": "#`), []byte(`"$ref": "`+pointer)), err
}

// FileName returns the name of the file that holds the schema of a version of a type: "order.placed.v1.schema.json".
func FileName(logical string, version int) string { return stem(logical, version) + extension }

// IsFile reports whether the name of a file is one that [FileName] returns.
func IsFile(name string) bool { return strings.HasSuffix(name, extension) }

const extension = ".schema.json"

// SampleName returns the name of the file that holds the sample of a version of a type: "order.placed.v1.json".
func SampleName(logical string, version int) string { return stem(logical, version) + ".json" }

// stem writes a type and a version so that every system and Go module takes it for a file's name. What is not a letter,
// a digit or one of "._-" is written as %XX.
func stem(logical string, version int) string {
	var name strings.Builder
	for _, c := range []byte(logical) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-',
			c == '.' && name.Len() > 0:
			name.WriteByte(c)
		default:
			fmt.Fprintf(&name, "%%%02X", c)
		}
	}
	return name.String() + ".v" + strconv.Itoa(version)
}

// builder makes the schema of one message.
type builder struct {
	pkg      *load.Package
	comments *comments
	message  model.Message
	root     *types.Named
	mistakes diag.List
	invalid  bool                       // a type in it does not compile
	defs     map[string]*definition     // by the full name of the type
	samples  map[*jsonschema.Schema]any // values that a schema alone does not tell; nil for one that cannot be made up
}

func (b *builder) document() (Document, bool) {
	at := place{owner: b.root.Obj().Name()}
	root, special := b.special(b.root, at)
	if !special {
		root = b.content(b.root, at)
	}
	root.Version = jsonschema.Version
	root.ID = jsonschema.ID("urn:acemq:" + strings.TrimSuffix(FileName(b.message.Type, b.message.Version), ".schema.json"))
	root.Title = b.root.Obj().Name()
	b.describe(root, b.comments.of(b.root.Obj()))
	if b.invalid || b.mistakes.Failed() {
		return Document{}, false
	}
	b.nameDefinitions(root)
	content, err := render(root)
	if err != nil {
		b.report(diag.SchemaUnknown, place{}, "", "the schema cannot be written: %v", err)
		return Document{}, false
	}
	sample, err := b.sample(root)
	if err != nil {
		b.report(diag.SchemaUnknown, place{}, "", "the sample cannot be written: %v", err)
		return Document{}, false
	}
	return Document{Message: b.message, Schema: root, Content: content, Sample: sample}, true
}

// render writes JSON as schemas and samples are kept: two blanks a level, and characters as they are.
func render(v any) ([]byte, error) {
	var text bytes.Buffer
	if err := jsontext.Write(&text, v); err != nil {
		return nil, err
	}
	return plain(text.Bytes()), nil
}

// plain writes <, > and & as they are, which encoding/json escapes inside of what marshals itself.
func plain(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out = append(out, text[i])
			continue
		}
		if c, is := htmlEscapes[string(text[i:min(i+6, len(text))])]; is {
			out = append(out, c)
			i += 5
			continue
		}
		out = append(out, text[i], text[i+1])
		i++
	}
	return out
}

var htmlEscapes = map[string]byte{`\u003c`: '<', `\u003e`: '>', `\u0026`: '&'}

// place is where in a message a type stands.
type place struct {
	field *types.Var // nil for the message itself
	owner string     // the type that has the field
}

func (at place) String() string {
	if at.field == nil {
		return at.owner
	}
	return at.owner + "." + at.field.Name()
}

// report adds a mistake: at the field where it is one of this package's, at the message's marker otherwise.
func (b *builder) report(code diag.Code, at place, help, format string, args ...any) {
	d := diag.Diagnostic{Code: code, Pos: b.message.Pos, Message: fmt.Sprintf(format, args...), Help: help}
	if at.field != nil && at.field.Pkg() == b.pkg.Types {
		d.Pos = b.pkg.Pos(at.field.Pos())
	} else if at.field != nil && at.field.Pos() != token.NoPos {
		d.Message = b.message.Go.String() + ": " + d.Message
	}
	b.mistakes.Add(d)
}
