package schema

import "go/types"

// hasMethod reports whether *T has a method without parameters of that name. encoding/json finds the methods of a
// message's fields through pointers to them.
func hasMethod(t types.Type, name string) bool {
	fn := method(t, name)
	return fn != nil && fn.Signature().Params().Len() == 0
}

func method(t types.Type, name string) *types.Func {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	fn, _ := obj.(*types.Func)
	return fn
}

// marshals reports whether t has one of the methods of encoding/json and encoding: func() ([]byte, error).
func marshals(t types.Type, name string) bool {
	if !hasMethod(t, name) {
		return false
	}
	results := method(t, name).Signature().Results()
	return results.Len() == 2 && types.Identical(results.At(0).Type(), types.NewSlice(types.Typ[types.Byte])) &&
		types.Identical(results.At(1).Type(), types.Universe.Lookup("error").Type())
}

// byPointer reports whether only *T has a method.
func byPointer(t types.Type, name string) bool {
	set := types.NewMethodSet(t)
	return hasMethod(t, name) && set.Lookup(nil, name) == nil
}

// forgotten finds the type inside a map's value whose method encoding/json does not call, since a value in a map has no
// address.
func forgotten(t types.Type) (types.Type, string) { return forgottenIn(t, map[types.Type]bool{}) }

func forgottenIn(t types.Type, seen map[types.Type]bool) (types.Type, string) {
	t = types.Unalias(t)
	if seen[t] {
		return nil, ""
	}
	seen[t] = true
	for _, name := range []string{"MarshalJSON", "MarshalText"} {
		if marshals(t, name) && byPointer(t, name) {
			return t, name
		}
		if marshals(t, name) {
			return nil, ""
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for _, f := range fieldsOf(u) {
			if found, name := forgottenIn(f.Type(), seen); found != nil {
				return found, name
			}
		}
	case *types.Array:
		return forgottenIn(u.Elem(), seen)
	}
	return nil, ""
}
