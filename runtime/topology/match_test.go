package topology

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var matches = []struct {
	pattern, key string
	want         bool
}{
	{"order.placed", "order.placed", true},
	{"order.placed", "order.shipped", false},
	{"order.placed", "order", false},
	{"order", "order.placed", false},
	{"order.*", "order.placed", true},
	{"order.*", "order", false},
	{"order.*", "order.placed.eu", false},
	{"*.placed", "order.placed", true},
	{"*", "order", true},
	{"*", "", false},
	{"*.*", ".", true},
	{"#", "", true},
	{"#", "order.placed.eu", true},
	{"order.#", "order", true},
	{"order.#", "order.placed.eu", true},
	{"order.#", "orders.placed", false},
	{"#.eu", "eu", true},
	{"#.eu", "order.placed.eu", true},
	{"#.eu", "order.eu.placed", false},
	{"order.#.eu", "order.eu", true},
	{"order.#.eu", "order.a.b.eu", true},
	{"order.#.eu", "order.eu.x", false},
	{"#.a.#.b.#", "x.a.y.z.b", true},
	{"#.a.#.b.#", "x.b.y.z.a", false},
	{"#.#", "", true},
	{"#.#", "a", true},
	{"#.*", "", false},
	{"#.*", "a.b", true},
	{"*.#.*", "a", false},
	{"*.#.*", "a.b", true},
	{"#.a.*", "a.a.b", true},
	{"", "", true},
	{"", "a", false},
	{"a.", "a.", true},
	{"a.*", "a.", true},
	{"a", "a.", false},
	{"a.b*", "a.bc", false},
	{"order.#", "order.#", true},
	{"order.*", "order.*", true},
	{"A", "a", false},
}

func TestMatchTopic(t *testing.T) {
	for _, m := range matches {
		if got := MatchTopic(m.pattern, m.key); got != m.want {
			t.Errorf("MatchTopic(%q, %q) = %v", m.pattern, m.key, got)
		}
		if got, ok := matchRegexp(m.pattern, m.key); ok && got != m.want {
			t.Errorf("the regular expression for %q says %v of %q", m.pattern, got, m.key)
		}
	}
}

// TestMatchTopicEndsSoon holds that a pattern full of "#" does not cost exponential time.
func TestMatchTopicEndsSoon(t *testing.T) {
	if MatchTopic(strings.Repeat("#.a.", 60)+"b", strings.Repeat("a.", 120)+"a") {
		t.Error("a key without a b matches")
	}
}

func FuzzMatchTopic(f *testing.F) {
	for _, m := range matches {
		f.Add(m.pattern, m.key)
	}
	f.Fuzz(func(t *testing.T, pattern, key string) {
		want, ok := matchRegexp(pattern, key)
		if !ok {
			t.Skip("no regular expression for this pattern")
		}
		if got := MatchTopic(pattern, key); got != want {
			t.Errorf("MatchTopic(%q, %q) = %v", pattern, key, got)
		}
		if strings.Count(pattern, "#") > 5 {
			return
		}
		if naive := matchNaive(words(pattern), words(key)); naive != want {
			t.Errorf("the recursion for %q says %v of %q", pattern, naive, key)
		}
	})
}

// matchRegexp derives the rule from a regular expression over words that each begin with a dot. It has no answer for
// invalid UTF-8 and for patterns that are long.
func matchRegexp(pattern, key string) (match, ok bool) {
	if !utf8.ValidString(pattern) || !utf8.ValidString(key) || len(pattern) > 255 || len(key) > 255 {
		return false, false
	}
	expression := `\A`
	for _, word := range words(pattern) {
		switch word {
		case "*":
			expression += `\.[^.]*`
		case "#":
			expression += `(\.[^.]*)*`
		default:
			expression += `\.` + regexp.QuoteMeta(word)
		}
	}
	text := ""
	for _, word := range words(key) {
		text += "." + word
	}
	return regexp.MustCompile(expression + `\z`).MatchString(text), true
}

// matchNaive derives the rule from its definition. It takes exponential time.
func matchNaive(pattern, key []string) bool {
	switch {
	case len(pattern) == 0:
		return len(key) == 0
	case pattern[0] == "#":
		return matchNaive(pattern[1:], key) || len(key) > 0 && matchNaive(pattern, key[1:])
	case len(key) == 0:
		return false
	}
	return (pattern[0] == "*" || pattern[0] == key[0]) && matchNaive(pattern[1:], key[1:])
}
