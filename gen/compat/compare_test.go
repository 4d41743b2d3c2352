package compat

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
)

// short are names for schemas that many pairs have.
var short = strings.NewReplacer(
	"INTS", `{"type":"array","items":{"type":"integer"}}`,
	"STRS", `{"type":"array","items":{"type":"string"}}`,
	"INT", `{"type":"integer"}`,
	"NUM", `{"type":"number"}`,
	"STR", `{"type":"string"}`,
	"BOOL", `{"type":"boolean"}`,
	"NULL", `{"type":"null"}`,
	"ANY", `true`,
	"OBJ", `{"type":"object"}`,
)

// pairs are what was locked, what is, and the changes: "path rule".
var pairs = []struct{ old, new, want string }{
	// Types.
	{`INT`, `INT`, ``},
	{`INT`, `STR`, ` type-changed`},
	{`STR`, `INT`, ` type-changed`},
	{`STR`, `BOOL`, ` type-changed`},
	{`BOOL`, `INT`, ` type-changed`},
	{`OBJ`, `STR`, ` type-changed`},
	{`OBJ`, `INTS`, ` type-changed`},
	{`INTS`, `OBJ`, ` type-changed`},
	{`INT`, `INTS`, ` type-changed`},
	{`NUM`, `STR`, ` type-changed`},
	{`INT`, `NUM`, ` integer-to-number`},
	{`NUM`, `INT`, ` number-to-integer`},
	{`INT`, `ANY`, ` type-removed`},
	{`ANY`, `INT`, ` type-added`},
	{`ANY`, `ANY`, ``},
	{`{}`, `ANY`, ``},
	{`{"description":"x"}`, `STR`, ` type-added, wording-changed`},
	{`INTS`, `STRS`, `/* type-changed`},
	{`INTS`, `{"type":"array"}`, `/* type-removed`},
	{`{"type":"array"}`, `INTS`, `/* type-added`},
	{`{"type":"array","items":INTS}`, `{"type":"array","items":STRS}`, `/*/* type-changed`},

	// Null.
	{`INT`, `{"anyOf":[INT,NULL]}`, ` null-allowed`},
	{`{"anyOf":[INT,NULL]}`, `INT`, ` null-refused`},
	{`{"anyOf":[INT,NULL]}`, `{"anyOf":[INT,NULL]}`, ``},
	{`{"anyOf":[INT,NULL]}`, `{"anyOf":[STR,NULL]}`, ` type-changed`},
	{`{"anyOf":[INT,NULL]}`, `STR`, ` null-refused, type-changed`},
	{`{"anyOf":[INT,NULL]}`, `{"anyOf":[NUM,NULL]}`, ` integer-to-number`},
	{`INTS`, `{"anyOf":[INTS,NULL]}`, ` null-allowed`},
	{`{"anyOf":[INT,NULL]}`, `ANY`, ` type-removed`},
	{`{"type":"array","items":INT}`, `{"type":"array","items":{"anyOf":[INT,NULL]}}`, `/* null-allowed`},

	// Members.
	{`{"type":"object","properties":{"a":INT}}`, `{"type":"object","properties":{"a":INT,"b":INT}}`, `/b optional-member-added`},
	{`OBJ`, `{"type":"object","properties":{"b":INT}}`, `/b optional-member-added`},
	{`OBJ`, `{"type":"object","properties":{"b":INT},"required":["b"]}`, `/b required-member-added`},
	{`{"type":"object","properties":{"a":INT}}`, `OBJ`, `/a optional-member-removed`},
	{`{"type":"object","properties":{"a":INT},"required":["a"]}`, `OBJ`, `/a required-member-removed`},
	{`{"type":"object","properties":{"a":INT},"required":["a"]}`, `{"type":"object","properties":{"a":INT}}`, `/a member-made-optional`},
	{`{"type":"object","properties":{"a":INT}}`, `{"type":"object","properties":{"a":INT},"required":["a"]}`, `/a member-made-required`},
	{`{"type":"object","properties":{"a":INT},"required":["a"]}`, `{"type":"object","properties":{"b":INT},"required":["b"]}`, `/a required-member-removed, /b required-member-added`},
	{`{"type":"object","properties":{"a":INT}}`, `{"type":"object","properties":{"b":INT}}`, `/a optional-member-removed, /b optional-member-added`},
	{`{"type":"object","properties":{"a":INT}}`, `{"type":"object","properties":{"a":STR}}`, `/a type-changed`},
	{`{"type":"object","properties":{"a":INT},"required":["a"]}`, `{"type":"object","properties":{"a":STR}}`, `/a member-made-optional, /a type-changed`},
	{`{"type":"object","properties":{"a":INT,"b":STR}}`, `{"type":"object","properties":{"b":STR,"a":INT}}`, ``},
	{`{"type":"object","required":["a","b"],"properties":{"a":INT,"b":INT}}`, `{"type":"object","required":["b","a"],"properties":{"a":INT,"b":INT}}`, ``},
	{`{"type":"object","properties":{"a":{"type":"object","properties":{"b":INT}}}}`, `{"type":"object","properties":{"a":{"type":"object","properties":{"b":STR}}}}`, `/a/b type-changed`},
	{`{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"b":INT},"required":["b"]}}}}`, `{"type":"object","properties":{"a":{"type":"array","items":OBJ}}}`, `/a/*/b required-member-removed`},
	{`{"type":"object","properties":{"a":{"anyOf":[INT,NULL]}},"required":["a"]}`, `{"type":"object","properties":{"a":INT}}`, `/a member-made-optional, /a null-refused`},

	// Closed objects and maps.
	{`OBJ`, `{"type":"object","additionalProperties":false}`, ` object-closed`},
	{`{"type":"object","additionalProperties":false}`, `OBJ`, ` object-opened`},
	{`{"type":"object","additionalProperties":false}`, `{"type":"object","additionalProperties":false}`, ``},
	{`{"type":"object","additionalProperties":false}`, `{"type":"object","additionalProperties":false,"properties":{"a":INT}}`, `/a optional-member-added-to-closed`},
	{`{"type":"object","additionalProperties":false}`, `{"type":"object","additionalProperties":false,"properties":{"a":INT},"required":["a"]}`, `/a required-member-added-to-closed`},
	{`{"type":"object","additionalProperties":false,"properties":{"a":INT}}`, `{"type":"object","additionalProperties":false}`, `/a member-removed-from-closed`},
	{`{"type":"object","additionalProperties":false,"properties":{"a":INT},"required":["a"]}`, `{"type":"object","additionalProperties":false}`, `/a required-member-removed`},
	{`{"type":"object","additionalProperties":INT}`, `{"type":"object","additionalProperties":INT}`, ``},
	{`{"type":"object","additionalProperties":INT}`, `{"type":"object","additionalProperties":STR}`, `/* type-changed`},
	{`{"type":"object","additionalProperties":INT}`, `{"type":"object","additionalProperties":NUM}`, `/* integer-to-number`},
	{`{"type":"object","additionalProperties":INT}`, `OBJ`, `/* type-removed`},
	{`OBJ`, `{"type":"object","additionalProperties":INT}`, `/* type-added`},
	{`{"type":"object","additionalProperties":true}`, `OBJ`, ``},
	{`{"type":"object","propertyNames":{"pattern":"^[0-9]+$"}}`, `OBJ`, `/(keys) pattern-removed`},
	{`OBJ`, `{"type":"object","propertyNames":{"pattern":"^[0-9]+$"}}`, `/(keys) pattern-added`},
	{`{"type":"object","propertyNames":{"enum":["a"]}}`, `{"type":"object","propertyNames":{"enum":["a","b"]}}`, `/(keys) enum-value-added`},
	{`{"type":"object","properties":{"a":INT},"required":["a"]}`, `{"type":"object","additionalProperties":INT}`, `/* type-added, /a required-member-removed`},

	// Lists of values.
	{`{"enum":["a","b"]}`, `{"enum":["b","a"]}`, ``},
	{`{"enum":["a"]}`, `{"enum":["a","b"]}`, ` enum-value-added`},
	{`{"enum":["a","b"]}`, `{"enum":["a"]}`, ` enum-value-removed`},
	{`{"enum":["a","b"]}`, `{"enum":["a","c"]}`, ` enum-value-added, enum-value-removed`},
	{`{"type":"string","enum":["a"]}`, `STR`, ` enum-removed`},
	{`STR`, `{"type":"string","enum":["a"]}`, ` enum-added`},
	{`{"type":"integer","enum":[0,1]}`, `{"type":"integer","enum":[0,1,2]}`, ` enum-value-added`},
	{`{"type":"string","enum":["a"]}`, `{"type":"integer","enum":[1]}`, ` type-changed`},
	{`{"enum":["a"]}`, `STR`, ` enum-removed`},
	{`{"enum":[true]}`, `{"enum":["a"]}`, ` type-changed`},
	{`{"type":"array","items":{"enum":["a"]}}`, `{"type":"array","items":{"enum":["a","b"]}}`, `/* enum-value-added`},

	// Limits.
	{`{"type":"integer","minimum":1}`, `{"type":"integer","minimum":1.0}`, ``},
	{`{"type":"integer","minimum":1}`, `{"type":"integer","minimum":2}`, ` limit-narrowed`},
	{`{"type":"integer","minimum":2}`, `{"type":"integer","minimum":1}`, ` limit-widened`},
	{`INT`, `{"type":"integer","minimum":1}`, ` limit-narrowed`},
	{`{"type":"integer","minimum":1}`, `INT`, ` limit-widened`},
	{`{"type":"integer","maximum":1}`, `{"type":"integer","maximum":2}`, ` limit-widened`},
	{`{"type":"integer","maximum":2}`, `{"type":"integer","maximum":1}`, ` limit-narrowed`},
	{`{"type":"integer","minimum":-128,"maximum":127}`, `{"type":"integer","minimum":-32768,"maximum":32767}`, ` limit-widened, limit-widened`},
	{`{"type":"integer","minimum":-128,"maximum":127}`, `{"type":"integer","minimum":0,"maximum":255}`, ` limit-narrowed, limit-widened`},
	{`{"type":"number","exclusiveMinimum":0}`, `{"type":"number","exclusiveMinimum":1}`, ` limit-narrowed`},
	{`{"type":"number","exclusiveMaximum":0}`, `{"type":"number","exclusiveMaximum":1}`, ` limit-widened`},
	{`{"type":"integer","minimum":1}`, `{"type":"number","minimum":1}`, ` integer-to-number`},
	{`STR`, `{"type":"string","maxLength":9}`, ` limit-narrowed`},
	{`{"type":"string","minLength":1}`, `STR`, ` limit-widened`},
	{`{"type":"string","maxLength":9}`, `{"type":"string","maxLength":10}`, ` limit-widened`},
	{`{"type":"array","minItems":2,"maxItems":2}`, `{"type":"array","minItems":3,"maxItems":3}`, ` limit-narrowed, limit-widened`},
	{`{"type":"array"}`, `{"type":"array","uniqueItems":true}`, ` limit-narrowed`},
	{`{"type":"array","uniqueItems":true}`, `{"type":"array"}`, ` limit-widened`},
	{`OBJ`, `{"type":"object","minProperties":1}`, ` limit-narrowed`},
	{`{"type":"object","maxProperties":1}`, `{"type":"object","maxProperties":2}`, ` limit-widened`},
	{`INT`, `{"type":"integer","multipleOf":5}`, ` limit-narrowed`},
	{`{"type":"integer","multipleOf":5}`, `INT`, ` limit-widened`},
	{`{"type":"integer","multipleOf":5}`, `{"type":"integer","multipleOf":10}`, ` limit-narrowed`},
	{`{"type":"integer","multipleOf":10}`, `{"type":"integer","multipleOf":5}`, ` limit-widened`},
	{`{"type":"integer","multipleOf":4}`, `{"type":"integer","multipleOf":6}`, ` step-changed`},

	// Texts.
	{`STR`, `{"type":"string","pattern":"a"}`, ` pattern-added`},
	{`{"type":"string","pattern":"a"}`, `STR`, ` pattern-removed`},
	{`{"type":"string","pattern":"a"}`, `{"type":"string","pattern":"b"}`, ` pattern-changed`},
	{`STR`, `{"type":"string","format":"uuid"}`, ` format-added`},
	{`{"type":"string","format":"uuid"}`, `STR`, ` format-removed`},
	{`{"type":"string","format":"uuid"}`, `{"type":"string","format":"date-time"}`, ` format-changed`},
	{`STR`, `{"type":"string","contentEncoding":"base64"}`, ` encoding-changed`},
	{`{"type":"string","contentEncoding":"base64"}`, `STR`, ` encoding-changed`},

	// References.
	{`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":INT}}`, `{"type":"object","properties":{"a":{"$ref":"#/$defs/B"}},"$defs":{"B":INT}}`, ``},
	{`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":INT}}`, `{"type":"object","properties":{"a":INT}}`, ``},
	{`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":INT}}`, `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":STR}}`, `/a type-changed`},
	{`{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/$defs/A"},NULL]}},"$defs":{"A":INT}}`, `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":INT}}`, `/a null-refused`},
	{`{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#"},NULL]},"v":INT}}`, `{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#"},NULL]},"v":STR}}`, `/v type-changed`},
	{`{"type":"object","properties":{"a":{"$ref":"#/$defs/P%20Q"}},"$defs":{"P Q":INT}}`, `{"type":"object","properties":{"a":STR}}`, `/a type-changed`},
	{`{"type":"object","properties":{"a":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"array","items":{"$ref":"#/$defs/T"}}}}`, `{"type":"object","properties":{"a":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"array","items":{"$ref":"#/$defs/T"},"maxItems":3}}}`, `/a limit-narrowed`},

	// The rest.
	{`{"type":"integer","description":"a"}`, `{"type":"integer","description":"b"}`, ` wording-changed`},
	{`INT`, `{"type":"integer","deprecated":true}`, ` wording-changed`},
	{`INT`, `{"type":"integer","examples":[1]}`, ` wording-changed`},
	{`{"type":"object","properties":{"a":INT}}`, `{"type":"object","properties":{"a":{"type":"integer","title":"A"}}}`, `/a wording-changed`},
	{`{"anyOf":[INT,STR]}`, `{"anyOf":[INT,STR]}`, ``},
	{`{"anyOf":[INT,STR]}`, `{"anyOf":[INT,BOOL]}`, ` alternatives-changed`},
	{`{"oneOf":[INT,STR]}`, `INT`, ` alternatives-changed`},
	{`{"type":"object","patternProperties":{"a":INT}}`, `OBJ`, ` alternatives-changed`},
	{`{"type":"array","prefixItems":[INT]}`, `{"type":"array","prefixItems":[STR]}`, ` alternatives-changed`},
}

