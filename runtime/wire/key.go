package wire

import (
	"fmt"
	"strings"
)

// A key template is a routing key in which {Field} stands for the value of a message's field: "order.placed.{Region}".

// KeyFields returns the names of the fields in a key template, in order, or says what is wrong with it: a brace
// without its partner, an empty name, or a name with a dot in it.
func KeyFields(template string) ([]string, error) {
	var names []string
	for rest := template; ; {
		open := strings.IndexAny(rest, "{}")
		if open < 0 {
			return names, nil
		}
		end := strings.IndexAny(rest[open+1:], "{}")
		if rest[open] == '}' || end < 0 || rest[open+1+end] == '{' {
			return nil, fmt.Errorf("the key %q has a brace without its partner", template)
		}
		if end == 0 {
			return nil, fmt.Errorf("the key %q has {} with no field name in it", template)
		}
		name := rest[open+1 : open+1+end]
		if strings.Contains(name, ".") {
			return nil, fmt.Errorf("the key %q has a dot in {%s}: a field is named alone", template, name)
		}
		names = append(names, name)
		rest = rest[open+end+2:]
	}
}

// ExpandKey fills a key template that [KeyFields] accepts, values in the order of its fields. A value that is empty
// or holds a dot is refused: it would change the number of words in the key, and with it the queues that the message
// reaches.
func ExpandKey(template string, values []string) (string, error) {
	var key strings.Builder
	rest := template
	for _, value := range values {
		before, after, _ := strings.Cut(rest, "{")
		name, after, found := strings.Cut(after, "}")
		switch {
		case !found:
			return "", fmt.Errorf("the key %q has fewer fields than the %d values given", template, len(values))
		case value == "":
			return "", fmt.Errorf("the field %s of the key %q is empty", name, template)
		case strings.Contains(value, "."):
			return "", fmt.Errorf("the field %s of the key %q is %q, and a dot would make it two words",
				name, template, value)
		}
		key.WriteString(before)
		key.WriteString(value)
		rest = after
	}
	if strings.Contains(rest, "{") {
		return "", fmt.Errorf("the key %q has more fields than the %d values given", template, len(values))
	}
	key.WriteString(rest)
	return key.String(), nil
}

// KeyPattern returns the binding key that takes every key of a template: "*" for each word that has a field in it.
func KeyPattern(template string) string {
	words := strings.Split(template, ".")
	for i, word := range words {
		if strings.Contains(word, "{") {
			words[i] = "*"
		}
	}
	return strings.Join(words, ".")
}
