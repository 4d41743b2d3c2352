package read

import (
	"go/types"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
)

func (r *reader) saga(d declaredSpec) {
	s := model.Saga{Title: r.text(d.call, 0), TitlePos: r.pkg.Pos(d.call.at(0))}
	s.Decl = r.decl(d, model.Identifier(s.Title))
	_, at := r.typeArg(d.call, 0)
	s.Subject, s.SubjectPos = r.subject(d.call), r.pkg.Pos(at)
	for _, item := range r.options(d.call, 1) {
		if item.function != "Action" {
			r.wrongOption(d.call, item)
			continue
		}
		s.Actions = append(s.Actions, r.action(item))
	}
	r.flow.Sagas = append(r.flow.Sagas, s)
}

// action reads flow.Action.
func (r *reader) action(c call) model.Action {
	action := model.Action{Pos: r.pkg.Pos(c.Pos()), Name: r.text(c, 0), NamePos: r.pkg.Pos(c.at(0))}
	for _, o := range r.options(c, 1) {
		if o.function != "Undo" {
			r.wrongOption(c, o)
			continue
		}
		action.Undo = &model.Undo{Name: r.text(o, 0), NamePos: r.pkg.Pos(o.at(0))}
		action.Options = append(action.Options, model.Option{Pos: r.pkg.Pos(o.Pos()), Name: o.function})
	}
	return action
}

// subject returns the type that a saga is run on. It does not travel, so it needs no marker, and nothing of it is needed
// but its name: it may have fields of types that are yet to be generated.
func (r *reader) subject(c call) model.Type {
	t, at := r.typeArg(c, 0)
	named, is := types.Unalias(t).(*types.Named)
	switch {
	case t == types.Typ[types.Invalid]: // the compiler reports it
		return model.Type{}
	case is && named.Obj().Pkg() != nil:
		return r.typeOf(named)
	case !spelled(t):
		r.report(diag.SubjectKind, at, "declare a type with a name, and use that",
			"%s cannot be the subject of a saga: it has no name", r.display(t))
		return model.Type{}
	}
	return model.Type{Path: r.pkg.Path, Package: r.pkg.Name, Name: r.spell(t)}
}

// spelled reports whether a type is made of names alone.
func spelled(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named, *types.Basic:
		return true
	case *types.Interface:
		return t.Empty()
	case *types.Map:
		return spelled(t.Key()) && spelled(t.Elem())
	case *types.Pointer:
		return spelled(t.Elem())
	case *types.Slice:
		return spelled(t.Elem())
	case *types.Array:
		return spelled(t.Elem())
	}
	return false
}