func TestCompare(t *testing.T) {
	if len(pairs) < 100 {
		t.Errorf("there are %d pairs", len(pairs))
	}
	tried := map[string]bool{}
	for _, pair := range pairs {
		changes := Compare(parsed(t, pair.old), parsed(t, pair.new))
		var got []string
		for _, c := range changes {
			tried[c.Rule.Name] = true
			got = append(got, strings.TrimSpace(c.Path+" "+c.Rule.Name))
		}
		want := strings.Split(pair.want, ", ")
		for i := range want {
			want[i] = strings.TrimSpace(want[i])
		}
		if text := strings.Join(got, ", "); text != strings.Join(want, ", ") {
			t.Errorf("%s is %s:\n got %s\nwant %s", pair.old, pair.new, text, strings.Join(want, ", "))
		}
	}
	for _, rule := range Rules {
		if !tried[rule.Name] {
			t.Errorf("no pair is of the rule %s", rule.Name)
		}
	}
}

// opposites are the verdicts of a change and of the one that takes it back.
var opposites = map[Verdict]Verdict{Safe: Safe, OldReaders: NewReaders, NewReaders: OldReaders, Breaking: Breaking}

// TestVerdictsOfWayBack holds what a change of values does to one side against what taking it back does to the other.
// Members are left out: a required one may come, and not go.
func TestVerdictsOfWayBack(t *testing.T) {
	verdicts := func(changes []Change) (all []string) {
		for _, c := range changes {
			if strings.Contains(c.Rule.Name, "member") {
				return nil
			}
			all = append(all, c.Path+string(c.Rule.Verdict))
		}
		slices.Sort(all)
		return all
	}
	for _, pair := range pairs {
		there := Compare(parsed(t, pair.old), parsed(t, pair.new))
		back := Compare(parsed(t, pair.new), parsed(t, pair.old))
		for i := range back {
			back[i].Rule.Verdict = opposites[back[i].Rule.Verdict]
		}
		if a, b := verdicts(there), verdicts(back); a != nil && b != nil && !slices.Equal(a, b) {
			t.Errorf("%s is %s: %v, and back %v", pair.old, pair.new, a, b)
		}
	}
}

func TestRulesAreNamedOnce(t *testing.T) {
	names := map[string]bool{}
	for _, rule := range Rules {
		if names[rule.Name] || rule.Reason == "" || rule.Verdict == "" {
			t.Errorf("the rule %+v is not complete, or there twice", rule)
		}
		names[rule.Name] = true
	}
}

func TestChangeString(t *testing.T) {
	changes := Compare(parsed(t, `{"type":"object","properties":{"a":INT}}`), parsed(t, `{"type":"object","properties":{"a":STR}}`))
	want := "/a: type-changed (integer is string): breaking: neither side can read the other's type"
	if len(changes) != 1 || changes[0].String() != want {
		t.Errorf("got %v, want %s", changes, want)
	}
}

func parsed(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	s := &jsonschema.Schema{}
	if err := json.Unmarshal([]byte(short.Replace(text)), s); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}
