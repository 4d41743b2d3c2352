package ordered

import (
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/idempotency"
)

// Option changes how a consumer consumes.
type Option func(*options)

// options are what the options of one consumer say.
type options struct {
	codec      acemq.Codec
	store      idempotency.Store // nil: none
	partitions []int             // nil: all
}

// DecodeWith sets the codec of the consumer. The default is the connection's.
func DecodeWith(codec acemq.Codec) Option { return func(o *options) { o.codec = codec } }

// WithIdempotency sets the store of a consumer whose declaration is Idempotent.
func WithIdempotency(store idempotency.Store) Option { return func(o *options) { o.store = store } }

// Partitions consumes these partitions alone, so that several processes share an ordered queue without taking
// messages from each other. The default is all of them.
func Partitions(partitions ...int) Option {
	return func(o *options) { o.partitions = append([]int{}, partitions...) }
}
