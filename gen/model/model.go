// Package model is a message flow as plain data: what gen/read makes of a flow.go, what gen/check judges and what
// gen/emit prints. It knows no syntax tree and no code printer. Slices keep the order of the source; every node has
// its position.
package model

import "time"

// Flow is the flow that one package declares.
type Flow struct {
	Package    Package
	Messages   []Message // the messages of the package, and those of others that the flow uses
	Exchanges  []Exchange
	Publishes  []Publish
	Consumes   []Consume
	Dispatches []Dispatch
	Pipelines  []Pipeline
	Slips      []Slip
	Ordered    []Ordered
	Sagas      []Saga
	Requests   []Request
}

// Package is the Go package that holds the flow.
type Package struct {
	Name   string
	Path   string
	Doc    string         // its doc comment
	Module string         // the path of its module; "" outside of one
	Dir    string         // absolute
	Scope  map[string]Pos // the package-level names that the user declared, generated files left out
	Files  map[string]Pos // the names that imports bring into a user's file; Go allows no package-level name beside them

	NoSchemas bool // the flow has no schemas and no samples
}

// Type is a Go type by name. It is comparable.
type Type struct {
	Path    string // the import path of its package
	Package string // the name of its package
	Name    string // its name; types of other packages among its arguments carry their path: "Page[example.com/ext.Order]"
}

// Message is a message type, marked with //acemq:message or named by flow.Message.
type Message struct {
	Pos     Pos
	Go      Type
	Type    string // the logical type on the wire: "order.placed"
	Version int
}

// Unread stands in a flow for a text that could not be read. What is wrong with it was reported where it was read.
const Unread = "\x00"

// Decl is what every declaration of flow.go has.
type Decl struct {
	Pos  Pos    // of the call
	Name string // the variable's name, or one made from the broker name where the variable is blank
	Doc  string // the variable's doc comment, without markers
}

// Ref is the use of another declaration by its variable.
type Ref struct {
	Pos  Pos
	Name string // the Decl.Name of what is used, or Unread; "" is the default exchange
}

// Exchange is a flow.Topic, Direct, Fanout or Headers.
type Exchange struct {
	Decl
	Broker   string // the exchange's name on the broker
	Kind     string // "topic", "direct", "fanout", "headers"
	External bool
	Options  []Option
}

// Publish is a flow.Publish.
type Publish struct {
	Decl
	Message     Type // the zero Type where it cannot be read
	MessagePos  Pos
	Exchange    Ref
	Key         string // with {Field} in place
	KeyPos      Pos
	Fields      []KeyField // what fills the key, in the order of the key
	Optional    bool
	Transient   bool
	Expires     time.Duration
	Priority    int
	Outbox      bool
	Schedulable bool
	Options     []Option
}

// KeyField is a field of a message that fills a part of a routing key.
type KeyField struct {
	Name   string
	Kind   FieldKind
	Reason string // why it is an InvalidField: "OrderPlaced has no field Regoin"
	Near   string // a field of nearly that name, where there is one
}

// Option is an option as it was written. What it means is in the declaration; this is for judging it.
type Option struct {
	Pos    Pos
	Name   string // the function of runtime/flow: "Prefetch"
	Number int64  // its argument: a count, or a time in nanoseconds; 0 where it takes neither
}

// FieldKind says how a field becomes text.
type FieldKind int

// The kinds of a key field.
const (
	InvalidField  FieldKind = iota // missing, or of a type that has no text
	StringField                    // string
	NamedString                    // a named string type: string(m.F)
	SignedField                    // an integer type: strconv.FormatInt(int64(m.F), 10)
	UnsignedField                  // strconv.FormatUint(uint64(m.F), 10)
	StringerField                  // m.F.String()
)

// DefaultLease is how long an idempotent handler is waited for where flow.Idempotent says 0.
const DefaultLease = 5 * time.Minute

// Queue is what a declaration says of a queue and its consumer.
type Queue struct {
	Broker           string // the queue's name on the broker
	BrokerPos        Pos
	External         bool
	Classic          bool
	TTL              time.Duration
	MaxLength        int64
	SingleActive     bool
	Bindings         []Binding
	Retry            *Retry // nil where none is declared
	RetryDelay       time.Duration
	RequeueOnFailure bool
	Prefetch         int           // 0 where none is declared
	Concurrency      int           // 0 where none is declared
	Idempotent       time.Duration // the lease; 0 where the consumer is not idempotent
	Options          []Option
}

// Binding is a flow.From or a flow.Bind.
type Binding struct {
	Pos         Pos
	Publication *Ref     // of flow.From
	Exchange    Ref      // of flow.Bind; of the publication otherwise
	Keys        []string // of flow.Bind; the pattern of the publication's key otherwise
}

// Retry is a retry policy as it was written.
type Retry struct {
	Pos         Pos
	Constructor string // "NoRetry", "Fixed", "Exponential"
	Attempts    int
	Initial     time.Duration
	Limit       time.Duration
	GiveUpAfter *time.Duration
	BrokerFrom  *time.Duration
	Jitter      *float64
}

// Consume is a flow.Consume.
type Consume struct {
	Decl
	Message    Type // the zero Type where it cannot be read
	MessagePos Pos
	Queue      Queue
}

// Dispatch is a flow.Dispatch.
type Dispatch struct {
	Decl
	Queue Queue
	Cases []Case
}

// Case is a flow.Case: a message type that a dispatcher takes.
type Case struct {
	Pos     Pos
	Message Type // the zero Type where it cannot be read
}
