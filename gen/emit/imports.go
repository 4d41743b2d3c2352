package emit

import (
	"maps"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/acemq/acemq-gen/gen/model"
)

// imports are the packages that one file uses.
type imports struct {
	local   string
	aliases map[string]alias
	used    map[string]bool
}

func newImports(flow *model.Flow, aliases map[string]alias) *imports {
	return &imports{local: flow.Package.Path, aliases: aliases, used: map[string]bool{}}
}

// name returns the name under which the file imports a package, and keeps that it is used.
func (im *imports) name(path string) string {
	im.used[path] = true
	return im.aliases[path].name
}

// typeName spells a type as the file has to.
func (im *imports) typeName(t model.Type) string {
	var name strings.Builder
	if t.Path != im.local {
		name.WriteString(im.name(t.Path) + ".")
	}
	for _, part := range t.Parts() {
		if part.Path != "" {
			name.WriteString(im.name(part.Path) + "." + part.Name)
		}
		name.WriteString(part.Source)
	}
	return name.String()
}

// declaration is
//
//	import (
//		"context"
//
//		acemq "github.com/acemq/acemq-gen/runtime"
//	)
func (im *imports) declaration() *jen.Statement {
	var std, others []jen.Code
	for _, path := range slices.Sorted(maps.Keys(im.used)) {
		first, _, _ := strings.Cut(path, "/")
		if strings.Contains(first, ".") {
			others = append(others, im.spec(path))
		} else {
			std = append(std, im.spec(path))
		}
	}
	if len(std) > 0 && len(others) > 0 {
		std = append(std, jen.Line())
	}
	return jen.Id("import").Defs(append(std, others...)...)
}

func (im *imports) spec(path string) *jen.Statement {
	if a := im.aliases[path]; a.explicit {
		return jen.Id(a.name).Lit(path)
	}
	return jen.Lit(path)
}

// of is `acemq.Conn` and the like.
func (im *imports) of(path, name string) *jen.Statement { return jen.Id(im.name(path)).Dot(name) }
