package emit

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// users are the packages of the golden flows, as far as generated code knows them.
var users = map[string]string{
	"example.com/shop/orders": `package orders
		type OrderPlaced struct{ Region string }
		type OrderShipped struct{}
		type Order struct {
			Shop   int8
			Region region
			Number uint64
			Code   code
		}
		type region string
		type code struct{}
		func (code) String() string { return "" }
		func viewed(OrderPlaced) string { return "" }
		type Page[T any] struct{ Items []T }
		type QuoteRequest struct{}
		type Quote struct{}`,
	"example.com/ledger/v2": `package ledger
		type Entry struct{}
		func (Entry) Account() string { return "" }`,
	"example.com/go-ext": `package ext
		type Order struct{}
		func Key[T any](T) string { return "" }`,
}

// compiler checks the types of packages: those of users from source, others from what the go command compiled.
type compiler struct {
	fset     *token.FileSet
	compiled types.Importer
}

func newCompiler(t *testing.T) *compiler {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for _, p := range own {
		args = append(args, p.path)
	}
	out, err := exec.Command("go", args...).Output()
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		t.Fatalf("what generated code calls does not compile: %s", failed.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[path] = file
	}
	fset := token.NewFileSet()
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	return &compiler{fset: fset, compiled: importer.ForCompiler(fset, "gc", lookup)}
}

// Import is that of types.Importer.
func (c *compiler) Import(path string) (*types.Package, error) {
	if _, found := users[path]; found {
		return c.check(path, nil)
	}
	return c.compiled.Import(path)
}

// check type-checks a package of the user's, together with generated files.
func (c *compiler) check(path string, generated []File) (*types.Package, error) {
	sources := append([]File{{Name: "user.go", Content: []byte(users[path])}}, generated...)
	var files []*ast.File
	for _, source := range sources {
		file, err := parser.ParseFile(c.fset, source.Name, source.Content, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("parse %s: %w", source.Name, err)
		}
		files = append(files, file)
	}
	config := types.Config{Importer: c}
	return config.Check(path, c.fset, files, nil)
}
