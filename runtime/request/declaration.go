package request

import (
	"errors"
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

// timeout returns how long a call waits by itself.
func (d Declaration[Q, R]) timeout() (time.Duration, error) {
	switch {
	case d.Queue.Name == "":
		return 0, errors.New("the request names no queue")
	case d.Timeout < 0:
		return 0, fmt.Errorf("a timeout of %v: say a positive one, or 0 for %v", d.Timeout, DefaultTimeout)
	case d.Timeout == 0:
		return DefaultTimeout, nil
	}
	return d.Timeout, nil
}
