package check_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/acemq/acemq-gen/gen/check"
	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/load/loadtest"
	"github.com/acemq/acemq-gen/gen/read"
	"github.com/acemq/acemq-gen/gen/schema"
)

// workshop type-checks sources without the go command.
type workshop struct {
	fset     *token.FileSet
	packages map[string]*types.Package
}

func newWorkshop(t testing.TB) *workshop {
	t.Helper()
	dir := loadtest.Module(t, `
-- a.go --
package a

import (
	_ "net/netip"
	_ "os"
	_ "time"

	_ "github.com/acemq/acemq-gen/runtime/flow"
)
`)
	loaded, err := load.Load(t.Context(), load.Config{Dir: dir})
	if err != nil || len(loaded.Packages) != 1 {
		t.Fatalf("%d packages, %v", len(loaded.Packages), err)
	}
	w := &workshop{loaded.Packages[0].Fset, map[string]*types.Package{}}
	for _, p := range loaded.Packages[0].Types.Imports() {
		w.packages[p.Path()] = p
	}
	return w
}

func (w *workshop) Import(path string) (*types.Package, error) {
	if p, known := w.packages[path]; known {
		return p, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

// run reads and judges one file as the generator does, and returns what does not compile in it besides. It reports
// false for what is not Go.
func (w *workshop) run(source string) (diag.List, []types.Error, bool) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "flow.go", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, false
	}
	p := &load.Package{Name: file.Name.Name, Path: "example.com/fuzz", Fset: fset, Files: []*ast.File{file}, Info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Scopes: map[ast.Node]*types.Scope{},
	}}
	config := types.Config{Importer: w, Error: func(err error) { p.TypeErrors = append(p.TypeErrors, err.(types.Error)) }}
	p.Types, _ = config.Check(p.Path, fset, p.Files, p.Info)
	flow, mistakes := read.Read(p)
	_, more := schema.Documents(p, flow)
	return append(append(mistakes, check.Flow(flow)...), more...), p.TypeErrors, true
}

// seeds are the examples of all explain pages.
func seeds(t testing.TB) []string {
	var all []string
	for _, code := range diag.Codes() {
		p := readPage(t, code)
		all = append(all, p.example, p.mended)
	}
	archive, err := txtar.ParseFile("testdata/mistakes/reading.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		all = append(all, string(file.Data))
	}
	return all
}

// TestDamagedFlows reads every example with each of its words missing or replaced. Nothing panics, and a flow file whose
// declarations do not compile is never accepted in silence.
func TestDamagedFlows(t *testing.T) {
	w := newWorkshop(t)
	read := 0
	for _, seed := range seeds(t) {
		words := wordsOf(seed)
		for i := range words {
			for _, other := range []string{"", "Gone", "0"} {
				damaged := strings.Join(words[:i], "") + other + strings.Join(words[i+1:], "")
				mistakes, broken, is := w.run(damaged)
				if !is {
					continue
				}
				read++
				if line := brokenFlowLine(damaged, broken); line != "" && len(mistakes) == 0 {
					t.Errorf("no mistake is found in a file with the line\n%s\nthat does not compile:\n%s", line, damaged)
				}
			}
		}
	}
	if read < 1000 {
		t.Errorf("only %d damaged files were Go: the test has lost its meaning", read)
	}
}

func FuzzFlow(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add(seed)
	}
	w := newWorkshop(f)
	f.Fuzz(func(t *testing.T, source string) { w.run(source) })
}

// brokenFlowLine returns a line of a source that calls runtime/flow and does not compile.
func brokenFlowLine(source string, broken []types.Error) string {
	lines := strings.Split(source, "\n")
	for _, e := range broken {
		line := lines[e.Fset.Position(e.Pos).Line-1]
		if !e.Soft && strings.HasPrefix(line, "var ") && strings.Contains(line, " flow.") {
			return line
		}
	}
	return ""
}

// wordsOf splits a source after each character that ends a word.
func wordsOf(source string) []string {
	var words []string
	for source != "" {
		end := strings.IndexAny(source, " \n\t().,[]\"") + 1
		if end == 0 {
			end = len(source)
		}
		words = append(words, source[:end])
		source = source[end:]
	}
	return words
}
