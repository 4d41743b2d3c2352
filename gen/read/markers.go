package read

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/marker"
	"github.com/acemq/acemq-gen/gen/model"
)

// markers reads every comment of the package for markers.
func (r *reader) markers() {
	for _, file := range r.pkg.Files {
		places := placesOf(file)
		for _, group := range file.Comments {
			for _, comment := range group.List {
				r.comment(comment, places[group])
			}
		}
	}
}

// place is what a comment stands above.
type place struct {
	what string               // in words, for an error; "" where it stands alone
	spec *ast.TypeSpec        // the package-level type, where it is one
	seen map[string]token.Pos // where its first marker of a name is
}

// placesOf finds what each doc comment of a file belongs to.
func placesOf(file *ast.File) map[*ast.CommentGroup]place {
	places := map[*ast.CommentGroup]place{}
	put := func(group *ast.CommentGroup, what string) {
		if _, known := places[group]; group != nil && !known {
			places[group] = place{what: what}
		}
	}
	put(file.Doc, "the package clause")
	for _, decl := range file.Decls {
		if gen, is := decl.(*ast.GenDecl); is && gen.Tok == token.TYPE {
			placeTypes(places, gen)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			put(n.Doc, "a function")
		case *ast.Field:
			put(n.Doc, "a field")
			put(n.Comment, "a field")
		case *ast.GenDecl:
			put(n.Doc, map[token.Token]string{token.TYPE: "a type inside a function", token.CONST: "a constant",
				token.VAR: "a variable", token.IMPORT: "an import"}[n.Tok])
		case *ast.ValueSpec:
			put(n.Doc, "a variable or a constant")
			put(n.Comment, "a variable or a constant")
		case *ast.TypeSpec:
			put(n.Doc, "a type inside a function")
			put(n.Comment, "the end of a line")
		}
		return true
	})
	return places
}

// placeTypes finds the comments that belong to package-level types.
func placeTypes(places map[*ast.CommentGroup]place, gen *ast.GenDecl) {
	if gen.Doc != nil && gen.Lparen.IsValid() {
		places[gen.Doc] = place{what: "a group of types"}
	}
	for _, spec := range gen.Specs {
		spec, is := spec.(*ast.TypeSpec)
		if !is {
			continue
		}
		doc := spec.Doc
		if !gen.Lparen.IsValid() {
			doc = gen.Doc
		}
		if doc != nil {
			places[doc] = place{what: "the type " + spec.Name.Name, spec: spec, seen: map[string]token.Pos{}}
		}
	}
}

// directive is a comment that another tool's directive looks like.
var directive = regexp.MustCompile(`^//([a-z0-9]+):([a-z0-9]+)`)

// comment reads one comment, if it is a marker or means to be one.
func (r *reader) comment(c *ast.Comment, at place) {
	if strings.HasPrefix(c.Text, marker.Prefix) {
		r.marker(c, at)
		return
	}
	text := strings.TrimSpace(strings.TrimSuffix(strings.TrimLeft(c.Text, "/*"), "*/"))
	if len(text) >= len("acemq:") && strings.EqualFold(text[:len("acemq:")], "acemq:") {
		name, rest, _ := strings.Cut(text[len("acemq:"):], " ")
		r.report(diag.MarkerSpaced, c.Pos(), "write "+strings.TrimSpace(marker.Prefix+strings.ToLower(name)+" "+rest),
			"this comment is no marker: a marker starts with %s, in lower case and without a blank", marker.Prefix)
		r.spoiled(at)
		return
	}
	found := directive.FindStringSubmatch(c.Text)
	if found == nil {
		return
	}
	_, ours := diag.Nearest(found[1], []string{"acemq"})
	if name, known := diag.Nearest(found[2], sortedKeys(registry)); ours && known {
		r.report(diag.MarkerUnknown, c.Pos(), "did you mean "+marker.Prefix+name+"?",
			"there is no marker //%s:%s", found[1], found[2])
		r.spoiled(at)
	}
}

// marker reads one marker and attaches it to its type.
func (r *reader) marker(c *ast.Comment, at place) {
	m, err := marker.Parse(c.Text)
	keys, known := registry[m.Name]
	if !known {
		r.report(diag.MarkerUnknown, c.Pos(), suggest(marker.Prefix, m.Name, sortedKeys(registry)),
			"there is no marker %s%s", marker.Prefix, m.Name)
		r.spoiled(at)
		return
	}
	var syntax *marker.SyntaxError
	if errors.As(err, &syntax) {
		r.report(diag.MarkerMalformed, c.Pos()+token.Pos(syntax.Offset),
			`write `+marker.Prefix+examples[m.Name]+`, with quotes around a value that has blanks`,
			"the marker cannot be read: %s", syntax.Message)
	}
	msg, fine := r.arguments(c, m, keys)
	if m.Name != "message" {
		r.sideMarker(c, m, at, msg)
		return
	}
	if r.misplaced(c, at) {
		return
	}
	if !fine || err != nil {
		msg.logical = model.Unread
	}
	msg.pos = r.pkg.Pos(c.Pos())
	r.mark(at.spec, msg)
}

