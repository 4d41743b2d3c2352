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

// typeMarks are the characters that no import path has, and that part the names in a type.
const typeMarks = "[]{}()<>*,; "

// Parts splits the name of t into what is printed as it stands and what needs an import. Names without a path are those
// of the flow's own package, except for the first, which is of t.Path.
func (t Type) Parts() []TypePart {
	var parts []TypePart
	source := ""
	for rest := t.Name; rest != ""; {
		end := strings.IndexAny(rest, typeMarks)
		switch {
		case end < 0:
			end = len(rest)
		case end == 0:
			end = 1
		}
		word := rest[:end]
		rest = rest[end:]
		dot := strings.LastIndexByte(word, '.')
		if dot <= 0 {
			source += word
			continue
		}
		parts = appendSource(parts, source)
		parts = append(parts, TypePart{Path: word[:dot], Name: word[dot+1:]})
		source = ""
	}
	return appendSource(parts, source)
}

func appendSource(parts []TypePart, source string) []TypePart {
	if source == "" {
		return parts
	}
	return append(parts, TypePart{Source: source})
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
