package flow_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// declarations are the calls that take options, by name, with %s in the place of the option.
var declarations = map[string]string{
	"exchange": `flow.Topic("e", %s)`,
	"publish":  `flow.Publish[int](flow.Default, "k", %s)`,
	"consume":  `flow.Consume[int]("q", %s)`,
	"dispatch": `flow.Dispatch("q", %s)`,
	"pipeline": `flow.Pipeline("p", %s)`,
	"step":     `flow.Step[int, int]("s", %s)`,
	"sink":     `flow.Sink[int]("s", %s)`,
	"slip":     `flow.Slip("p", %s)`,
	"stop":     `flow.Stop[int, int]("s", flow.Default, "k", %s)`,
	"ordered":  `flow.Ordered("o", 8, strconv.Itoa, %s)`,
	"saga":     `flow.Saga[int]("s", %s)`,
	"action":   `flow.Action("a", %s)`,
	"request":  `flow.Request[int, int]("q", %s)`,
}

// TestOptionsFitTheirPlaces compiles every option in every declaration.
func TestOptionsFitTheirPlaces(t *testing.T) {
	const (
		queue      = "consume dispatch"
		handler    = "consume dispatch step sink stop request"
		idempotent = "consume dispatch step sink stop ordered"
	)
	tests := []struct{ option, places string }{
		{`flow.External()`, "exchange consume dispatch"},
		{`flow.Optional()`, "publish"},
		{`flow.Transient()`, "publish"},
		{`flow.Expires(1)`, "publish"},
		{`flow.Priority(1)`, "publish"},
		{`flow.Outbox()`, "publish"},
		{`flow.Schedulable()`, "publish"},
		{`flow.From(flow.Publish[int](flow.Default, "k"))`, queue},
		{`flow.Bind(flow.Default)`, queue},
		{`flow.Classic()`, queue},
		{`flow.TTL(1)`, queue},
		{`flow.MaxLength(1)`, queue},
		{`flow.RequeueOnFailure()`, queue},
		{`flow.SingleActive()`, "consume dispatch ordered"},
		{`flow.Case[int]()`, "dispatch"},
		{`flow.Retry(flow.NoRetry())`, handler},
		{`flow.RetryDelay(1)`, handler},
		{`flow.Prefetch(1)`, handler},
		{`flow.Concurrency(1)`, handler},
		{`flow.Idempotent(0)`, idempotent},
		{`flow.OnFailure(flow.Halt, 1, 1)`, "ordered"},
		{`flow.PartitionedAs(flow.Java)`, "ordered"},
		{`flow.Step[int, int]("s")`, "pipeline"},
		{`flow.Sink[int]("s")`, "pipeline"},
		{`flow.Stop[int, int]("s", flow.Default, "k")`, "slip"},
		{`flow.AnyDestination()`, "slip"},
		{`flow.WriteAs(flow.Itinerary)`, "pipeline slip"},
		{`flow.Action("a")`, "saga"},
		{`flow.Undo("u")`, "action"},
	}
	compile := newCompiler(t)
	for _, test := range tests {
		for place, call := range declarations {
			source := fmt.Sprintf(call, test.option)
			err := compile(source)
			if fits := slices.Contains(strings.Fields(test.places), place); fits != (err == nil) {
				t.Errorf("%s: fits %v, compiler says %v", source, fits, err)
			}
		}
	}
}

// newCompiler returns a function that type-checks an expression in a file that imports flow.
func newCompiler(t *testing.T) func(expression string) error {
	t.Helper()
	fset := token.NewFileSet()
	std := importer.ForCompiler(fset, "gc", nil)
	config := types.Config{Importer: std}
	vocabulary, err := config.Check("flow", fset, sources(t, fset), nil)
	if err != nil {
		t.Fatal(err)
	}
	config.Importer = importers{std, vocabulary}
	return func(expression string) error {
		source := "package p\nimport (\"flow\"; \"strconv\")\nvar _ = strconv.Itoa\nvar _ = " + expression
		file, err := parser.ParseFile(fset, "p.go", source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		_, err = config.Check("p", fset, []*ast.File{file}, nil)
		return err
	}
}

// importers imports flow as it was checked, and the rest from the standard library.
type importers struct {
	types.Importer
	flow *types.Package
}

func (i importers) Import(path string) (*types.Package, error) {
	if path == "flow" {
		return i.flow, nil
	}
	return i.Importer.Import(path)
}

// TestImportsTheStandardLibraryOnly keeps the vocabulary free of what a program would have to download.
func TestImportsTheStandardLibraryOnly(t *testing.T) {
	for _, file := range sources(t, token.NewFileSet()) {
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
				t.Errorf("flow imports %s", path)
			}
		}
	}
}

// TestExportedFunctionsShowAnExample holds that each function's documentation has an indented example.
func TestExportedFunctionsShowAnExample(t *testing.T) {
	for _, file := range sources(t, token.NewFileSet()) {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if ok && f.Name.IsExported() && !strings.Contains(f.Doc.Text(), "\n\t") {
				t.Errorf("%s has no example in its documentation", f.Name)
			}
		}
	}
}

// sources parses the files of package flow.
func sources(t *testing.T, fset *token.FileSet) []*ast.File {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		t.Fatal("no source files: the test runs in the directory of the package")
	}
	return files
}
