package read

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// markerPrefix is what a marker starts with.
const markerPrefix = "//acemq:"

// marker is a marker as it was written.
type marker struct {
	name string
	args []argument
}

// argument is a key and a value of a marker.
type argument struct {
	key    string
	value  string // without quotes
	offset int    // of the key, in bytes from the start of the comment
}

// syntaxError is a place in a marker that cannot be read.
type syntaxError struct {
	offset  int
	message string
}

func (e *syntaxError) Error() string { return e.message }

// parseMarker reads a comment that starts with [markerPrefix]. The error is a *syntaxError.
func parseMarker(comment string) (marker, error) {
	rest := strings.TrimRightFunc(strings.TrimPrefix(comment, markerPrefix), unicode.IsSpace)
	end := strings.IndexFunc(rest, unicode.IsSpace)
	if end < 0 {
		end = len(rest)
	}
	m := marker{name: rest[:end]}
	for offset := len(markerPrefix) + end; ; {
		blank := len(rest[end:]) - len(strings.TrimLeftFunc(rest[end:], unicode.IsSpace))
		offset, rest = offset+blank, rest[end+blank:]
		if rest == "" {
			return m, nil
		}
		arg, length, err := parseArgument(rest)
		if err != nil {
			return m, &syntaxError{offset, err.Error()}
		}
		arg.offset = offset
		m.args = append(m.args, arg)
		offset, end = offset+length, length
	}
}

// parseArgument reads the argument that text starts with, and returns how many bytes it takes.
func parseArgument(text string) (argument, int, error) {
	word := text
	if end := strings.IndexFunc(text, unicode.IsSpace); end >= 0 {
		word = text[:end]
	}
	key, value, found := strings.Cut(word, "=")
	switch {
	case !found:
		return argument{}, 0, fmt.Errorf("%q is not key=value", word)
	case !isKey(key):
		return argument{}, 0, fmt.Errorf("%q is not a key: a key is lower-case letters", key)
	case strings.HasPrefix(value, `"`):
		return parseQuoted(key, text)
	case value == "":
		return argument{}, 0, fmt.Errorf("the key %s has no value", key)
	case strings.ContainsAny(value, "=,;\"`"):
		return argument{}, 0, fmt.Errorf("the value %s has to stand in quotes", value)
	}
	return argument{key: key, value: value}, len(word), nil
}

// parseQuoted reads key="a Go string".
func parseQuoted(key, text string) (argument, int, error) {
	start := len(key) + 1
	quoted, err := strconv.QuotedPrefix(text[start:])
	if err != nil {
		return argument{}, 0, fmt.Errorf("the value of %s has no closing quote, or a wrong escape", key)
	}
	value, err := strconv.Unquote(quoted)
	if err != nil {
		return argument{}, 0, fmt.Errorf("the value %s is not a Go string", quoted)
	}
	end := start + len(quoted)
	if after := text[end:]; after != "" && strings.TrimLeftFunc(after, unicode.IsSpace) == after {
		return argument{}, 0, fmt.Errorf("a blank is missing after %s", quoted)
	}
	return argument{key: key, value: value}, end, nil
}

func isKey(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz") == ""
}

// String writes the marker as parseMarker reads it, values in quotes where they need them.
func (m marker) String() string {
	var text strings.Builder
	text.WriteString(markerPrefix + m.name)
	for _, arg := range m.args {
		value := arg.value
		if value == "" || strings.ContainsAny(value, "=,;\"`\\") || strings.ContainsFunc(value, isNotPlain) {
			value = strconv.Quote(value)
		}
		text.WriteString(" " + arg.key + "=" + value)
	}
	return text.String()
}

func isNotPlain(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar
}
