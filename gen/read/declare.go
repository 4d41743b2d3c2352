package read

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
)

// declaredSpec is a declaration as it stands in the source: a variable and its call.
type declaredSpec struct {
	variable *ast.Ident
	doc      string
	call     call
}

// rank orders declarations so that each comes after those it may refer to.
func (d declaredSpec) rank() int {
	switch d.call.function {
	case "Topic", "Direct", "Fanout", "Headers":
		return 0
	case "Publish":
		return 1
	}
	return 2
}

// constructs are the functions of runtime/flow that declare something.
var constructs = map[string]func(*reader, declaredSpec){
	"Topic":    (*reader).exchange,
	"Direct":   (*reader).exchange,
	"Fanout":   (*reader).exchange,
	"Headers":  (*reader).exchange,
	"Publish":  (*reader).publish,
	"Consume":  (*reader).consumer,
	"Dispatch": (*reader).dispatch,
	"Message":  func(*reader, declaredSpec) {}, // see foreignMessages
	"Pipeline": (*reader).pipeline,
	"Slip":     (*reader).slip,
	"Ordered":  (*reader).ordered,
	"Saga":     (*reader).saga,
	"Request":  (*reader).request,
}

// findDeclarations finds the package-level variables whose values are declarations, in the order of the source.
func (r *reader) findDeclarations() []declaredSpec {
	var found []declaredSpec
	for _, file := range r.pkg.Files {
		for _, decl := range file.Decls {
			gen, is := decl.(*ast.GenDecl)
			if !is || gen.Tok != token.VAR {
				continue
			}
			for _, spec := range gen.Specs {
				found = append(found, r.declarationsOf(gen, spec.(*ast.ValueSpec))...)
			}
		}
	}
	return found
}

// declarationsOf finds the declarations among the values of one var.
func (r *reader) declarationsOf(gen *ast.GenDecl, spec *ast.ValueSpec) []declaredSpec {
	doc := spec.Doc
	if !gen.Lparen.IsValid() {
		doc = gen.Doc
	}
	var found []declaredSpec
	for i, value := range spec.Values {
		c, is := r.callOf(value)
		if _, declares := constructs[c.function]; !is || !declares || i >= len(spec.Names) {
			continue
		}
		r.consume(value)
		r.ranges = append(r.ranges, span{spec.Pos(), spec.End()})
		found = append(found, declaredSpec{spec.Names[i], strings.TrimSpace(doc.Text()), c})
	}
	return found
}

// register makes a declaration known to those that refer to its variable.
func (r *reader) register(d declaredSpec) {
	if obj := r.pkg.Info.Defs[d.variable]; obj != nil && d.variable.Name != "_" {
		r.declared[obj] = declaration{d.call.function, d.variable.Name}
	}
}

func (r *reader) declare(d declaredSpec) { constructs[d.call.function](r, d) }

func (r *reader) exchange(d declaredSpec) {
	e := model.Exchange{Broker: r.text(d.call, 0), Kind: strings.ToLower(d.call.function)}
	e.Decl = r.decl(d, model.Identifier(e.Broker))
	for _, o := range r.options(d.call, 1) {
		switch o.function {
		case "External":
			e.External = true
		default:
			r.wrongOption(d.call, o)
		}
		e.Options = append(e.Options, model.Option{Pos: r.pkg.Pos(o.Pos()), Name: o.function})
	}
	r.flow.Exchanges = append(r.flow.Exchanges, e)
}

func (r *reader) publish(d declaredSpec) {
	p := model.Publish{Exchange: r.exchangeRef(d.call, 0), Key: r.text(d.call, 1), KeyPos: r.pkg.Pos(d.call.at(1))}
	name := model.KeyIdentifier(p.Key)
	if exchange, known := r.flow.Exchange(p.Exchange); name == "" && known {
		name = model.Identifier(exchange.Broker)
	}
	p.Decl = r.decl(d, name)
	t, at := r.typeArg(d.call, 0)
	p.MessagePos = r.pkg.Pos(at)
	if message, fine := r.messageType(d.call, 0); fine {
		p.Message = message
		p.Fields = r.keyFields(p.Key, t, message)
	}
	for _, o := range r.options(d.call, 2) {
		r.publishOption(&p, d.call, o)
	}
	r.flow.Publishes = append(r.flow.Publishes, p)
}

