package request

import (
	"context"
	"errors"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// Client asks requests of one declaration. It may be used concurrently.
//
// All clients of a connection share one reply queue, which is made by the first call and deleted when the connection
// is closed. A client costs nothing and needs no closing.
type Client[Q, R any] struct {
	conn        *acemq.Conn
	declaration Declaration[Q, R]
}

// NewClient returns a client on conn.
func NewClient[Q, R any](conn *acemq.Conn, d Declaration[Q, R]) *Client[Q, R] {
	return &Client[Q, R]{conn: conn, declaration: d}
}

// Call asks q and returns the answer. It waits until the deadline of ctx or, where there is none, for the timeout of
// the declaration, 30 s by default.
//
// A [*FailedError] is a server's word that it failed. A [*NoAnswerError] says that no answer came: the request may have
// been handled or not. It is context.DeadlineExceeded after the time was up, the cause of ctx where the caller gave up,
// and transport.ErrClosed where the connection was closed. A request that did not reach its queue has the outcome of a
// [acemq.Publisher]: [*acemq.UnroutableError], [*acemq.NackedError] or [*acemq.RefusedError].
//
// The correlation of the request is its own id, whatever the options say, because not every server of the family
// answers to another one (contract: request and reply, pairing).
func (c *Client[Q, R]) Call(ctx context.Context, q Q, opts ...acemq.PublishOption) (R, error) {
	var r R
	return r, errors.ErrUnsupported
}
