package model

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// The names of generated code are decided in this package and nowhere else: gen/check looks for collisions among them
// and gen/emit prints them.

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
	Record      string // the function of an outbox: "PlacedRecord"; "" where none is declared
}

// Names returns the names generated for p.
func (p *Publish) Names() PublishNames {
	api := Exported(p.Name)
	names := PublishNames{
		Publisher:   api + "Publisher",
		Constructor: "New" + api + "Publisher",
		Route:       Unexported(p.Name) + "Route",
	}
	if p.Outbox {
		names.Record = api + "Record"
	}
	return names
}

// all returns the names without gaps.
func (n PublishNames) all() []string {
	names := []string{n.Publisher, n.Constructor, n.Route}
	if n.Record != "" {
		names = append(names, n.Record)
	}
	return names
}

// ConsumeNames are the names generated for a Consume.
type ConsumeNames struct {
	Consume string // the function: "ConsumeBilling"
	Queue   string // the variable: "billingQueue"
	Replay  string // the function: "ReplayBilling"
}

// Names returns the names generated for c.
func (c *Consume) Names() ConsumeNames {
	api := Exported(c.Name)
	return ConsumeNames{Consume: "Consume" + api, Queue: Unexported(c.Name) + "Queue", Replay: "Replay" + api}
}

// DispatchNames are the names generated for a Dispatch.
type DispatchNames struct {
	Handler string   // the interface: "AuditHandler"
	Methods []string // of the interface, one a case and in the order of the cases: "OrderPlaced"
	Consume string   // the function: "ConsumeAudit"
	Queue   string   // the variable: "auditQueue"
	Replay  string   // the function for messages of every type: "ReplayAudit"
}

// Names returns the names generated for d.
func (d *Dispatch) Names() DispatchNames {
	api := Exported(d.Name)
	taken := make([]Type, len(d.Cases))
	for i, c := range d.Cases {
		taken[i] = c.Message
	}
	return DispatchNames{
		Handler: api + "Handler",
		Methods: typeNames(taken),
		Consume: "Consume" + api,
		Queue:   Unexported(d.Name) + "Queue",
		Replay:  "Replay" + api,
	}
}

// ReplayCase returns the name of the function that replays the messages of one case: "ReplayAuditOrderPlaced".
func (n DispatchNames) ReplayCase(i int) string { return n.Replay + n.Methods[i] }

// all returns the names of the package.
func (n DispatchNames) all() []string {
	names := []string{n.Handler, n.Consume, n.Queue, n.Replay}
	for _, i := range distinct(n.Methods) {
		names = append(names, n.ReplayCase(i))
	}
	return names
}

// typeNames names types for a part of a name each. Types of one name are told apart by their packages: by the package's
// name, and by as many more elements of the import path as that takes. Types that nothing tells apart share a name,
// which gen/check refuses.
func typeNames(types []Type) []string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = typeName(t, 0)
		for depth := range strings.Count(t.Path, "/") + 2 {
			if !ambiguous(types, t, depth) {
				names[i] = typeName(t, depth)
				break
			}
		}
	}
	return names
}

// ambiguous reports whether another of the types has the name of t at that depth.
func ambiguous(types []Type, t Type, depth int) bool {
	for _, other := range types {
		if other != t && typeName(other, depth) == typeName(t, depth) {
			return true
		}
	}
	return false
}

// typeName returns the exported name of t, with depth elements of its package before it.
func typeName(t Type, depth int) string {
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
	if len(runes) > 0 && unicode.IsUpper(runes[0]) { // a few letters have no lower case
		return "x" + string(runes)
	}
	return string(runes)
}
