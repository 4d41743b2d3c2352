package marker

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Shape is what the marker schema says of a type that writes its own JSON.
type Shape struct {
	Type    string // a JSON type, or "any"
	Format  string
	Pattern string
	Example string // one value as it is on the wire, without the quotes of a string
}

// ShapeTypes are the values of the key type.
var ShapeTypes = []string{"any", "array", "boolean", "integer", "number", "object", "string"}

// ShapeKeys are the keys of the marker schema.
var ShapeKeys = []string{"example", "format", "pattern", "type"}

// Set reads the value of a key into s.
func (s *Shape) Set(key, value string) error {
	switch key {
	case "type":
		s.Type = value
		if !slices.Contains(ShapeTypes, value) {
			return fmt.Errorf("the type %q is none of %s", value, strings.Join(ShapeTypes, ", "))
		}
	case "format":
		s.Format = value
	case "pattern":
		s.Pattern = value
		if _, err := regexp.Compile(value); err != nil {
			return fmt.Errorf("the pattern cannot be read: %w", err)
		}
	case "example":
		s.Example = value
	default:
		return fmt.Errorf("the marker schema has no key %s", key)
	}
	return nil
}

// ReadShape returns what a comment says, if it is a marker schema without mistakes.
func ReadShape(comment string) (Shape, bool) {
	m, is := read(comment, "schema")
	var shape Shape
	for _, arg := range m.Args {
		is = is && shape.Set(arg.Key, arg.Value) == nil
	}
	return shape, is && shape.Type != ""
}

// IsClosed reports whether a comment is the marker closed.
func IsClosed(comment string) bool {
	m, is := read(comment, "closed")
	return is && len(m.Args) == 0
}

func read(comment, name string) (Marker, bool) {
	if !strings.HasPrefix(comment, Prefix) {
		return Marker{}, false
	}
	m, err := Parse(comment)
	return m, err == nil && m.Name == name
}
