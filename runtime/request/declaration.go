package request

import (
	"cmp"
	"context"
	"fmt"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// DefaultTimeout is how long a call waits for its answer where neither its context nor its declaration says
// (contract: request and reply, default timeout).
const DefaultTimeout = 30 * time.Second

// Declaration says how a Q is asked and an R is answered. Generated code has one for each request, and a client and a
// server use the same one.
type Declaration[Q, R any] struct {
	// Queue is where the requests wait for a server. Its policy for requests that fail is explained at [Serve].
	Queue acemq.Queue

	Request Kind        // of the requests
	Reply   Kind        // of the answers
	Codec   acemq.Codec // of both; nil takes the connection's

	// Timeout is how long a call waits whose context has no deadline; 0 is DefaultTimeout.
	Timeout time.Duration
}

// Kind is the logical type of a message, "quote.request", and the schema version of its payload, from 1.
type Kind struct {
	Type    string
	Version int
}

// bound returns the context of a call: ctx where it has a deadline.
func (d Declaration[Q, R]) bound(ctx context.Context) (context.Context, context.CancelFunc, error) {
	if d.Timeout < 0 {
		return nil, nil, fmt.Errorf("a timeout of %v: say a positive one, or 0 for %v", d.Timeout, DefaultTimeout)
	}
	if _, bounded := ctx.Deadline(); bounded {
		return ctx, func() {}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(d.Timeout, DefaultTimeout))
	return ctx, cancel, nil
}

// codec returns the codec of the requests and answers.
func (d Declaration[Q, R]) codec(conn *acemq.Conn) acemq.Codec {
	if d.Codec == nil {
		return conn.Codec()
	}
	return d.Codec
}

// served returns the queue as a server consumes it: where nothing is said about failures, the first one is the last.
func (d Declaration[Q, R]) served() acemq.Queue {
	q := d.Queue
	if q.Retry.IsZero() && q.RetryDelay == 0 {
		q.Retry = acemq.NoRetry()
	}
	return q
}
