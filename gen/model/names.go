package model

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// The names of generated code are decided in this file and nowhere else: gen/check looks for collisions among them and
// gen/emit prints them.

// The functions that every flow gets.
const (
	TopologyFunc = "Topology"
	DeclareFunc  = "Declare"
)

// PublishNames are the names generated for a Publish.
type PublishNames struct {
	Publisher   string // the type: "PlacedPublisher"
	Constructor string // the function: "NewPlacedPublisher"
	Route       string // the variable: "placedRoute"
}

// Names returns the names generated for p.
func (p *Publish) Names() PublishNames {
	api := Exported(p.Name)
	return PublishNames{
		Publisher:   api + "Publisher",
		Constructor: "New" + api + "Publisher",
		Route:       Unexported(p.Name) + "Route",
	}
}

// ConsumeNames are the names generated for a Consume.
type ConsumeNames struct {
	Consume string // the function: "ConsumeBilling"
	Queue   string // the variable: "billingQueue"
}

// Names returns the names generated for c.
func (c *Consume) Names() ConsumeNames {
	return ConsumeNames{Consume: "Consume" + Exported(c.Name), Queue: Unexported(c.Name) + "Queue"}
}

// DispatchNames are the names generated for a Dispatch.
type DispatchNames struct {
	Handler string   // the interface: "AuditHandler"
	Methods []string // of the interface, one a case and in the order of the cases: "OrderPlaced"
	Consume string   // the function: "ConsumeAudit"
	Queue   string   // the variable: "auditQueue"
}

// Names returns the names generated for d.
func (d *Dispatch) Names() DispatchNames {
	api := Exported(d.Name)
	return DispatchNames{
		Handler: api + "Handler",
		Methods: methodNames(d.Cases),
		Consume: "Consume" + api,
		Queue:   Unexported(d.Name) + "Queue",
	}
}

// Generated is a package-level name that generated code declares.
type Generated struct {
	Name string
	Pos  Pos    // of the declaration that it is generated for
	For  string // the variable of that declaration; "" for what every flow gets
}

// Generated returns every package-level name of the code generated for f, in the order of the declarations. A flow
// that declares nothing gets none.
func (f *Flow) Generated() []Generated {
	var all []Generated
	add := func(d Decl, names ...string) {
		for _, name := range names {
			all = append(all, Generated{Name: name, Pos: d.Pos, For: d.Name})
		}
	}
	for i := range f.Publishes {
		n := f.Publishes[i].Names()
		add(f.Publishes[i].Decl, n.Publisher, n.Constructor, n.Route)
	}
	for i := range f.Consumes {
		n := f.Consumes[i].Names()
		add(f.Consumes[i].Decl, n.Consume, n.Queue)
	}
	for i := range f.Dispatches {
		n := f.Dispatches[i].Names()
		add(f.Dispatches[i].Decl, n.Handler, n.Consume, n.Queue)
	}
	if first, found := f.first(); found {
		all = append(all, Generated{Name: TopologyFunc, Pos: first}, Generated{Name: DeclareFunc, Pos: first})
	}
	return all
}

// Empty reports whether f declares nothing that code is generated for. It may have messages.
func (f *Flow) Empty() bool {
	return len(f.Exchanges)+len(f.Publishes)+len(f.Consumes)+len(f.Dispatches) == 0
}

// first returns the position of the first declaration.
func (f *Flow) first() (Pos, bool) {
	var first *Pos
	see := func(d Decl) {
		if first == nil || d.Pos.Compare(*first) < 0 {
			first = &d.Pos
		}
	}
	for _, d := range f.Exchanges {
		see(d.Decl)
	}
	for _, d := range f.Publishes {
		see(d.Decl)
	}
	for _, d := range f.Consumes {
		see(d.Decl)
	}
	for _, d := range f.Dispatches {
		see(d.Decl)
	}
	if first == nil {
		return Pos{}, false
	}
	return *first, true
}

// methodNames names the methods of a dispatcher after its message types. Types of one name are told apart by their
// packages: by the package's name, and by as many more elements of the import path as that takes. Types that nothing
// tells apart share a name, which gen/check refuses.
func methodNames(cases []Case) []string {
	names := make([]string, len(cases))
	for i, c := range cases {
		names[i] = methodName(c.Message, 0)
		for depth := range strings.Count(c.Message.Path, "/") + 2 {
			if !ambiguous(cases, c.Message, depth) {
				names[i] = methodName(c.Message, depth)
				break
			}
		}
	}
	return names
}

// ambiguous reports whether another type of the cases has the method name of t at that depth.
func ambiguous(cases []Case, t Type, depth int) bool {
	for _, c := range cases {
		if c.Message != t && methodName(c.Message, depth) == methodName(t, depth) {
			return true
		}
	}
	return false
}

// methodName returns the exported name of t, with depth elements of its package before it.
func methodName(t Type, depth int) string {
	name := Exported(Identifier(t.String()))
	dir := t.Path
	for i := range depth {
		element := path.Base(dir)
		if i == 0 {
			element = t.Package
		}
		name = Exported(Identifier(element)) + name
		dir = path.Dir(dir)
	}
	return name
}

// KeyIdentifier returns the name of a blank publication with a key: the words of the key, without its fields.
func KeyIdentifier(key string) string {
	fields, err := wire.KeyFields(key)
	if err != nil {
		return Identifier(key)
	}
	for _, field := range fields {
		key = strings.Replace(key, "{"+field+"}", "", 1)
	}
	return Identifier(key)
}

// Identifier makes an exported Go name of text: each run of letters and digits is a word and starts with a capital,
// "billing.orders" becomes "BillingOrders". It returns "" where text has no letter and no digit.
func Identifier(text string) string {
	var name strings.Builder
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for word := range strings.FieldsFuncSeq(text, between) {
		first, size := utf8.DecodeRuneInString(word)
		name.WriteRune(unicode.ToUpper(first))
		name.WriteString(word[size:])
	}
	if name.Len() == 0 {
		return ""
	}
	return Exported(name.String())
}

// Exported returns the exported form of a Go name: "placed" becomes "Placed". A name that has no capital form, as
// "_placed" or one in a script without capitals, gets an X in front.
func Exported(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	if upper := unicode.ToUpper(first); unicode.IsUpper(upper) {
		return string(upper) + name[size:]
	}
	return "X" + name
}

// Unexported returns the unexported form of a Go name: "Placed" becomes "placed" and "HTTPOrders" "httpOrders".
func Unexported(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		inWord := i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if !unicode.IsUpper(r) || inWord {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}
