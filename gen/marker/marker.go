// Package marker reads the comments that tell acemq-gen about a Go type.
//
// A marker is a comment line of its own, without a blank after the slashes:
//
//	//acemq:message type=order.placed version=2
//
//	marker   = "//acemq:" name { blank argument }
//	argument = key "=" value
//	value    = word | Go string in double quotes
//	word     = characters other than blanks, quotes and any of "=,;"
package marker

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Prefix is what a marker starts with.
const Prefix = "//acemq:"

// Marker is a marker as it was written.
type Marker struct {
	Name string
	Args []Argument
}

// Argument is a key and a value of a marker.
type Argument struct {
	Key    string
	Value  string // without quotes
	Offset int    // of the key, in bytes from the start of the comment
}

// SyntaxError is a place in a marker that cannot be read.
type SyntaxError struct {
	Offset  int // in bytes from the start of the comment
	Message string
}

func (e *SyntaxError) Error() string { return e.Message }

// Parse reads a comment that starts with [Prefix]. The error is a *SyntaxError; what stands before it is in the Marker.
func Parse(comment string) (Marker, error) {
	rest := strings.TrimRightFunc(strings.TrimPrefix(comment, Prefix), unicode.IsSpace)
	end := strings.IndexFunc(rest, unicode.IsSpace)
	if end < 0 {
		end = len(rest)
	}
	m := Marker{Name: rest[:end]}
	for offset := len(Prefix) + end; ; {
		blank := len(rest[end:]) - len(strings.TrimLeftFunc(rest[end:], unicode.IsSpace))
		offset, rest = offset+blank, rest[end+blank:]
		if rest == "" {
			return m, nil
		}
		arg, length, err := parseArgument(rest)
		if err != nil {
			return m, &SyntaxError{offset, err.Error()}
		}
		arg.Offset = offset
		m.Args = append(m.Args, arg)
		offset, end = offset+length, length
	}
}

// parseArgument reads the argument that text starts with, and returns how many bytes it takes.
func parseArgument(text string) (Argument, int, error) {
	word := text
	if end := strings.IndexFunc(text, unicode.IsSpace); end >= 0 {
		word = text[:end]
	}
	key, value, found := strings.Cut(word, "=")
	switch {
	case !found:
		return Argument{}, 0, fmt.Errorf("%q is not key=value", word)
	case !isKey(key):
		return Argument{}, 0, fmt.Errorf("%q is not a key: a key is lower-case letters", key)
	case strings.HasPrefix(value, `"`):
		return parseQuoted(key, text)
	case value == "":
		return Argument{}, 0, fmt.Errorf("the key %s has no value", key)
	case strings.ContainsAny(value, "=,;\"`"):
		return Argument{}, 0, fmt.Errorf("the value %s has to stand in quotes", value)
	}
	return Argument{Key: key, Value: value}, len(word), nil
}

// parseQuoted reads key="a Go string".
func parseQuoted(key, text string) (Argument, int, error) {
	start := len(key) + 1
	quoted, err := strconv.QuotedPrefix(text[start:])
	if err != nil {
		return Argument{}, 0, fmt.Errorf("the value of %s has no closing quote, or a wrong escape", key)
	}
	value, err := strconv.Unquote(quoted)
	if err != nil {
		return Argument{}, 0, fmt.Errorf("the value %s is not a Go string", quoted)
	}
	end := start + len(quoted)
	if after := text[end:]; after != "" && strings.TrimLeftFunc(after, unicode.IsSpace) == after {
		return Argument{}, 0, fmt.Errorf("a blank is missing after %s", quoted)
	}
	return Argument{Key: key, Value: value}, end, nil
}

func isKey(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz") == ""
}

// String writes the marker as [Parse] reads it, values in quotes where they need them.
func (m Marker) String() string {
	var text strings.Builder
	text.WriteString(Prefix + m.Name)
	for _, arg := range m.Args {
		value := arg.Value
		if value == "" || strings.ContainsAny(value, "=,;\"`\\") || strings.ContainsFunc(value, isNotPlain) {
			value = strconv.Quote(value)
		}
		text.WriteString(" " + arg.Key + "=" + value)
	}
	return text.String()
}

func isNotPlain(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar
}
