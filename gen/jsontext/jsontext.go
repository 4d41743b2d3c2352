// Package jsontext writes JSON as everything does that people read and compare.
package jsontext

import (
	"encoding/json"
	"io"
)

// Write writes a value as JSON on lines of its own: two blanks a level, and <, > and & as they are.
func Write(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
