package schema

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/invopop/jsonschema"
)

// definition is a type with a schema of its own in $defs.
type definition struct {
	named  *types.Named
	schema *jsonschema.Schema
	uses   []*jsonschema.Schema // what refers to it
}

// isDefined reports whether a type gets a schema of its own: one with parts, which may hold itself, and an enum.
func isDefined(t *types.Named) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return enumOf(t) != nil
	case *types.Slice:
		return !isByte(u.Elem())
	case *types.Interface:
		return false
	}
	return true
}

// reference returns a schema that refers to that of a type. What it refers to is filled in when all names are known.
func (b *builder) reference(t *types.Named) *jsonschema.Schema {
	key := types.TypeString(t, nil)
	d, known := b.defs[key]
	if !known {
		d = &definition{named: t}
		b.defs[key] = d
		d.schema = b.content(t, place{owner: t.Obj().Name()})
		b.describe(d.schema, b.comments.of(t.Obj()))
	}
	use := &jsonschema.Schema{Ref: key}
	d.uses = append(d.uses, use)
	return use
}

// nameDefinitions gives every definition a name: that of its type, with the package before it where two have one name.
func (b *builder) nameDefinitions(root *jsonschema.Schema) {
	keys := slices.Sorted(maps.Keys(b.defs))
	count := map[string]int{}
	for _, key := range keys {
		count[typeWord(b.defs[key].named)]++
	}
	taken := map[string]bool{}
	for _, key := range keys {
		d := b.defs[key]
		name := typeWord(d.named)
		if count[name] > 1 && d.named.Obj().Pkg() != nil {
			name = d.named.Obj().Pkg().Name() + "." + name
		}
		for base, n := name, 2; taken[name]; n++ {
			name = fmt.Sprintf("%s.%d", base, n)
		}
		taken[name] = true
		if root.Definitions == nil {
			root.Definitions = jsonschema.Definitions{}
		}
		root.Definitions[name] = d.schema
		for _, use := range d.uses {
			use.Ref = "#/$defs/" + url.PathEscape(name)
		}
	}
}

// typeWord writes a type as one word: PageOfOrder for Page[Order], ListOfOrder for []Order.
func typeWord(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		name := t.Obj().Name()
		var args []string
		for arg := range t.TypeArgs().Types() {
			args = append(args, typeWord(arg))
		}
		if len(args) == 0 {
			return name
		}
		return name + "Of" + strings.Join(args, "And")
	case *types.Basic:
		return capital(t.Name())
	case *types.Pointer:
		return "Optional" + typeWord(t.Elem())
	case *types.Slice:
		return "ListOf" + typeWord(t.Elem())
	case *types.Array:
		return fmt.Sprintf("%dOf%s", t.Len(), typeWord(t.Elem()))
	case *types.Map:
		return "MapOf" + typeWord(t.Key()) + "To" + typeWord(t.Elem())
	case *types.Interface:
		return "Any"
	}
	return "Struct"
}

func capital(name string) string {
	first, rest := name[:1], name[1:]
	return cmp.Or(strings.Map(unicode.ToUpper, first), first) + rest
}
