// Package load brings Go packages into memory for gen/read: their syntax and their types, read once a run.
//
// The types of other packages come from export data, as the compiler wrote it. The generator's own files are left out,
// so that what they say cannot contradict what they are about to say. Code that does not compile is no error here:
// it may name what is not generated yet. A file that is not Go is one, and so is a package that is not found.
package load

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
)

// mode asks for syntax and types of the packages named, and for export data of all others.
const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedExportFile | packages.NeedModule | packages.NeedTypes | packages.NeedTypesSizes |
	packages.NeedSyntax | packages.NeedTypesInfo

// Config says what to load and from where.
type Config struct {
	Dir      string   // where the run takes place, and what patterns and positions are relative to; "" is here
	Patterns []string // package patterns of the go command; none means "."
	Env      []string // the environment of the go command; nil is that of the process
}

// Result is what was loaded.
type Result struct {
	Packages []*Package // by import path
	Errors   diag.List  // packages that were not found, files that are not Go
	Hint     string     // one sentence on why the run was slow; mostly empty
}

// Package is a package with the user's own files.
type Package struct {
	Name       string
	Path       string
	Module     string // the path of its module; "" outside of one
	Dir        string // absolute
	Fset       *token.FileSet
	Files      []*ast.File // without the generator's own
	Types      *types.Package
	Info       *types.Info
	TypeErrors []types.Error // what does not compile; often only because code is not generated yet

	root string
}

// Pos returns the place of pos, relative to the directory of the run.
func (p *Package) Pos(pos token.Pos) model.Pos { return relative(p.root, p.Fset.Position(pos)) }

// Load loads packages. An error means that the go command failed as a whole.
func Load(ctx context.Context, cfg Config) (*Result, error) { return load(ctx, cfg, packages.Load) }

// loader is the signature of packages.Load.
type loader func(*packages.Config, ...string) ([]*packages.Package, error)

func load(ctx context.Context, cfg Config, from loader) (*Result, error) {
	root, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	config := &packages.Config{Mode: mode, Context: ctx, Dir: root, Env: cfg.Env, ParseFile: parseFile}
	found, err := from(config, queries(cfg.Patterns)...)
	if err == nil && len(found) == 0 {
		// Where export data is asked for, go/packages takes it for a failed build when the go command as a whole fails,
		// over a go.mod that is out of date for one, and says nothing.
		names := &packages.Config{Mode: packages.NeedName, Context: ctx, Dir: root, Env: cfg.Env}
		_, err = from(names, queries(cfg.Patterns)...)
	}
	if err != nil {
		return nil, fmt.Errorf("load packages in %s: %w", root, err)
	}
	result := &Result{}
	if slices.ContainsFunc(found, unreadableExport) {
		result.Hint = "acemq-gen cannot read what this go command compiles and loaded everything from source; " +
			"update it with: go get -tool github.com/acemq/acemq-gen/cmd/acemq-gen@latest"
		config.Mode |= packages.NeedDeps
		config.Fset = nil
		if found, err = from(config, queries(cfg.Patterns)...); err != nil {
			return nil, fmt.Errorf("load packages in %s from source: %w", root, err)
		}
	}
	for _, p := range found {
		result.add(root, p)
	}
	slices.SortFunc(result.Packages, func(a, b *Package) int { return cmp.Compare(a.Path, b.Path) })
	result.Errors.Sort()
	return result, nil
}

// queries keeps go/packages from taking a pattern with "=" in it for a query of its own.
func queries(patterns []string) []string {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	queries := make([]string, len(patterns))
	for i, pattern := range patterns {
		queries[i] = "pattern=" + pattern
	}
	return queries
}

// parseFile parses a file of the user's, and leaves out the generator's own.
func parseFile(fset *token.FileSet, name string, content []byte) (*ast.File, error) {
	if model.IsGenerated(name, content) {
		return nil, nil
	}
	return parser.ParseFile(fset, name, content, parser.ParseComments|parser.SkipObjectResolution)
}

func (r *Result) add(root string, p *packages.Package) {
	for _, e := range p.Errors {
		if d, ours := judge(root, e); ours {
			r.Errors.Add(d)
		}
	}
	if p.Types == nil || p.TypesInfo == nil {
		return
	}
	dir := p.Dir
	if dir == "" && len(p.GoFiles) > 0 {
		dir = filepath.Dir(p.GoFiles[0])
	}
	module := ""
	if p.Module != nil {
		module = p.Module.Path
	}
	r.Packages = append(r.Packages, &Package{
		Name: p.Name, Path: p.PkgPath, Module: module, Dir: dir, Fset: p.Fset, Files: p.Syntax,
		Types: p.Types, Info: p.TypesInfo, TypeErrors: p.TypeErrors, root: root,
	})
}

// judge tells what the user has to mend before anything can be read from what only does not compile.
func judge(root string, e packages.Error) (diag.Diagnostic, bool) {
	d := diag.Diagnostic{Code: diag.PackageLoad, Message: strings.TrimSpace(e.Msg)}
	d.Pos = relative(root, position(e.Pos))
	switch e.Kind {
	case packages.TypeError:
		return d, false
	case packages.ParseError:
		d.Code = diag.Syntax
	case packages.ListError:
		if strings.HasPrefix(e.Msg, "# ") { // what the compiler says
			return d, false
		}
	}
	if first, rest, many := strings.Cut(d.Message, "\n"); many {
		d.Message, d.Help = first, strings.Join(strings.Fields(rest), " ")
	}
	return d, true
}

// unreadableExport reports whether the compiler's export data is of a version that this program does not know.
func unreadableExport(p *packages.Package) bool {
	return slices.ContainsFunc(p.Errors, func(e packages.Error) bool {
		return strings.Contains(e.Msg, "export data") || strings.Contains(e.Msg, "without types was imported")
	})
}

// position reads "file:line:column", from which the numbers may be missing. "-" is no position.
func position(text string) token.Position {
	if text == "-" {
		return token.Position{}
	}
	pos := token.Position{Filename: text}
	for range 2 {
		colon := strings.LastIndexByte(pos.Filename, ':')
		number, err := strconv.Atoi(pos.Filename[colon+1:])
		if colon < 0 || err != nil {
			break
		}
		pos.Filename, pos.Line, pos.Column = pos.Filename[:colon], number, pos.Line
	}
	return pos
}

// relative names a file from root, with slashes. A file on another volume keeps its whole name.
func relative(root string, pos token.Position) model.Pos {
	name := pos.Filename
	if rel, err := filepath.Rel(root, name); err == nil && filepath.IsAbs(name) {
		name = rel
	}
	return model.Pos{File: filepath.ToSlash(name), Line: pos.Line, Column: pos.Column}
}
