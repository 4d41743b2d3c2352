package acemq

import (
	"context"
	"maps"
	"slices"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// Member is what runs handlers on a connection beside its consumers. It is for the pattern packages: see [Conn.Join].
type Member interface {
	// Stop begins to end the member and returns at once: no further handler starts. It may be repeated.
	Stop()

	// Drain waits until a member that was stopped has ended. When ctx ends first, it cuts the rest off and returns what
	// was late.
	Drain(ctx context.Context) *DrainTimeoutError
}

// Join has Close stop and drain m together with the consumers, under the one drain timeout. handlers is the context for
// the handlers of m, which has the values of ctx and not its end: with it, Close only begins. leave takes m out again,
// once it has ended. A connection that is closed takes no members.
func (c *Conn) Join(ctx context.Context, m Member) (handlers context.Context, leave func(), err error) {
	j := joined{m}
	if err := c.add(j); err != nil {
		return nil, nil, err
	}
	return withHandler(ctx, c, j), func() { c.remove(j) }, nil
}

// member is a consumer, or what has joined.
type member interface {
	Stop()
	drain(ctx context.Context) *DrainTimeoutError
}

type joined struct{ Member }

func (j joined) drain(ctx context.Context) *DrainTimeoutError { return j.Drain(ctx) }

// handlerKey is the key of the handler in its context.
type handlerKey struct{}

// owner is whose handler a context belongs to. The zero owner is nobody.
type owner struct {
	conn   *Conn
	member member
}

// withHandler returns the context for the handlers of a member: the values of ctx without its end.
func withHandler(ctx context.Context, c *Conn, m member) context.Context {
	return context.WithValue(context.WithoutCancel(ctx), handlerKey{}, owner{c, m})
}

// handlerOf returns whose handler ctx belongs to.
func handlerOf(ctx context.Context) owner {
	o, _ := ctx.Value(handlerKey{}).(owner)
	return o
}

// InHandlerOf reports whether ctx belongs to a handler of m, which has joined a connection. Such a handler cannot wait
// for the end of m.
func InHandlerOf(ctx context.Context, m Member) bool {
	return handlerOf(ctx).member == member(joined{m})
}

// add takes a member into the list of those that Close drains.
func (c *Conn) add(m member) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.members == nil {
		return transport.ErrClosed
	}
	c.members[m] = struct{}{}
	return nil
}

func (c *Conn) remove(m member) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.members, m)
}

// shut takes no further members, and returns those that are there.
func (c *Conn) shut() []member {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := slices.Collect(maps.Keys(c.members))
	c.members = nil
	return list
}
