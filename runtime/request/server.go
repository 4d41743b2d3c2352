package request

import (
	"context"
	"errors"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// Func answers one request. Its error fails the request; one that is marked with [acemq.Fatal] fails it at once. It
// runs concurrently with itself, and its context is that of an [acemq.Handler].
type Func[Q, R any] func(ctx context.Context, m *acemq.Message[Q]) (R, error)

// Server answers the requests of one queue until it is closed. It is a consumer; what is counted here comes beside the
// consumer's own [acemq.Consumer.Counts].
type Server struct {
	*acemq.Consumer
}

// Serve starts a server that answers the requests of d with f. The queue is its owner's to declare, as for
// [acemq.Consume]; ctx bounds the start.
func Serve[Q, R any](ctx context.Context, conn *acemq.Conn, d Declaration[Q, R], f Func[Q, R],
	opts ...acemq.ConsumeOption) (*Server, error) {
	return nil, errors.ErrUnsupported
}
