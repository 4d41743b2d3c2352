package read

import (
	"go/ast"
	"go/parser"
	"go/types"
	"strings"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/marker"
	"github.com/acemq/acemq-gen/gen/model"
)

// foreignMessages reads every flow.Message, before any message is used.
func (r *reader) foreignMessages(specs []declaredSpec) {
	for _, d := range specs {
		if d.call.function == "Message" {
			r.foreignMessage(d.call)
		}
	}
}

// foreignMessage reads flow.Message: a message type that cannot carry a marker here.
func (r *reader) foreignMessage(c call) {
	msg := message{logical: r.text(c, 0), version: 1, pos: r.pkg.Pos(c.Pos())}
	if version, read := r.number(c, 1); read {
		msg.version = int(version)
		if err := checkVersion(version); err != nil {
			r.report(diag.MarkerValue, c.at(1), "", "%v", err)
		}
	}
	if err := checkType(msg.logical); err != nil && msg.logical != model.Unread {
		r.report(diag.MarkerValue, c.at(0), "", "%v", err)
	}
	t, at := r.typeArg(c, 0)
	named, is := types.Unalias(t).(*types.Named)
	if is && named.Obj().Pkg() == r.pkg.Types && named.TypeArgs().Len() == 0 && !types.IsInterface(named) {
		if bad, _ := invalidIn(t); !bad {
			r.report(diag.MessageKind, at, "mark it where it is declared: "+marker.Prefix+"message",
				"%s is a type of this package: flow.Message is for types of others", r.display(t))
			return
		}
	}
	if is && named.Obj().Pkg() != nil {
		name := r.typeOf(named)
		if first, known := r.flow.Message(name); known {
			d := r.report(diag.MarkerDoubled, c.Pos(), "keep one of them",
				"%s is declared as a message twice", r.display(t))
			d.Relate(first.Pos, "the first time")
			return
		}
		r.addMessage(name, msg)
	}
	r.messageType(c, 0)
}

// learn adds the message of an instance of a marked generic type, or of a type that is marked in another package's
// source. A type without a marker adds none.
func (r *reader) learn(t *types.Named, name model.Type) {
	if r.named[name] {
		return
	}
	r.named[name] = true
	obj := t.Origin().Obj()
	if obj.Pkg() == r.pkg.Types {
		if msg, marked := r.marked[obj]; marked {
			r.addMessage(name, msg)
		}
		return
	}
	if msg, marked := r.markerInSource(obj); marked {
		r.addMessage(name, msg)
	}
}

// markerInSource looks for the marker of a type of another package, whose comments were not loaded.
func (r *reader) markerInSource(obj *types.TypeName) (message, bool) {
	file := r.sourceOf(obj)
	if file == nil {
		return message{}, false
	}
	for group, at := range placesOf(file) {
		if at.spec == nil || at.spec.Name.Name != obj.Name() {
			continue
		}
		for _, c := range group.List {
			if msg, is := r.readMarker(c, obj.Name()); is {
				return msg, true
			}
		}
	}
	return message{}, false
}

// readMarker reads a marker whose mistakes are another package's.
func (r *reader) readMarker(c *ast.Comment, typeName string) (message, bool) {
	if !strings.HasPrefix(c.Text, marker.Prefix) {
		return message{}, false
	}
	m, err := marker.Parse(c.Text)
	keys := registry[m.Name]
	if err != nil || m.Name != "message" {
		return message{}, false
	}
	msg := message{version: 1, logical: dotted(typeName), pos: r.pkg.Pos(c.Pos())}
	for _, arg := range m.Args {
		set, known := keys[arg.Key]
		if !known || set(&msg, arg.Value) != nil {
			return message{}, false
		}
	}
	return msg, true
}

// sourceOf parses the file that declares a type of another package, nil where it cannot be read.
func (r *reader) sourceOf(obj *types.TypeName) *ast.File {
	name := r.pkg.Fset.Position(obj.Pos()).Filename
	if name == "" {
		return nil
	}
	file, known := r.foreign[name]
	if !known {
		file, _ = parser.ParseFile(r.pkg.Fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		r.foreign[name] = file
	}
	return file
}
