package write

import (
	"bytes"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff returns the change as a unified diff, with a name for the file: nothing where it is the same. Line ends are not
// part of it.
func (c Change) Diff(name string) []byte {
	return diff.Diff("a/"+name, unix(c.Current), "b/"+name, unix(c.Wanted))
}

func unix(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
