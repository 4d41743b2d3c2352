package read

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// message is what a message marker says.
type message struct {
	logical string
	version int
	pos     model.Pos // of the marker
}

// setter reads the value of a marker's key into a message.
type setter func(m *message, value string) error

// registry holds every marker with its keys.
var registry = map[string]map[string]setter{
	"message": {"type": setType, "version": setVersion},
}

func setType(m *message, value string) error {
	m.logical = value
	return checkType(value)
}

// checkType says what is wrong with a logical type.
func checkType(value string) error {
	switch {
	case value == "":
		return fmt.Errorf("the type is empty")
	case strings.ContainsFunc(value, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }):
		return fmt.Errorf("the type %q has a character that is not printed", value)
	}
	return wire.CheckShort("the type", value)
}

func setVersion(m *message, value string) error {
	version, err := strconv.Atoi(value)
	if err != nil || strconv.Itoa(version) != value {
		return fmt.Errorf("the version %q is not a whole number", value)
	}
	m.version = version
	return checkVersion(int64(version))
}

// checkVersion says what is wrong with a version.
func checkVersion(version int64) error {
	if version < 1 || version > math.MaxInt32 {
		return fmt.Errorf("the version is %d, and has to be from 1 to %d", version, math.MaxInt32)
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// dotted writes a Go name in dotted lower case: "OrderPlaced" is "order.placed" and "HTTPError" is "http.error".
func dotted(name string) string {
	var text strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		starts := unicode.IsUpper(r) && i > 0 &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		switch {
		case r == '_':
			r = '.'
		case starts && runes[i-1] != '_':
			text.WriteByte('.')
		}
		text.WriteRune(unicode.ToLower(r))
	}
	return strings.Trim(text.String(), ".")
}
