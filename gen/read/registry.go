package read

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/acemq/acemq-gen/gen/marker"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// message is what a message marker says.
type message struct {
	logical string
	version int
	pos     model.Pos    // of the marker
	shape   marker.Shape // of the marker schema
}

// setter reads the value of a marker's key into a message.
type setter func(m *message, value string) error

// registry holds every marker with its keys.
var registry = map[string]map[string]setter{
	"closed":  {},
	"message": {"type": setType, "version": setVersion},
	"package": {"schemas": setSchemas},
	"schema":  shapeKeys(),
}

// examples are what each marker looks like.
var examples = map[string]string{
	"closed":  "closed",
	"message": "message type=order.placed version=1",
	"package": "package schemas=off",
	"schema":  "schema type=string format=decimal",
}

// shapeKeys are the keys of the marker schema.
func shapeKeys() map[string]setter {
	keys := map[string]setter{}
	for _, key := range marker.ShapeKeys {
		keys[key] = func(m *message, value string) error { return m.shape.Set(key, value) }
	}
	return keys
}

func setSchemas(_ *message, value string) error {
	if value != "off" {
		return fmt.Errorf("schemas is %q, and can only be off", value)
	}
	return nil
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
