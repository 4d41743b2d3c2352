package compat

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// Change is one difference between two schemas of a message.
type Change struct {
	Rule   Rule
	Path   string // of the value: "/lines/*/price"; "" for the message itself
	Detail string // what was and what is: "integer is string"; may be empty
}

// String writes a change in one line: "/lines: type-changed (array is object): breaking: neither side …".
func (c Change) String() string {
	detail := ""
	if c.Detail != "" {
		detail = " (" + c.Detail + ")"
	}
	return fmt.Sprintf("%s: %s%s: %s: %s", cmp.Or(c.Path, "/"), c.Rule.Name, detail, c.Rule.Verdict, c.Rule.Reason)
}

// Compare returns the differences between a locked schema and what the type says today, by path. Equal schemas have
// none.
func Compare(locked, today *jsonschema.Schema) []Change {
	c := comparer{old: locked, new: today, seen: map[[2]*jsonschema.Schema]bool{}}
	c.schemas(locked, today, "")
	slices.SortStableFunc(c.changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule.Name, b.Rule.Name))
	})
	return slices.Compact(c.changes)
}

type comparer struct {
	old, new *jsonschema.Schema // the roots, where $defs are
	seen     map[[2]*jsonschema.Schema]bool
	changes  []Change
}

func (c *comparer) add(rule Rule, path, detail string) {
	c.changes = append(c.changes, Change{rule, path, detail})
}

// schemas compares what stands at one path.
func (c *comparer) schemas(was, is *jsonschema.Schema, path string) {
	if wordsOf(was) != wordsOf(is) {
		c.add(wordingChanged, path, "")
	}
	old, oldNull := unwrap(c.old, was)
	today, newNull := unwrap(c.new, is)
	pair := [2]*jsonschema.Schema{old, today}
	if oldNull != newNull && !isAny(old) && !isAny(today) {
		c.add(choose(newNull, nullAllowed, nullRefused), path, "")
	}
	if c.seen[pair] {
		return
	}
	c.seen[pair] = true
	if old != was && today != is && wordsOf(old) != wordsOf(today) {
		c.add(wordingChanged, path, "")
	}
	switch {
	case isAny(old) && isAny(today):
	case isAny(old):
		c.add(anyTyped, path, typeOf(today))
	case isAny(today):
		c.add(typeOpened, path, typeOf(old))
	case len(old.AnyOf) > 0 || len(today.AnyOf) > 0 || hasMore(old) || hasMore(today):
		if !sameJSON(old, today) {
			c.add(alternativesChanged, path, "")
		}
	default:
		c.typed(old, today, path)
	}
}

// typed compares two schemas that say a type.
func (c *comparer) typed(old, today *jsonschema.Schema, path string) {
	was, is := typeOf(old), typeOf(today)
	switch {
	case was == is:
	case was == "integer" && is == "number":
		c.add(integerToNumber, path, "")
	case was == "number" && is == "integer":
		c.add(numberToInteger, path, "")
	default:
		c.add(typeChanged, path, was+" is "+is)
		return
	}
	c.values(old, today, path)
	c.limits(old, today, path)
	c.objects(old, today, path)
	if old.Items != nil || today.Items != nil {
		c.schemas(orAny(old.Items), orAny(today.Items), path+"/*")
	}
	if old.PropertyNames != nil || today.PropertyNames != nil {
		c.schemas(asText(old.PropertyNames), asText(today.PropertyNames), path+"/(keys)")
	}
}

// choose returns one of two rules.
func choose(first bool, a, b Rule) Rule {
	if first {
		return a
	}
	return b
}

// unwrap follows references, and takes null out of a choice with it. It reports whether null is accepted.
func unwrap(root, s *jsonschema.Schema) (*jsonschema.Schema, bool) {
	null := false
	for range 100 { // more than any schema that does not run in circles
		switch {
		case s.Ref == "#":
			s = root
		case s.Ref != "":
			name, _ := url.PathUnescape(strings.TrimPrefix(s.Ref, "#/$defs/"))
			s = orAny(root.Definitions[name])
		case len(s.AnyOf) == 2 && s.AnyOf[1].Type == "null":
			s, null = s.AnyOf[0], true
		default:
			return s, null
		}
	}
	return &jsonschema.Schema{}, null
}

// isAny reports whether a schema accepts everything.
func isAny(s *jsonschema.Schema) bool {
	bare := *s
	bare.Title, bare.Description, bare.Examples, bare.Default = "", "", nil, nil
	bare.Deprecated, bare.ReadOnly, bare.WriteOnly = false, false, false
	bare.Version, bare.ID, bare.Definitions, bare.Comments = "", "", nil, ""
	return sameJSON(&bare, jsonschema.TrueSchema)
}

// hasMore reports whether a schema has words that gen/schema does not write: they are compared as a whole.
func hasMore(s *jsonschema.Schema) bool {
	return s.AllOf != nil || s.OneOf != nil || s.Not != nil || s.If != nil || s.PrefixItems != nil || s.Contains != nil ||
		s.PatternProperties != nil || s.DependentSchemas != nil || s.DependentRequired != nil
}

func orAny(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return &jsonschema.Schema{}
	}
	return s
}

// asText is the schema of the keys of an object, which are texts.
func asText(s *jsonschema.Schema) *jsonschema.Schema {
	text := *orAny(s)
	text.Type = "string"
	return &text
}

// typeOf returns the type of what a schema accepts: that of its values, where it lists them.
func typeOf(s *jsonschema.Schema) string {
	if s.Type != "" || len(s.Enum) == 0 {
		return cmp.Or(s.Type, "anything")
	}
	switch s.Enum[0].(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	}
	return "number"
}

// wordsOf returns what only people read.
func wordsOf(s *jsonschema.Schema) string {
	text, _ := json.Marshal([]any{
		s.Title, s.Description, s.Deprecated, s.ReadOnly, s.WriteOnly, s.Default, s.Examples, s.Comments, s.ContentMediaType,
	})
	return string(text)
}

// sameJSON reports whether two values are the same as JSON.
func sameJSON(a, b any) bool {
	var values [2]any
	for i, v := range []any{a, b} {
		text, err := json.Marshal(v)
		if err != nil || json.Unmarshal(text, &values[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}
