package read

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/acemq/acemq-gen/gen/diag"
)

// strays reports every use of a function of runtime/flow that belongs to no declaration.
func (r *reader) strays() {
	for _, file := range r.pkg.Files {
		ast.PreorderStack(file, nil, r.stray)
	}
}

// stray looks at one node, and returns whether to look inside it.
func (r *reader) stray(n ast.Node, stack []ast.Node) bool {
	e, is := n.(ast.Expr)
	if !is {
		return true
	}
	if c, is := r.callOf(e); is {
		if !r.consumed[c.name] {
			r.strayCall(c, stack)
		}
		return r.consumed[c.name]
	}
	if r.unknownFunction(e, stack) {
		return false
	}
	name := nameOf(e)
	if name == nil || r.consumed[name] || r.flowFunction(name) == "" {
		return true
	}
	r.report(diag.NotAVariable, e.Pos(), "call it as the value of a package-level variable",
		"flow.%s is used without a call: nothing is generated for it", r.flowFunction(name))
	return false
}

// unknownFunction reports a name that runtime/flow does not have, and one of a package flow
// that is not imported. Inside a function, that may be something of the user's that does not exist yet.
func (r *reader) unknownFunction(e ast.Expr, stack []ast.Node) bool {
	selector, is := e.(*ast.SelectorExpr)
	if !is || r.pkg.Info.Uses[selector.Sel] != nil {
		return false
	}
	id, is := selector.X.(*ast.Ident)
	if !is {
		return false
	}
	if id.Name == "flow" && r.pkg.Info.Uses[id] == nil && !inFunction(stack) {
		r.report(diag.NotGo, id.Pos(), `import "`+flowPath+`"`, "flow is not imported in this file")
		return true
	}
	pkg, is := r.pkg.Info.Uses[id].(*types.PkgName)
	if !is || pkg.Imported().Path() != flowPath || !pkg.Imported().Complete() {
		return false
	}
	help := "see the documentation of runtime/flow for what there is"
	if near, found := diag.Nearest(selector.Sel.Name, exported(pkg.Imported().Scope())); found {
		help = "did you mean flow." + near + "?"
	}
	r.report(diag.NotGo, selector.Sel.Pos(), help, "runtime/flow has no %s", selector.Sel.Name)
	return true
}

// exported returns the functions of a package that others can call.
func exported(scope *types.Scope) []string {
	return slices.DeleteFunc(scope.Names(), func(name string) bool {
		_, is := scope.Lookup(name).(*types.Func)
		return !is || !token.IsExported(name)
	})
}

func (r *reader) strayCall(c call, stack []ast.Node) {
	switch {
	case inFunction(stack):
		r.report(diag.InFunction, c.Pos(),
			"move it to a package-level variable of flow.go: var X = flow."+c.function+"(…)",
			"flow.%s is called inside a function: the generator reads only package-level variables", c.function)
	case constructs[c.function] == nil:
		r.report(diag.NotAVariable, c.Pos(), "write it inside the declaration that it belongs to",
			"flow.%s declares nothing by itself: it belongs into a declaration", c.function)
	default:
		r.report(diag.NotAVariable, c.Pos(),
			"give it a package-level variable of its own: var X = flow."+c.function+"(…)",
			"flow.%s is not the value of a variable: nothing is generated for it", c.function)
	}
}

func inFunction(stack []ast.Node) bool {
	for _, n := range stack {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return true
		}
	}
	return false
}

// reassignments reports every statement that changes a declared variable, or takes its address.
func (r *reader) reassignments() {
	for _, file := range r.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					r.reassigned(e)
				}
			case *ast.RangeStmt:
				r.reassigned(n.Key)
				r.reassigned(n.Value)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					r.reassigned(n.X)
				}
			}
			return true
		})
	}
}

func (r *reader) reassigned(e ast.Expr) {
	if e == nil {
		return
	}
	name := nameOf(e)
	if name == nil {
		return
	}
	obj := r.pkg.Info.Uses[name]
	if _, declared := r.declared[obj]; !declared {
		return
	}
	d := r.report(diag.Reassigned, e.Pos(), "declare a variable for each",
		"%s is changed here, and the generator reads only its declaration", name.Name)
	d.Relate(r.pkg.Pos(obj.Pos()), name.Name+" is declared here")
}
