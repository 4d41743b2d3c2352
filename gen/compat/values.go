package compat

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/invopop/jsonschema"
)

// values compares which values are accepted: lists, patterns, formats and encodings.
func (c *comparer) values(old, today *jsonschema.Schema, path string) {
	switch {
	case old.Enum == nil && today.Enum != nil:
		c.add(enumAdded, path, "")
	case old.Enum != nil && today.Enum == nil:
		c.add(enumRemoved, path, "")
	default:
		c.each(enumValueRemoved, old.Enum, today.Enum, path)
		c.each(enumValueAdded, today.Enum, old.Enum, path)
	}
	c.text(old.Pattern, today.Pattern, path, patternAdded, patternRemoved, patternChanged)
	c.text(old.Format, today.Format, path, formatAdded, formatRemoved, formatChanged)
	c.text(old.ContentEncoding, today.ContentEncoding, path, encodingChanged, encodingChanged, encodingChanged)
}

// each adds a change for each value that others do not have.
func (c *comparer) each(rule Rule, values, others []any, path string) {
	for _, v := range values {
		if !slices.ContainsFunc(others, func(other any) bool { return sameJSON(v, other) }) {
			text, _ := json.Marshal(v)
			c.add(rule, path, string(text))
		}
	}
}

// text compares a word of a schema that a text belongs to.
func (c *comparer) text(was, is, path string, added, removed, changed Rule) {
	switch {
	case was == is:
	case was == "":
		c.add(added, path, is)
	case is == "":
		c.add(removed, path, was)
	default:
		c.add(changed, path, was+" is "+is)
	}
}

// limits compares the limits of numbers, texts, arrays and objects.
func (c *comparer) limits(old, today *jsonschema.Schema, path string) {
	for _, limit := range []struct {
		name    string
		was, is *big.Rat
		lower   bool
	}{
		{"minimum", number(old.Minimum), number(today.Minimum), true},
		{"exclusiveMinimum", number(old.ExclusiveMinimum), number(today.ExclusiveMinimum), true},
		{"maximum", number(old.Maximum), number(today.Maximum), false},
		{"exclusiveMaximum", number(old.ExclusiveMaximum), number(today.ExclusiveMaximum), false},
		{"minLength", count(old.MinLength), count(today.MinLength), true},
		{"maxLength", count(old.MaxLength), count(today.MaxLength), false},
		{"minItems", count(old.MinItems), count(today.MinItems), true},
		{"maxItems", count(old.MaxItems), count(today.MaxItems), false},
		{"minProperties", count(old.MinProperties), count(today.MinProperties), true},
		{"maxProperties", count(old.MaxProperties), count(today.MaxProperties), false},
	} {
		if order := compareLimits(limit.was, limit.is); order != 0 {
			narrower := order > 0 == limit.lower
			if limit.was == nil || limit.is == nil {
				narrower = limit.was == nil
			}
			c.add(choose(narrower, limitNarrowed, limitWidened), path, limit.name)
		}
	}
	c.step(number(old.MultipleOf), number(today.MultipleOf), path)
	if old.UniqueItems != today.UniqueItems {
		c.add(choose(today.UniqueItems, limitNarrowed, limitWidened), path, "uniqueItems")
	}
}

// compareLimits says whether a limit is higher than it was (1), lower (-1) or the same (0). One that came or went is not
// the same.
func compareLimits(was, is *big.Rat) int {
	switch {
	case was == nil && is == nil:
		return 0
	case was == nil || is == nil:
		return 1
	}
	return is.Cmp(was)
}

func (c *comparer) step(was, is *big.Rat, path string) {
	divides := func(a, b *big.Rat) bool { return a.Sign() != 0 && new(big.Rat).Quo(b, a).IsInt() }
	switch {
	case compareLimits(was, is) == 0:
	case is == nil || was != nil && divides(is, was):
		c.add(limitWidened, path, "multipleOf")
	case was == nil || divides(was, is):
		c.add(limitNarrowed, path, "multipleOf")
	default:
		c.add(stepChanged, path, was.RatString()+" is "+is.RatString())
	}
}

func number(n json.Number) *big.Rat {
	r, is := new(big.Rat).SetString(string(n))
	if !is {
		return nil
	}
	return r
}

func count(n *uint64) *big.Rat {
	if n == nil {
		return nil
	}
	return new(big.Rat).SetInt(new(big.Int).SetUint64(*n))
}
