package read

import (
	"go/types"
	"strconv"
	"strings"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// messageType returns the model's name of the message that is a type argument of c. It reports false, and the zero
// Type, where that is none.
func (r *reader) messageType(c call, i int) (model.Type, bool) {
	t, at := r.typeArg(c, i)
	if bad, field := invalidIn(t); bad {
		d := r.report(diag.InvalidType, at, "mend the type: the generator needs to know all of a message",
			"the message type %s does not compile", r.typeText(c, i))
		if field != nil {
			d.Relate(r.pkg.Pos(field.Pos()), "the type of "+field.Name()+" is unknown")
		}
		if i < len(c.argExprs) {
			r.refused = append(r.refused, span{c.argExprs[i].Pos(), c.argExprs[i].End()})
		}
		return model.Type{}, false
	}
	named, is := types.Unalias(t).(*types.Named)
	if !is || named.Obj().Pkg() == nil {
		help := "use a struct type with a marker"
		if pointer, is := types.Unalias(t).(*types.Pointer); is {
			help = "use the type itself: " + r.display(pointer.Elem())
		}
		r.report(diag.MessageKind, at, help, "%s cannot be a message: it is not a named type", r.display(t))
		return model.Type{}, false
	}
	if types.IsInterface(named) {
		r.report(diag.MessageKind, at, "use a struct type with a marker, and flow.Dispatch for several of them",
			"%s cannot be a message: nothing can be decoded into an interface", r.display(t))
		return model.Type{}, false
	}
	name := r.typeOf(named)
	r.learn(named, name)
	return name, true
}

// typeOf names a type as the model does.
func (r *reader) typeOf(t *types.Named) model.Type {
	obj := t.Obj()
	name := model.Type{Name: obj.Name()}
	if obj.Pkg() != nil { // error and comparable have none
		name.Path, name.Package = obj.Pkg().Path(), obj.Pkg().Name()
	}
	name.Name += r.typeArguments(t.TypeArgs())
	return name
}

// typeArguments writes type arguments with their brackets, "" where there are none.
func (r *reader) typeArguments(list *types.TypeList) string {
	var args []string
	for arg := range list.Types() {
		args = append(args, r.spell(arg))
	}
	if len(args) == 0 {
		return ""
	}
	return "[" + strings.Join(args, ", ") + "]"
}

// spell writes a type argument as [model.Type.Parts] reads it, with what an alias stands for in its place, so that two
// spellings of one type are one.
func (r *reader) spell(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		name := r.typeOf(t)
		if t.Obj().Pkg() == r.pkg.Types {
			return name.Name
		}
		return strings.TrimPrefix(name.Path+"."+name.Name, ".")
	case *types.Pointer:
		return "*" + r.spell(t.Elem())
	case *types.Slice:
		return "[]" + r.spell(t.Elem())
	case *types.Array:
		return "[" + strconv.FormatInt(t.Len(), 10) + "]" + r.spell(t.Elem())
	case *types.Map:
		return "map[" + r.spell(t.Key()) + "]" + r.spell(t.Elem())
	default:
		return types.TypeString(t, func(p *types.Package) string { return p.Path() })
	}
}

// display names a type as the user writes it.
func (r *reader) display(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == r.pkg.Types {
			return ""
		}
		return p.Name()
	})
}

// invalidIn reports whether a type, or the type of a field that is reached from it, does not compile. The field is nil
// where it is the type itself.
func invalidIn(t types.Type) (bool, *types.Var) { return invalid(t, nil, map[types.Type]bool{}) }

func invalid(t types.Type, field *types.Var, seen map[types.Type]bool) (bool, *types.Var) {
	t = types.Unalias(t)
	if seen[t] {
		return false, nil
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid, field
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if bad, at := invalid(arg, field, seen); bad {
				return true, at
			}
		}
		return invalid(t.Underlying(), field, seen)
	case *types.Struct:
		for f := range t.Fields() {
			if bad, at := invalid(f.Type(), f, seen); bad {
				return true, at
			}
		}
	case *types.Map:
		if bad, at := invalid(t.Key(), field, seen); bad {
			return true, at
		}
		return invalid(t.Elem(), field, seen)
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		return invalid(t.Elem(), field, seen)
	}
	return false, nil
}

// keyFields finds the fields of a message that fill a key. A key that cannot be read has none.
func (r *reader) keyFields(key string, t types.Type, message model.Type) []model.KeyField {
	names, err := wire.KeyFields(key)
	if err != nil {
		return nil
	}
	var fields []model.KeyField
	for _, name := range names {
		fields = append(fields, r.keyField(name, t, message))
	}
	return fields
}

func (r *reader) keyField(name string, t types.Type, message model.Type) model.KeyField {
	field := model.KeyField{Name: name}
	obj, _, indirect := types.LookupFieldOrMethod(t, false, r.pkg.Types, name)
	v, is := obj.(*types.Var)
	switch {
	case obj == nil || !is:
		field.Reason = message.String() + " has no field " + name
		field.Near, _ = diag.Nearest(name, fieldNames(t))
	case indirect:
		field.Reason = name + " is reached through a pointer, which may be nil"
	default:
		field.Kind = fieldKind(v.Type())
		if field.Kind == model.InvalidField {
			field.Reason = name + " is of type " + r.display(v.Type())
		}
	}
	return field
}

func fieldNames(t types.Type) []string {
	var names []string
	if s, is := t.Underlying().(*types.Struct); is {
		for f := range s.Fields() {
			names = append(names, f.Name())
		}
	}
	return names
}

// fieldKind says how a field's value becomes text. A String method goes before all else, as in package fmt.
func fieldKind(t types.Type) model.FieldKind {
	t = types.Unalias(t)
	basic, is := t.Underlying().(*types.Basic)
	_, pointer := t.Underlying().(*types.Pointer)
	switch {
	case pointer || types.IsInterface(t):
		return model.InvalidField
	case hasString(t):
		return model.StringerField
	case !is:
		return model.InvalidField
	case basic.Info()&types.IsString != 0 && t == types.Typ[types.String]:
		return model.StringField
	case basic.Info()&types.IsString != 0:
		return model.NamedString
	case basic.Info()&types.IsUnsigned != 0:
		return model.UnsignedField
	case basic.Info()&types.IsInteger != 0:
		return model.SignedField
	}
	return model.InvalidField
}

// hasString reports whether a value of type t, without taking its address, has the method String() string.
func hasString(t types.Type) bool {
	obj, _, indirect := types.LookupFieldOrMethod(t, false, nil, "String")
	fn, is := obj.(*types.Func)
	if !is || indirect {
		return false
	}
	sig := fn.Signature()
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 &&
		types.Identical(sig.Results().At(0).Type(), types.Typ[types.String])
}
