package acemq

import "time"

// Route says where the messages of one publisher go and what they carry. Generated code has one for each publication.
type Route[T any] struct {
	Exchange string           // "" is the default exchange, whose keys are queue names
	Key      string           // the routing key, with {Field} where a value of the message belongs
	Fields   func(T) []string // the values of the {Field}s of Key, in order; nil where it has none
	Type     string           // the logical type, "order.placed"; empty takes the routing key
	Version  int              // the schema version of the payload, from 1
	Codec    Codec            // nil takes the connection's

	Optional  bool          // may reach no queue at all
	Transient bool          // may be lost when the broker restarts
	Expires   time.Duration // how long a message may wait in a queue; 0 is for ever
	Priority  uint8
}