// spoiled takes a type for marked whose marker was reported, so that its uses are not reported as well.
func (r *reader) spoiled(at place) {
	if at.spec != nil && at.spec.Assign == token.NoPos && r.isStruct(at.spec) {
		r.mark(at.spec, message{logical: model.Unread, version: 1})
	}
}

// suggest is the help for a word that does not exist: the one it was meant to be, or all there are.
func suggest(prefix, word string, words []string) string {
	if near, found := diag.Nearest(strings.ToLower(word), words); found {
		return "did you mean " + prefix + near + "?"
	}
	return "there is: " + prefix + strings.Join(words, ", "+prefix)
}

// arguments reads the keys of a marker. It reports false where one of them is wrong.
func (r *reader) arguments(c *ast.Comment, m marker.Marker, keys map[string]setter) (message, bool) {
	msg, fine, seen := message{version: 1}, true, map[string]bool{}
	for _, arg := range m.Args {
		at := c.Pos() + token.Pos(arg.Offset)
		set, known := keys[arg.Key]
		switch {
		case !known:
			r.report(diag.MarkerKey, at, suggest("", arg.Key, sortedKeys(keys)),
				"the marker %s has no key %s", m.Name, arg.Key)
			fine = false
		case seen[arg.Key]:
			r.report(diag.MarkerMalformed, at, "keep one of them", "the key %s is given twice", arg.Key)
			fine = false
		default:
			if err := set(&msg, arg.Value); err != nil {
				r.report(diag.MarkerValue, at, "", "%v", err)
				fine = false
			}
		}
		seen[arg.Key] = true
	}
	return msg, fine
}

// misplaced reports a marker that is not directly above a package-level struct type, or the second one there.
func (r *reader) misplaced(c *ast.Comment, at place) bool {
	help := "put it directly above the struct type of the message"
	if at.spec == nil {
		where := "stands alone"
		if at.what != "" {
			where = "belongs to " + at.what
		}
		r.report(diag.MarkerMisplaced, c.Pos(), help, "the marker %s and marks nothing", where)
		return true
	}
	if r.doubled(c, "message", at) {
		return true
	}
	name := at.spec.Name.Name
	switch {
	case at.spec.Assign.IsValid():
		r.report(diag.MarkerMisplaced, c.Pos(),
			"declare it in flow.go: var _ = flow.Message["+name+`]("`+dotted(name)+`", 1)`,
			"%s is an alias: a marker belongs to the type itself", name)
		return true
	case !r.isStruct(at.spec):
		r.report(diag.MarkerMisplaced, c.Pos(), help, "%s is not a struct type", name)
		return true
	}
	return false
}

// doubled reports the second marker of a name above one type.
func (r *reader) doubled(c *ast.Comment, name string, at place) bool {
	first, again := at.seen[name]
	if !again {
		at.seen[name] = c.Pos()
		return false
	}
	d := r.report(diag.MarkerDoubled, c.Pos(), "keep one of them", "%s is marked twice", at.spec.Name.Name)
	d.Relate(r.pkg.Pos(first), "the first marker")
	return true
}

// isStruct reports whether a type is a struct, or may become one where it does not compile.
func (r *reader) isStruct(spec *ast.TypeSpec) bool {
	obj := r.pkg.Info.Defs[spec.Name]
	if obj == nil || obj.Type() == nil {
		return true
	}
	under := obj.Type().Underlying()
	_, is := under.(*types.Struct)
	return is || under == types.Typ[types.Invalid]
}

// mark records a marked type. An instance of a generic one becomes a message where it is used.
func (r *reader) mark(spec *ast.TypeSpec, msg message) {
	obj, is := r.pkg.Info.Defs[spec.Name].(*types.TypeName)
	if !is {
		return
	}
	if msg.logical == "" {
		msg.logical = dotted(obj.Name())
	}
	r.marked[obj] = msg
	if spec.TypeParams == nil {
		r.addMessage(model.Type{Path: r.pkg.Path, Package: r.pkg.Name, Name: obj.Name()}, msg)
	}
}

func (r *reader) addMessage(t model.Type, msg message) {
	m := model.Message{Pos: msg.pos, Go: t, Type: msg.logical, Version: msg.version}
	r.flow.Messages = append(r.flow.Messages, m)
	r.named[t] = true
}
