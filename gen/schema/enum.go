package schema

import (
	"cmp"
	"go/constant"
	"go/types"
	"maps"
	"slices"
)

// enumOf returns the values that a type has constants for, sorted: nil where the constants do not look like all there
// are.
func enumOf(t *types.Named) []any {
	basic, is := t.Underlying().(*types.Basic)
	if !is || t.Obj().Pkg() == nil {
		return nil
	}
	switch info := basic.Info(); {
	case info&types.IsString != 0:
		return listed(constantsOf(t, func(v constant.Value) (string, bool) { return constant.StringVal(v), true }))
	case info&types.IsInteger != 0:
		values := constantsOf(t, constant.Int64Val)
		if n := len(values); n == 0 || values[n-1]-values[0] != int64(n-1) {
			return nil // units and flags
		}
		return listed(values)
	}
	return nil
}

// constantsOf returns the values of the package-level constants of a type, sorted, each of them once.
func constantsOf[T cmp.Ordered](t *types.Named, value func(constant.Value) (T, bool)) []T {
	found := map[T]bool{}
	scope := t.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, is := scope.Lookup(name).(*types.Const)
		if !is || !types.Identical(c.Type(), t) || c.Val().Kind() == constant.Unknown {
			continue
		}
		if v, exact := value(c.Val()); exact {
			found[v] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// listed makes an enum of two values or more. One constant is a value that has a name, and no list.
func listed[T any](values []T) []any {
	if len(values) < 2 {
		return nil
	}
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}
