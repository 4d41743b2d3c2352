package schema

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/types/typeutil"
)

// field is a member that encoding/json writes for a struct.
type field struct {
	*types.Var
	name      string
	tag       reflect.StructTag
	tagged    bool  // the name is from the tag
	index     []int // of the field, through embedded structs
	omitEmpty bool
	omitZero  bool
	quoted    bool
	maybe     bool // it is in an embedded struct behind a pointer
}

// embedded is a struct whose fields are looked at.
type embedded struct {
	*types.Struct
	key   types.Type
	index []int
	maybe bool
}

// fieldsOf returns the members of a struct by the rules of encoding/json, in the order in which it writes them: what is
// less deep hides what is deeper, a name from a tag hides one without, and what is left twice is left out.
func fieldsOf(s *types.Struct) []field {
	var all []field
	var visited typeutil.Map
	level := []embedded{{Struct: s, key: s}}
	counts := &typeutil.Map{}
	for len(level) > 0 {
		var next []embedded
		nextCounts := &typeutil.Map{}
		for _, e := range level {
			if visited.At(e.key) != nil {
				continue
			}
			visited.Set(e.key, true)
			for i := range e.NumFields() {
				f, inner, is := e.field(i)
				switch {
				case !is:
				case inner == nil:
					all = append(all, f)
					if twice(counts, e.key) {
						all = append(all, f)
					}
				default:
					n, _ := nextCounts.At(inner.key).(int)
					nextCounts.Set(inner.key, n+1)
					if n == 0 {
						next = append(next, *inner)
					}
				}
			}
		}
		level, counts = next, nextCounts
	}
	return dominant(all)
}

func twice(counts *typeutil.Map, t types.Type) bool {
	n, _ := counts.At(t).(int)
	return n > 1
}

// field returns the member that field i of e is, or the struct whose fields take its place.
func (e embedded) field(i int) (field, *embedded, bool) {
	v := e.Field(i)
	tag := reflect.StructTag(e.Tag(i))
	t := types.Unalias(v.Type())
	behind, pointer := t.(*types.Pointer)
	if pointer {
		t = types.Unalias(behind.Elem())
	}
	inner, isStruct := t.Underlying().(*types.Struct)
	text, options, _ := strings.Cut(tag.Get("json"), ",")
	if !v.Exported() && (!v.Embedded() || !isStruct) || tag.Get("json") == "-" {
		return field{}, nil, false
	}
	index := append(slices.Clone(e.index), i)
	if !isName(text) {
		text = ""
	}
	if text == "" && v.Embedded() && isStruct {
		return field{}, &embedded{Struct: inner, key: t, index: index, maybe: e.maybe || pointer}, true
	}
	opts := strings.Split(options, ",")
	return field{
		Var: v, name: cmp.Or(text, v.Name()), tag: tag, tagged: text != "", index: index,
		omitEmpty: slices.Contains(opts, "omitempty"), omitZero: slices.Contains(opts, "omitzero"),
		quoted: slices.Contains(opts, "string") && isQuotable(t), maybe: e.maybe,
	}, nil, true
}

// isName reports whether encoding/json takes a text for a name.
func isName(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// isQuotable reports whether the option string means anything for a type.
func isQuotable(t types.Type) bool {
	basic, is := t.Underlying().(*types.Basic)
	return is && basic.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat|types.IsString) != 0
}

// dominant leaves one field a name, or none, in the order of the struct.
func dominant(all []field) []field {
	slices.SortStableFunc(all, func(a, b field) int {
		tagged := 0
		if a.tagged != b.tagged {
			tagged = 1
			if a.tagged {
				tagged = -1
			}
		}
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(len(a.index), len(b.index)), tagged,
			slices.Compare(a.index, b.index))
	})
	var out []field
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].name == all[0].name {
			n++
		}
		if n == 1 || len(all[0].index) != len(all[1].index) || all[0].tagged != all[1].tagged {
			out = append(out, all[0])
		}
		all = all[n:]
	}
	slices.SortFunc(out, func(a, b field) int { return slices.Compare(a.index, b.index) })
	return out
}

// mayBeMissing reports whether encoding/json leaves the member out for some values.
func (f field) mayBeMissing() bool {
	if f.maybe || f.omitZero {
		return true
	}
	if !f.omitEmpty {
		return false
	}
	switch t := f.Type().Underlying().(type) {
	case *types.Struct:
		return false
	case *types.Array:
		return t.Len() == 0
	}
	return true
}

// present returns the type of what is written where the member is: what a pointer points to, where none is left out.
func (f field) present() types.Type {
	if pointer, is := f.Type().Underlying().(*types.Pointer); is && (f.omitEmpty || f.omitZero) {
		return pointer.Elem()
	}
	return f.Type()
}

// neverNull reports whether a slice or a map is left out where it would be null.
func (f field) neverNull() bool {
	switch f.Type().Underlying().(type) {
	case *types.Slice, *types.Map:
		return f.omitEmpty || f.omitZero && !hasMethod(f.Type(), "IsZero")
	}
	return false
}
