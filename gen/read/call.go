package read

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
)

// call is a call of a function or a method of runtime/flow.
type call struct {
	*ast.CallExpr
	function string // "Topic", or "Policy.Jitter"
	name     *ast.Ident
	args     []types.Type // type arguments, written or inferred
	argExprs []ast.Expr   // type arguments as they are written
}

// callOf returns the call that an expression is, if it calls runtime/flow.
func (r *reader) callOf(e ast.Expr) (call, bool) {
	expr, is := ast.Unparen(e).(*ast.CallExpr)
	if !is {
		return call{}, false
	}
	c := call{CallExpr: expr}
	fun := ast.Unparen(expr.Fun)
	switch index := fun.(type) {
	case *ast.IndexExpr:
		fun, c.argExprs = ast.Unparen(index.X), []ast.Expr{index.Index}
	case *ast.IndexListExpr:
		fun, c.argExprs = ast.Unparen(index.X), index.Indices
	}
	c.name = nameOf(fun)
	if c.name == nil {
		return call{}, false
	}
	c.function = r.flowFunction(c.name)
	if c.function == "" {
		return call{}, false
	}
	for arg := range r.pkg.Info.Instances[c.name].TypeArgs.Types() {
		c.args = append(c.args, arg)
	}
	return c, true
}

// nameOf returns the identifier that an expression ends in.
func nameOf(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}

// flowFunction returns the name of the function of runtime/flow that id stands for, "" for anything else.
func (r *reader) flowFunction(id *ast.Ident) string {
	fn, is := r.pkg.Info.Uses[id].(*types.Func)
	if !is || fn.Pkg() == nil || fn.Pkg().Path() != flowPath {
		return ""
	}
	if recv := fn.Signature().Recv(); recv != nil {
		return types.TypeString(recv.Type(), func(*types.Package) string { return "" }) + "." + fn.Name()
	}
	return fn.Name()
}

// typeArg returns a type argument of c and where it stands.
func (r *reader) typeArg(c call, i int) (types.Type, token.Pos) {
	at := c.Pos()
	if i < len(c.argExprs) {
		at = c.argExprs[i].Pos()
		if t := r.pkg.Info.TypeOf(c.argExprs[i]); t != nil {
			return t, at
		}
	}
	if i < len(c.args) {
		return c.args[i], at
	}
	return types.Typ[types.Invalid], at
}

// typeText spells a type argument of c as it is written.
func (r *reader) typeText(c call, i int) string {
	if i < len(c.argExprs) {
		return types.ExprString(c.argExprs[i])
	}
	t, _ := r.typeArg(c, i)
	if t == types.Typ[types.Invalid] {
		return "of flow." + c.function
	}
	return r.display(t)
}

// arg returns an argument of c. It reports false where there is none, which the compiler reports.
func (c call) arg(i int) (ast.Expr, bool) {
	if i >= len(c.Args) {
		return nil, false
	}
	return c.Args[i], true
}

// text returns an argument that is a constant string, [model.Unread] where it is none.
func (r *reader) text(c call, i int) string {
	v := r.constant(c, i)
	if v == nil || v.Kind() != constant.String {
		return model.Unread
	}
	return constant.StringVal(v)
}

// number returns an argument that is a constant integer. A time is one, in nanoseconds.
func (r *reader) number(c call, i int) (int64, bool) {
	v := r.constant(c, i)
	if v == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(v))
}

// factor returns an argument that is a constant floating point number.
func (r *reader) factor(c call, i int) (float64, bool) {
	v := r.constant(c, i)
	if v == nil {
		return 0, false
	}
	f := constant.ToFloat(v)
	n, _ := constant.Float64Val(f)
	return n, f.Kind() == constant.Float
}

// constant returns the value of an argument, nil where it has none that the generator can know.
func (r *reader) constant(c call, i int) constant.Value {
	e, given := c.arg(i)
	if !given {
		return nil
	}
	if v := r.pkg.Info.Types[e].Value; v != nil {
		if v.Kind() == constant.Unknown {
			return nil
		}
		return v
	}
	if !r.failsIn(e) {
		r.report(diag.NotConstant, e.Pos(),
			"use a literal or a const: the generator reads the flow and does not run it",
			"this argument of flow.%s is not a constant", strings.TrimPrefix(c.function, "Policy."))
	}
	return nil
}

// at returns where an argument stands, or the call where there is none.
func (c call) at(i int) token.Pos {
	if e, given := c.arg(i); given {
		return e.Pos()
	}
	return c.Pos()
}

// consume marks every flow call inside e as part of a declaration.
func (r *reader) consume(e ast.Node) {
	ast.Inspect(e, func(n ast.Node) bool {
		if _, function := n.(*ast.FuncLit); function {
			return false
		}
		if expr, is := n.(ast.Expr); is {
			if c, is := r.callOf(expr); is {
				r.consumed[c.name] = true
			}
		}
		return true
	})
}

// isMethod reports whether a function of runtime/flow is a method.
func isMethod(function string) bool { return strings.Contains(function, ".") }
