package model

import (
	"time"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// Ordered is a flow.Ordered.
type Ordered struct {
	Decl
	Broker        string // the name of the ordered queue
	BrokerPos     Pos
	Partitions    int
	PartitionsPos Pos
	Message       Type // the zero Type where it cannot be read
	MessagePos    Pos
	Key           Function
	Failure       Failure
	Partitioner   *wire.Partitioner // nil where none is declared
	SingleActive  bool
	Idempotent    time.Duration // the lease; 0 where the consumer is not idempotent
	Options       []Option
}

// Function is a named function, or a method as a function of its receiver.
type Function struct {
	Pos    Pos
	Of     Type   // the function, spelled as types are; or the receiver of the method
	Method string // "" for a function
}

// Failure is a flow.OnFailure. The zero Failure is none.
type Failure struct {
	Pos      Pos
	Mode     string // "Halt", "RetryInPlace", "Skip"
	Attempts int
	Delay    time.Duration
}

// PartitionedBy returns the partitioner, which is that of .NET where none is declared.
func (o *Ordered) PartitionedBy() wire.Partitioner {
	if o.Partitioner == nil {
		return wire.DotNet
	}
	return *o.Partitioner
}

// Queue returns the queue of a partition.
func (o *Ordered) Queue(partition int) string {
	return o.PartitionedBy().PartitionQueue(o.Broker, partition)
}

// OrderedNames are the names generated for an Ordered.
type OrderedNames struct {
	Publisher   string // the type: "LedgerPublisher"
	Constructor string // the function: "NewLedgerPublisher"
	Consume     string // the function: "ConsumeLedger"
	Route       string // the variable: "ledgerRoute"
}

// Names returns the names generated for o.
func (o *Ordered) Names() OrderedNames {
	api := Exported(o.Name)
	return OrderedNames{
		Publisher:   api + "Publisher",
		Constructor: "New" + api + "Publisher",
		Consume:     "Consume" + api,
		Route:       Unexported(o.Name) + "Route",
	}
}
