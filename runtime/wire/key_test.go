package wire

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var templates = []struct {
	template string
	fields   []string
	pattern  string
	fault    string // a part of the error; empty where the template is good
}{
	{"", nil, "", ""},
	{"order.placed", nil, "order.placed", ""},
	{"order.placed.{Region}", []string{"Region"}, "order.placed.*", ""},
	{"{Tenant}.order.{Region}.placed", []string{"Tenant", "Region"}, "*.order.*.placed", ""},
	{"order.{Region}-{Shop}", []string{"Region", "Shop"}, "order.*", ""},
	{"order.x{Region}y.z", []string{"Region"}, "order.*.z", ""},
	{"{A}{A}", []string{"A", "A"}, "*", ""},
	{"order.{Straße}", []string{"Straße"}, "order.*", ""},
	{"order.{Region", nil, "", "a brace without its partner"},
	{"order.Region}", nil, "", "a brace without its partner"},
	{"order.{{Region}}", nil, "", "a brace without its partner"},
	{"order.{Region}}", nil, "", "a brace without its partner"},
	{"}{", nil, "", "a brace without its partner"},
	{"order.{}", nil, "", "{} with no field name"},
	{"order.{Address.Country}", nil, "", "a dot in {Address.Country}"},
}

func TestKeyTemplates(t *testing.T) {
	for _, test := range templates {
		t.Run(test.template, func(t *testing.T) {
			fields, err := KeyFields(test.template)
			if test.fault != "" {
				if err == nil || !strings.Contains(err.Error(), test.fault) {
					t.Fatalf("got error %v, want %q", err, test.fault)
				}
				return
			}
			if err != nil || !slices.Equal(fields, test.fields) {
				t.Errorf("got fields %q, error %v, want %q", fields, err, test.fields)
			}
			if got := KeyPattern(test.template); got != test.pattern {
				t.Errorf("got pattern %q, want %q", got, test.pattern)
			}
		})
	}
}

func TestExpandKey(t *testing.T) {
	tests := []struct {
		template string
		values   []string
		want     string
		fault    string
	}{
		{"order.placed", nil, "order.placed", ""},
		{"order.placed.{Region}", []string{"eu"}, "order.placed.eu", ""},
		{"{Tenant}.order.{Region}.placed", []string{"acme", "eu"}, "acme.order.eu.placed", ""},
		{"order.{Region}-{Shop}", []string{"eu", "7"}, "order.eu-7", ""},
		{"order.{Region}", []string{"São Paulo"}, "order.São Paulo", ""},
		{"order.{Region}", []string{"{x}"}, "order.{x}", ""},
		{"order.{Region}", []string{"#"}, "order.#", ""},
		{"order.{Region}", []string{""}, "", `the field Region of the key "order.{Region}" is empty`},
		{"order.{Region}", []string{"eu.west"}, "",
			`the field Region of the key "order.{Region}" is "eu.west", and a dot`},
		{"{A}.{B}", []string{"a", "."}, "", `the field B of the key`},
		{"{A}.{B}", []string{"a"}, "", "has more fields than the 1 values"},
		{"{A}", nil, "", "has more fields than the 0 values"},
		{"{A}", []string{"a", "b"}, "", "has fewer fields than the 2 values"},
		{"order", []string{"a"}, "", "has fewer fields than the 1 values"},
	}
	for _, test := range tests {
		got, err := ExpandKey(test.template, test.values)
		switch {
		case test.fault == "" && (err != nil || got != test.want):
			t.Errorf("%q, %q: got %q, %v, want %q", test.template, test.values, got, err, test.want)
		case test.fault != "" && (err == nil || !strings.Contains(err.Error(), test.fault)):
			t.Errorf("%q, %q: got error %v, want %q", test.template, test.values, err, test.fault)
		}
	}
}

// FuzzKeyTemplates derives the fields and the key with a regular expression, and holds that a key has as many words as
// its pattern, and that the pattern takes it word by word.
func FuzzKeyTemplates(f *testing.F) {
	for _, test := range templates {
		f.Add(test.template, "eu", "7")
	}
	f.Add("{A}{B}", "", ".")
	field := regexp.MustCompile(`\{([^{}.]+)\}`)
	whole := regexp.MustCompile(`\A(?:[^{}]|\{[^{}.]+\})*\z`)
	f.Fuzz(func(t *testing.T, template, first, second string) {
		names, err := KeyFields(template)
		if good := whole.MatchString(template); good != (err == nil) {
			t.Fatalf("%q: the regular expression says %v, KeyFields %v", template, good, err)
		}
		if err != nil {
			return
		}
		var values []string
		next := 0
		want := field.ReplaceAllStringFunc(template, func(text string) string {
			value := []string{first, second}[next%2]
			if text != "{"+names[next]+"}" {
				t.Errorf("%q: field %d is %q, want %q", template, next, names[next], text)
			}
			values = append(values, value)
			next++
			return value
		})
		refused := slices.ContainsFunc(values, func(v string) bool { return v == "" || strings.Contains(v, ".") })
		key, err := ExpandKey(template, values)
		if next != len(names) || refused != (err != nil) {
			t.Fatalf("%q, %q: got %q, error %v, fields %q", template, values, key, err, names)
		}
		if err != nil {
			return
		}
		if key != want {
			t.Errorf("%q, %q: got %q, want %q", template, values, key, want)
		}
		words, patterns := strings.Split(key, "."), strings.Split(KeyPattern(template), ".")
		if len(words) != len(patterns) {
			t.Fatalf("key %q and pattern %q", key, patterns)
		}
		for i, word := range words {
			if patterns[i] != "*" && patterns[i] != word {
				t.Errorf("pattern %q does not take the key %q", patterns, key)
			}
		}
	})
}
