package request

import (
	"context"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Client asks requests of one declaration. It may be used concurrently.
//
// All clients of a connection share one reply queue, which is made by the first call and deleted when the connection
// is closed. A client costs nothing and needs no closing.
type Client[Q, R any] struct {
	conn        *acemq.Conn
	declaration Declaration[Q, R]
	publisher   *acemq.Publisher[Q]
}

// NewClient returns a client on conn.
func NewClient[Q, R any](conn *acemq.Conn, d Declaration[Q, R]) *Client[Q, R] {
	return &Client[Q, R]{conn: conn, declaration: d, publisher: acemq.NewPublisher(conn, acemq.Route[Q]{
		Key:     d.Queue.Name,
		Type:    d.Request.Type,
		Version: d.Request.Version,
		Codec:   d.Codec,
	})}
}

// Call asks q and returns the answer. It waits until the deadline of ctx or, where there is none, for the timeout of
// the declaration, 30 s by default. The request expires then too: one that no server took by then goes to {queue}.dlq
// and is not handled for nobody.
//
// A [*FailedError] is a server's word that it failed. A [*NoAnswerError] says that no answer came: the request may have
// been handled or not. It is context.DeadlineExceeded after the time was up, the cause of ctx where the caller gave up,
// and transport.ErrClosed where the connection was closed. A request that did not reach its queue has the outcome of a
// [acemq.Publisher]: [*acemq.UnroutableError], [*acemq.NackedError] or [*acemq.RefusedError]. While a connection is
// lost and made again, calls go on waiting: their replies wait in the reply queue.
//
// The correlation of the request is its own id, whatever the options say, because not every server of the family
// answers to another one (contract: request and reply, pairing). The causation of acemq.CausedBy stays. An interceptor
// that gives the request another id or correlation has its answer find nobody.
func (c *Client[Q, R]) Call(ctx context.Context, q Q, opts ...acemq.PublishOption) (R, error) {
	began := time.Now()
	var r R
	o, err := c.publisher.Prepare(q, opts...)
	if err == nil {
		r, err = c.ask(ctx, o)
	}
	deskOf(c.conn).tally.note(err)
	c.observe(ctx, o, time.Since(began), err)
	return r, err
}

// ask sends a request and waits for the answer.
func (c *Client[Q, R]) ask(ctx context.Context, o acemq.Outgoing) (r R, err error) {
	ctx, cancel, err := c.declaration.bound(ctx)
	if err != nil {
		return r, refused(o, err)
	}
	defer cancel()
	desk := deskOf(c.conn)
	box, err := desk.open(ctx, c.conn)
	if err != nil {
		return r, refused(o, err)
	}
	replies, stop, err := desk.wait(o.Envelope.ID)
	if err != nil {
		return r, refused(o, err)
	}
	defer stop()
	sent, err := c.conn.SendAsync(ctx, asking(ctx, o, box.queue))
	if err != nil {
		return r, err
	}
	w := wait{queue: o.Key, id: o.Envelope.ID, replies: replies, sent: sent, ended: box.ended}
	reply, err := w.reply(ctx)
	if err != nil {
		return r, err
	}
	return read[R](w, reply, c.declaration.codec(c.conn))
}

// asking returns o as a request that is answered to a reply queue, and expires when ctx ends.
func asking(ctx context.Context, o acemq.Outgoing, queue string) acemq.Outgoing {
	o.Envelope.Correlation = o.Envelope.ID
	o.ReplyTo = queue
	if deadline, bounded := ctx.Deadline(); bounded {
		o.Expires = min(max(time.Until(deadline), time.Millisecond), wire.MaxTTL)
	}
	return o
}

// refused says that a request was not sent.
func refused(o acemq.Outgoing, cause error) error {
	e := acemq.RefusedError{Cause: cause}
	e.Exchange, e.Key, e.MessageID = o.Exchange, o.Key, o.Envelope.ID
	return &e
}
