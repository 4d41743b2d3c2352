package model

import (
	"path"
	"strings"
)

// TypePart is a piece of a type's name: Go source, or a named type of another package among the type arguments.
type TypePart struct {
	Source string // as it stands: "Page[" or "]"; "" for a named type of another package
	Path   string // the import path of that other package
	Name   string // the name in it
}

// Parts splits the name of t into what is printed as it stands and what needs an import. Names without a package are
// those of the flow's own package, except for the first, which is of t.Path. In [Type.Name] the import path of another
// package stands in quotes before the type: Page["example.com/shop/ext".Order].
func (t Type) Parts() []TypePart {
	pieces := strings.Split(t.Name, `"`)
	parts := []TypePart{{Source: pieces[0]}}
	for i := 1; i+1 < len(pieces); i += 2 {
		after := strings.TrimPrefix(pieces[i+1], ".")
		end := strings.IndexAny(after, ",[] ")
		if end < 0 {
			end = len(after)
		}
		parts = append(parts, TypePart{Path: pieces[i], Name: after[:end]}, TypePart{Source: after[end:]})
	}
	return parts
}

// String returns the name of t as people write it, with the last element of an import path for the package:
// "Page[ext.Order]". The package of t itself is left out.
func (t Type) String() string {
	var name strings.Builder
	for _, part := range t.Parts() {
		if part.Path != "" {
			name.WriteString(path.Base(part.Path) + "." + part.Name)
		}
		name.WriteString(part.Source)
	}
	return name.String()
}
