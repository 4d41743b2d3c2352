package acemq

import "reflect"

// Attached returns the V of a connection: a zero V for the first caller, the same one for all others. It is how a
// pattern package keeps counts and the like for each connection, in an unexported type of its own. It may be called
// concurrently.
func Attached[V any](c *Conn) *V {
	key := reflect.TypeFor[V]()
	if v, found := c.attached.Load(key); found {
		return v.(*V)
	}
	v, _ := c.attached.LoadOrStore(key, new(V))
	return v.(*V)
}
