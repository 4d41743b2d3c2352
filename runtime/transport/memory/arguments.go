package memory

import (
	"fmt"
	"math"
	"time"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// settings are the arguments of a queue, read.
type settings struct {
	quorum       bool
	ttl          time.Duration // negative: messages stay for ever
	expires      time.Duration // the queue goes when it was unused so long; 0: never
	maxLength    int64         // negative: no limit
	maxBytes     int64         // negative: no limit
	overflow     string
	deadLetter   bool // there is a dead-letter exchange; its name may be empty
	dlx          string
	dlKey        string // empty: the message keeps its own
	singleActive bool
	limit        int64 // of failed deliveries; negative: none
	maxPriority  uint8
	timeout      time.Duration // consumer timeout; 0: that of the broker
}

const (
	dropHead         = "drop-head"
	rejectPublish    = "reject-publish"
	rejectPublishDLX = "reject-publish-dlx"
)

// defaultLimit is the delivery limit of quorum queues from RabbitMQ 4.0.
const defaultLimit = 20

// argumentReader reads arguments and keeps the first fault.
type argumentReader struct {
	arguments wire.Table
	fault     error
}

// readSettings reads the arguments of a queue, and says which one RabbitMQ would refuse. Arguments that it does not
// know have no effect.
func readSettings(arguments wire.Table, c config) (settings, error) {
	r := &argumentReader{arguments: arguments}
	kind := r.word("x-queue-type", "classic", "quorum")
	s := settings{
		quorum:       kind == "quorum",
		ttl:          r.milliseconds("x-message-ttl", 0, -1),
		expires:      r.milliseconds("x-expires", 1, 0),
		maxLength:    r.number("x-max-length", -1, 0, math.MaxInt64),
		maxBytes:     r.number("x-max-length-bytes", -1, 0, math.MaxInt64),
		overflow:     r.word("x-overflow", dropHead, rejectPublish, rejectPublishDLX),
		deadLetter:   r.has("x-dead-letter-exchange"),
		dlx:          r.text("x-dead-letter-exchange"),
		dlKey:        r.text("x-dead-letter-routing-key"),
		singleActive: r.truth("x-single-active-consumer"),
		limit:        r.number("x-delivery-limit", -1, -1, math.MaxInt64),
		maxPriority:  uint8(r.number("x-max-priority", 0, 1, math.MaxUint8)),
		timeout:      r.milliseconds("x-consumer-timeout", 0, 0),
	}
	r.word("x-dead-letter-strategy", "at-most-once")
	if s.quorum && !r.has("x-delivery-limit") && c.atLeast(4, 0) {
		s.limit = defaultLimit
	}
	switch {
	case r.has("x-dead-letter-routing-key") && !s.deadLetter:
		r.fail("x-dead-letter-routing-key", "has no effect without x-dead-letter-exchange")
	case s.quorum && r.has("x-max-priority"):
		r.fail("x-max-priority", "is not for quorum queues")
	case s.quorum && s.overflow == rejectPublishDLX:
		r.fail("x-overflow", "is not for quorum queues when it is "+rejectPublishDLX)
	case !s.quorum && r.has("x-delivery-limit"):
		r.fail("x-delivery-limit", "is for quorum queues only")
	}
	return s, r.fault
}

func (r *argumentReader) has(name string) bool {
	_, found := r.arguments[name]
	return found
}

func (r *argumentReader) fail(name, why string) {
	if r.fault == nil {
		r.fault = fmt.Errorf("the argument %s %s", name, why)
	}
}

func (r *argumentReader) text(name string) string {
	value, found := r.arguments[name]
	s, ok := value.(string)
	if found && !ok {
		r.fail(name, fmt.Sprintf("is a %T, and a string is wanted", value))
	}
	return s
}

// word reads one of a set of words; without the argument, the first.
func (r *argumentReader) word(name string, known ...string) string {
	if !r.has(name) {
		return known[0]
	}
	s := r.text(name)
	for _, k := range known {
		if s == k {
			return s
		}
	}
	r.fail(name, fmt.Sprintf("is %q, and the memory broker knows %q", s, known))
	return known[0]
}

func (r *argumentReader) truth(name string) bool {
	value, found := r.arguments[name]
	b, ok := value.(bool)
	if found && !ok {
		r.fail(name, fmt.Sprintf("is a %T, and a bool is wanted", value))
	}
	return b
}

// number reads a whole number of any width.
func (r *argumentReader) number(name string, absent, low, high int64) int64 {
	value, found := r.arguments[name]
	if !found {
		return absent
	}
	n, ok := wide(value).(int64)
	if !ok {
		r.fail(name, fmt.Sprintf("is a %T, and a whole number is wanted", value))
		return absent
	}
	if n < low || n > high {
		r.fail(name, fmt.Sprintf("is %d, and %d to %d is wanted", n, low, high))
		return absent
	}
	return n
}

// milliseconds reads a time of low milliseconds or more.
func (r *argumentReader) milliseconds(name string, low int64, absent time.Duration) time.Duration {
	ms := r.number(name, -1, low, math.MaxUint32)
	if ms < 0 {
		return absent
	}
	return time.Duration(ms) * time.Millisecond
}

// wide returns a number as an int64, and anything else as it is: brokers compare numbers whatever their width.
func wide(value any) any {
	switch v := value.(type) {
	case int8:
		return int64(v)
	case int16:
		return int64(v)
	case int32:
		return int64(v)
	case uint8:
		return int64(v)
	case uint16:
		return int64(v)
	case uint32:
		return int64(v)
	}
	return value
}

// difference says, in the words of RabbitMQ, how the arguments of a declaration differ from those of the queue. It is
// empty when they do not.
func difference(queue string, current, received wire.Table) string {
	for _, names := range []wire.Table{current, received} {
		for name := range names {
			now, asked := argument(current, name), argument(received, name)
			if !sameValue(now, asked) {
				return fmt.Sprintf("inequivalent arg '%s' for queue '%s': received %s but current is %s",
					name, queue, inWords(asked), inWords(now))
			}
		}
	}
	return ""
}

// argument returns an argument to be compared. A queue without a type is classic.
func argument(arguments wire.Table, name string) any {
	value, found := arguments[name]
	if !found && name == "x-queue-type" {
		return "classic"
	}
	return wide(value)
}

func inWords(value any) string {
	if value == nil {
		return "none"
	}
	return fmt.Sprintf("'%v'", value)
}
