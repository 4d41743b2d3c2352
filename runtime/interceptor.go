package acemq

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// Interceptor is what happens around every message of a connection: a tenant header, an audit trail, a policy check. It
// has six places, and a nil one does nothing. [WithInterceptor] and [Conn.Intercept] install it.
//
// The package documentation has a table of what may be changed in each place, and of what an error or a panic does
// there. Places run concurrently, in the goroutines of publishers and handlers; what they take, the message takes.
type Interceptor struct {
	// Name is what errors and logs call it.
	Name string

	// Order is its place among the others: smaller ones run first, equal ones as they were installed. AfterHandle and
	// HandleFailed run in the reverse order, so that what began first ends last.
	Order int

	// BeforePublish runs before a message is written. It may change the envelope and the application's headers. The
	// context that it returns is that of the places after it, without its end for AfterConfirm and PublishFailed; nil
	// stands for ctx. An error refuses the message, which is not written.
	BeforePublish func(ctx context.Context, m *PublishedMessage) (context.Context, error)

	// AfterConfirm runs once the broker has confirmed a message and, unless its route is Optional, put it into a queue.
	// An error is logged.
	AfterConfirm func(ctx context.Context, m *PublishedMessage) error

	// PublishFailed runs where a message that no interceptor refused was not confirmed; err is the outcome of the
	// publish. An error is logged.
	PublishFailed func(ctx context.Context, m *PublishedMessage, err error) error

	// BeforeHandle runs before a handler, on a message that can be decoded and that nobody has handled. Its message is a
	// copy: no change reaches the handler. The context that it returns is that of the handler and of the places after it,
	// without its end for AfterHandle and HandleFailed; nil stands for ctx. An error dead-letters the message at once.
	BeforeHandle func(ctx context.Context, m *Message[[]byte]) (context.Context, error)

	// AfterHandle runs after a handler, whatever it answered and before the message is settled. An error is logged.
	AfterHandle func(ctx context.Context, m *Message[[]byte], ack Ack) error

	// HandleFailed runs before AfterHandle where the handler did not accept the message and does not release it: it
	// retries, gives up, panics. err is why, and never nil. An error is logged.
	HandleFailed func(ctx context.Context, m *Message[[]byte], err error) error
}

// PublishedMessage is a message on its way to the broker, as interceptors see it. The envelope and the headers may be
// changed in BeforePublish.
type PublishedMessage struct {
	Envelope Envelope // complete; what is emptied is completed again
	Headers  Headers  // the application's, in a table of their own; a reserved name among them is refused

	message transport.Message // without its headers
}

// Exchange returns the exchange that the message is published to, "" for the default exchange.
func (m *PublishedMessage) Exchange() string { return m.message.Exchange }

// RoutingKey returns the routing key.
func (m *PublishedMessage) RoutingKey() string { return m.message.Key }

// Body returns a copy of the encoded body.
func (m *PublishedMessage) Body() []byte { return bytes.Clone(m.message.Body) }

// ContentType returns the content type of the body.
func (m *PublishedMessage) ContentType() string { return m.message.ContentType }

// InterceptorError says that an interceptor refused a message, or failed before it could let it pass. A publisher
// returns it inside a [*RefusedError].
type InterceptorError struct {
	Interceptor string // its name, empty where it has none
	Cause       error
}

func (e *InterceptorError) Error() string {
	if e.Interceptor == "" {
		return fmt.Sprintf("an interceptor refused it: %v", e.Cause)
	}
	return fmt.Sprintf("the interceptor %q refused it: %v", e.Interceptor, e.Cause)
}

// Unwrap returns the cause.
func (e *InterceptorError) Unwrap() error { return e.Cause }

// WithInterceptor installs interceptors on the connection from its beginning.
func WithInterceptor(list ...Interceptor) DialOption {
	return func(s *settings) error {
		s.interceptors = append(s.interceptors, list...)
		return nil
	}
}

// Intercept installs interceptors beside those that are there. Publishers and consumers that were made before take part:
// each publish, and each delivery, runs through the interceptors that were installed when it began. It may be called
// concurrently.
func (c *Conn) Intercept(list ...Interceptor) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var before []Interceptor
	if old := c.chain.Load(); old != nil {
		before = old.list
	}
	c.chain.Store(newChain(c, slices.Concat(before, list)))
}

// newChain returns the chain of a list, nil where it would do nothing.
func newChain(c *Conn, list []Interceptor) *chain {
	if len(list) == 0 && len(c.settings.observers) == 0 {
		return nil
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Interceptor) int { return cmp.Compare(a.Order, b.Order) })
	return &chain{conn: c, list: list}
}
