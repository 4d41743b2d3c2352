// Package emit prints a flow as Go source. It is the only package that knows jennifer.
//
// Each construct is printed by a function of its own, under the Go that it makes.
package emit

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"
	"sync"

	"github.com/dave/jennifer/jen"

	"github.com/acemq/acemq-gen/gen/model"
)

// File is one generated file.
type File struct {
	Name    string // without a directory: "acemq_publishers_gen.go"
	Content []byte
}

// kinds are the generated files and what prints their declarations. A kind without declarations has no file.
var kinds = []struct {
	name         string
	declarations func(*source) []jen.Code
}{
	{"acemq_consumers_gen.go", consumers},
	{"acemq_ordered_gen.go", ordered},
	{"acemq_pipelines_gen.go", pipelines},
	{"acemq_publishers_gen.go", publishers},
	{"acemq_requests_gen.go", requests},
	{"acemq_sagas_gen.go", sagas},
	{"acemq_slips_gen.go", slips},
	{"acemq_topology_gen.go", declared},
	{"acemq_wire_gen_test.go", samples},
}

// Files returns the generated files of a flow that gen/check accepts, sorted by name. The same flow always has the
// same files. It may be called concurrently.
func Files(flow *model.Flow) ([]File, error) {
	files := make([]File, len(kinds))
	errs := make([]error, len(kinds))
	aliases := planAliases(flow)
	var group sync.WaitGroup
	for i, kind := range kinds {
		group.Go(func() {
			files[i].Name = kind.name
			files[i].Content, errs[i] = render(&source{flow: flow, imports: newImports(flow, aliases)}, kind.declarations)
		})
	}
	group.Wait()
	var present []File
	for i, file := range files {
		if errs[i] != nil {
			return nil, fmt.Errorf("%s: %w", file.Name, errs[i])
		}
		if file.Content != nil {
			present = append(present, file)
		}
	}
	return present, nil
}

// source is one file in the making.
type source struct {
	flow    *model.Flow
	imports *imports
}

// render prints declarations under the header and the imports that they use, and nil where there are none.
func render(s *source, declarations func(*source) []jen.Code) ([]byte, error) {
	decls := declarations(s)
	if len(decls) == 0 {
		return nil, nil
	}
	file := jen.NewFile(s.flow.Package.Name)
	file.HeaderComment(model.Header)
	file.Add(s.imports.declaration())
	for _, decl := range decls {
		file.Line()
		file.Add(decl)
	}
	var text bytes.Buffer
	if err := file.Render(&text); err != nil {
		return nil, fmt.Errorf("the generated code has a fault, please report it:\n%s", numbered(err.Error()))
	}
	return formatted(text.Bytes())
}

// formatted returns code as gofmt leaves it. That may take more than one pass: what one pass does to a doc comment, and
// to the blanks that jennifer leaves around it, may make a heading or a list of it for the next.
func formatted(code []byte) ([]byte, error) {
	const passes = 4
	for range passes {
		next, err := format.Source(code)
		if err != nil || bytes.Equal(next, code) {
			return next, err
		}
		code = next
	}
	return code, nil
}

// numbered puts line numbers in front of a source that jennifer could not format, after its first line.
func numbered(text string) string {
	message, code, _ := strings.Cut(text, "\n")
	var b strings.Builder
	b.WriteString(message)
	for i, line := range strings.Split(code, "\n") {
		fmt.Fprintf(&b, "\n%4d %s", i+1, line)
	}
	return b.String()
}
