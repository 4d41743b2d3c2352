package schema

import (
	"go/ast"
	"go/parser"
	"go/types"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/marker"
)

// comments finds what stands above types and fields, in the files of the package and in those of others, which are
// parsed when something of them is asked for.
type comments struct {
	pkg   *load.Package
	files map[string]map[spot]comment // by the name of the file
}

// spot is where something is declared. The positions of what comes from export data have no column.
type spot struct {
	line int
	name string
}

// comment is what stands above a declaration.
type comment struct {
	text  string
	lines []string // the markers
}

func newComments(p *load.Package) *comments {
	c := &comments{p, map[string]map[spot]comment{}}
	for _, file := range p.Files {
		c.index(p.Fset.Position(file.FileStart).Filename, file)
	}
	return c
}

// of returns the comment above the declaration of a type or a field, and the empty one where its file cannot be read.
func (c *comments) of(obj types.Object) comment {
	at := c.pkg.Fset.Position(obj.Pos())
	if at.Filename == "" {
		return comment{}
	}
	if _, known := c.files[at.Filename]; !known {
		file, _ := parser.ParseFile(c.pkg.Fset, at.Filename, nil, parser.ParseComments|parser.SkipObjectResolution)
		c.index(at.Filename, file)
	}
	return c.files[at.Filename][spot{at.Line, obj.Name()}]
}

// index notes every comment of a file, which may be nil.
func (c *comments) index(name string, file *ast.File) {
	spots := map[spot]comment{}
	c.files[name] = spots
	if file == nil {
		return
	}
	put := func(id *ast.Ident, groups ...*ast.CommentGroup) {
		at := spot{c.pkg.Fset.Position(id.Pos()).Line, id.Name}
		for _, group := range groups {
			if _, known := spots[at]; !known && group != nil {
				spots[at] = newComment(group)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			for _, spec := range n.Specs {
				if t, is := spec.(*ast.TypeSpec); is && !n.Lparen.IsValid() {
					put(t.Name, n.Doc)
				}
			}
		case *ast.TypeSpec:
			put(n.Name, n.Doc, n.Comment)
		case *ast.Field:
			for _, id := range fieldNames(n) {
				put(id, n.Doc, n.Comment)
			}
		}
		return true
	})
}

// fieldNames returns the names of a field, of which an embedded one has that of its type.
func fieldNames(f *ast.Field) []*ast.Ident {
	if len(f.Names) > 0 {
		return f.Names
	}
	t := f.Type
	for {
		switch e := t.(type) {
		case *ast.Ident:
			return []*ast.Ident{e}
		case *ast.SelectorExpr:
			return []*ast.Ident{e.Sel}
		case *ast.StarExpr:
			t = e.X
		case *ast.IndexExpr:
			t = e.X
		case *ast.IndexListExpr:
			t = e.X
		default:
			return nil
		}
	}
}

func newComment(group *ast.CommentGroup) comment {
	c := comment{text: strings.TrimSpace(group.Text())}
	for _, line := range group.List {
		if strings.HasPrefix(line.Text, marker.Prefix) {
			c.lines = append(c.lines, line.Text)
		}
	}
	return c
}

// shape returns what the marker schema says.
func (c comment) shape() (marker.Shape, bool) {
	for _, line := range c.lines {
		if shape, is := marker.ReadShape(line); is {
			return shape, true
		}
	}
	return marker.Shape{}, false
}

// closed reports whether the marker closed stands there.
func (c comment) closed() bool {
	for _, line := range c.lines {
		if marker.IsClosed(line) {
			return true
		}
	}
	return false
}

// describe gives a schema the comment of what it is for.
func (b *builder) describe(s *jsonschema.Schema, c comment) {
	if c.text == "" {
		return
	}
	s.Description = c.text
	for paragraph := range strings.SplitSeq(c.text, "\n\n") {
		if strings.HasPrefix(paragraph, "Deprecated: ") {
			s.Deprecated = true
		}
	}
}