func (r *reader) consumer(d declaredSpec) {
	c := model.Consume{Queue: r.queue(d)}
	c.Decl = r.decl(d, model.Identifier(c.Queue.Broker))
	message := r.messageCase(d.call, 0)
	c.Message, c.MessagePos = message.Message, message.Pos
	for _, o := range r.options(d.call, 1) {
		r.queueOption(&c.Queue, d.call, o)
	}
	r.flow.Consumes = append(r.flow.Consumes, c)
}

func (r *reader) dispatch(d declaredSpec) {
	out := model.Dispatch{Queue: r.queue(d)}
	out.Decl = r.decl(d, model.Identifier(out.Queue.Broker))
	for _, o := range r.options(d.call, 1) {
		if o.function != "Case" {
			r.queueOption(&out.Queue, d.call, o)
			continue
		}
		out.Cases = append(out.Cases, r.messageCase(o, 0))
	}
	r.flow.Dispatches = append(r.flow.Dispatches, out)
}

// messageCase returns the message that is a type argument of c, and where it stands.
func (r *reader) messageCase(c call, i int) model.Case {
	_, at := r.typeArg(c, i)
	message, _ := r.messageType(c, i)
	return model.Case{Pos: r.pkg.Pos(at), Message: message}
}

func (r *reader) queue(d declaredSpec) model.Queue {
	return model.Queue{Broker: r.text(d.call, 0), BrokerPos: r.pkg.Pos(d.call.at(0))}
}

// decl makes what every declaration has. A blank variable is named after what it declares.
func (r *reader) decl(d declaredSpec, fromBroker string) model.Decl {
	name := d.variable.Name
	if name == "_" {
		name = fromBroker
		if name == "" && !r.failsIn(d.call) && !r.reportedIn(d.call) {
			r.report(diag.Nameless, d.variable.Pos(), "give the variable a name",
				"this flow.%s has no name: its variable is blank, and there is no letter in what it declares",
				d.call.function)
		}
	}
	return model.Decl{Pos: r.pkg.Pos(d.call.Pos()), Name: name, Doc: d.doc}
}

// exchangeRef reads an argument that is an exchange. A reference that cannot be read names nothing that exists.
func (r *reader) exchangeRef(c call, i int) model.Ref {
	e, given := c.arg(i)
	if !given {
		return model.Ref{Pos: r.pkg.Pos(c.Pos()), Name: model.Unread}
	}
	ref := model.Ref{Pos: r.pkg.Pos(e.Pos()), Name: model.Unread}
	if name := nameOf(e); name != nil {
		obj := r.pkg.Info.Uses[name]
		if obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == flowPath && obj.Name() == "Default" {
			return model.Ref{Pos: ref.Pos}
		}
		switch r.declared[obj].construct {
		case "Topic", "Direct", "Fanout", "Headers":
			ref.Name = r.declared[obj].name
			return ref
		}
	}
	r.notDeclared(e, "an exchange", `declare it in this package: var Events = flow.Topic("events"); `+
		"with flow.External() where another package or service declares it")
	return ref
}

// notDeclared reports an argument that should be a declared variable and is none.
func (r *reader) notDeclared(e ast.Expr, what, help string) {
	if r.failsIn(e) {
		return
	}
	if c, is := r.callOf(e); is {
		r.report(diag.NotDeclared, e.Pos(), help,
			"flow.%s stands inside another declaration: %s is a variable", c.function, what)
		return
	}
	name := nameOf(e)
	if name == nil {
		r.report(diag.NotDeclared, e.Pos(), help, "this is not %s that the flow declares", what)
		return
	}
	d := r.report(diag.NotDeclared, e.Pos(), help, "%s is not %s that this package declares", name.Name, what)
	if obj := r.pkg.Info.Uses[name]; obj != nil && obj.Pkg() == r.pkg.Types && obj.Pos().IsValid() {
		d.Relate(r.pkg.Pos(obj.Pos()), name.Name+" stands here")
	}
}
