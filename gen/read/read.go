package read

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/model"
)

// flowPath is the package whose calls are declarations.
const flowPath = "github.com/acemq/acemq-gen/runtime/flow"

// Read reads the flow of a package. A package without markers and declarations has an empty flow. Mistakes do not stop
// it: the flow holds what could be read.
func Read(p *load.Package) (*model.Flow, diag.List) {
	r := &reader{
		pkg:      p,
		flow:     &model.Flow{Package: packageOf(p)},
		declared: map[types.Object]declaration{},
		consumed: map[*ast.Ident]bool{},
		marked:   map[*types.TypeName]message{},
		named:    map[model.Type]bool{},
		foreign:  map[string]*ast.File{},
	}
	r.markers()
	specs := r.findDeclarations()
	for _, spec := range specs {
		r.register(spec)
	}
	r.foreignMessages(specs)
	slices.SortStableFunc(specs, func(a, b declaredSpec) int { return cmp.Compare(a.rank(), b.rank()) })
	for _, spec := range specs {
		r.declare(spec)
	}
	r.strays()
	r.reassignments()
	r.compileErrors()
	r.diags.Sort()
	return r.flow, r.diags
}

// reader is what one Read has at hand.
type reader struct {
	pkg      *load.Package
	flow     *model.Flow
	diags    diag.List
	declared map[types.Object]declaration // by variable
	consumed map[*ast.Ident]bool          // names of flow functions in calls that belong to a declaration
	ranges   []span                       // of the declarations
	refused  []span                       // of the type arguments that were reported
	marked   map[*types.TypeName]message  // types with a marker
	named    map[model.Type]bool          // types of flow.Message, and the instances and foreign types looked at
	foreign  map[string]*ast.File         // source files of other packages, nil where one cannot be read
}

// declaration is what a declared variable is to those that refer to it.
type declaration struct {
	construct string // "Topic"
	name      string // its Decl.Name
}

// span is a part of a file.
type span struct{ from, to token.Pos }

func (s span) holds(pos token.Pos) bool { return s.from <= pos && pos <= s.to }

func within(spans []span, pos token.Pos) bool {
	return slices.ContainsFunc(spans, func(s span) bool { return s.holds(pos) })
}

// report adds a mistake and returns it, so that related positions can be added.
func (r *reader) report(code diag.Code, at token.Pos, help, format string, args ...any) *diag.Diagnostic {
	r.diags.Add(diag.Diagnostic{Code: code, Pos: r.pkg.Pos(at), Message: fmt.Sprintf(format, args...), Help: help})
	return &r.diags[len(r.diags)-1]
}

func packageOf(p *load.Package) model.Package {
	pkg := model.Package{
		Name: p.Name, Path: p.Path, Doc: packageDoc(p), Module: p.Module, Dir: p.Dir,
		Scope: map[string]model.Pos{}, Files: map[string]model.Pos{},
	}
	for _, name := range p.Types.Scope().Names() {
		pkg.Scope[name] = p.Pos(p.Types.Scope().Lookup(name).Pos())
	}
	for _, file := range p.Files {
		scope := p.Info.Scopes[file]
		if scope == nil {
			continue
		}
		for _, name := range scope.Names() {
			pkg.Files[name] = p.Pos(scope.Lookup(name).Pos())
		}
		for _, spec := range file.Imports { // the names of a dot import have no place in this file
			if spec.Name != nil && spec.Name.Name == "." {
				placeDotImport(p, scope, spec, pkg.Files)
			}
		}
	}
	return pkg
}

// packageDoc returns the doc comment of a package: of most, one file has it.
func packageDoc(p *load.Package) string {
	var docs []string
	for _, file := range p.Files {
		if text := strings.TrimSpace(file.Doc.Text()); text != "" {
			docs = append(docs, text)
		}
	}
	return strings.Join(docs, "\n\n")
}

// placeDotImport gives the names that a dot import brings the place of the import.
func placeDotImport(p *load.Package, scope *types.Scope, spec *ast.ImportSpec, names map[string]model.Pos) {
	for _, name := range scope.Names() {
		if obj := scope.Lookup(name); obj.Pkg() != nil && obj.Pkg().Path() == strings.Trim(spec.Path.Value, "`\"") {
			names[name] = p.Pos(spec.Pos())
		}
	}
}

// compileErrors reports what does not compile inside a declaration and was not reported yet, and imports that are
// missing in a file that imports runtime/flow.
func (r *reader) compileErrors() {
	for _, e := range r.pkg.TypeErrors {
		missing := strings.HasPrefix(e.Msg, "could not import ")
		switch {
		case strings.HasPrefix(e.Msg, "\t"): // it belongs to the one before
		case missing && r.inFlowFile(e.Pos):
			missed, _, _ := strings.Cut(strings.TrimPrefix(e.Msg, "could not import "), " ")
			r.report(diag.PackageLoad, e.Pos, "correct the path, or run: go mod tidy",
				"the package %s cannot be imported", missed)
		case e.Soft || missing || !within(r.ranges, e.Pos) || within(r.refused, e.Pos):
		case !r.reportedAt(e.Pos):
			r.report(diag.NotGo, e.Pos, "", "%s", elsewhere.ReplaceAllString(oneLine(e.Msg), ""))
		}
	}
}

func (r *reader) reportedAt(pos token.Pos) bool {
	at := r.pkg.Pos(pos)
	return slices.ContainsFunc(r.diags, func(d diag.Diagnostic) bool { return d.Pos == at })
}

// failsIn reports whether the type checker refuses something inside an expression: compileErrors reports it.
func (r *reader) failsIn(e ast.Expr) bool {
	return slices.ContainsFunc(r.pkg.TypeErrors, func(err types.Error) bool {
		return !err.Soft && span{e.Pos(), e.End()}.holds(err.Pos)
	})
}

// reportedIn reports whether a mistake was found inside a call.
func (r *reader) reportedIn(c call) bool {
	from, to := r.pkg.Pos(c.Pos()), r.pkg.Pos(c.End())
	return slices.ContainsFunc(r.diags, func(d diag.Diagnostic) bool {
		return from.Compare(d.Pos) <= 0 && d.Pos.Compare(to) <= 0
	})
}

func (r *reader) inFlowFile(pos token.Pos) bool {
	return slices.ContainsFunc(r.pkg.Files, func(f *ast.File) bool {
		return span{f.FileStart, f.FileEnd}.holds(pos) && importsFlow(f)
	})
}

// importsFlow reports whether a file imports runtime/flow, or something that was meant to be it.
func importsFlow(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(spec *ast.ImportSpec) bool {
		return strings.HasSuffix(strings.Trim(spec.Path.Value, "`\""), path.Base(flowPath))
	})
}

// elsewhere is what the compiler says of a place in runtime/flow, which is no concern of the user's.
var elsewhere = regexp.MustCompile(` \(declared at [^)]*\)`)

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
