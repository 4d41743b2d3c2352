package request

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Func answers one request. Its error fails the request; one that is marked with [acemq.Fatal] fails it at once. It
// runs concurrently with itself, and its context is that of an [acemq.Handler].
type Func[Q, R any] func(ctx context.Context, m *acemq.Message[Q]) (R, error)

// Server answers the requests of one queue until it is closed. It is a consumer; what [Server.Answers] counts comes
// beside the consumer's own [acemq.Consumer.Counts].
type Server struct {
	*acemq.Consumer
	tally *answerTally
}

// Serve starts a server that answers the requests of d with f. The queue is its owner's to declare, as for
// [acemq.Consume]; ctx bounds the start.
//
// The answer is in the caller's reply queue before the request is taken off. A caller whose reply queue is gone is
// counted, and its request is done. A request without a reply address goes to {queue}.dlq before f sees it. One that
// cannot be decoded is parked, and its caller hears nothing.
//
// Where nothing is said about failures, neither a retry policy nor a retry delay, the first failure is the last: the
// caller is told, with the text of the error, and the request goes to {queue}.dlq. With a policy, a request that fails
// is tried again as the policy says, and its caller is told once it is given up; so keep the waits of the policy
// shorter than those of the callers. A panic in f is not tried again. With acemq.WithIdempotency, a request that comes a
// second time is taken for answered: callers then ask again under an id of its own.
func Serve[Q, R any](ctx context.Context, conn *acemq.Conn, d Declaration[Q, R], f Func[Q, R],
	opts ...acemq.ConsumeOption) (*Server, error) {
	if f == nil {
		return nil, fmt.Errorf("acemq: serve %q: the function is nil", d.Queue.Name)
	}
	s := &serving[Q, R]{conn: conn, queue: d.served(), kind: d.Reply, codec: d.codec(conn), answer: f}
	opts = slices.Concat([]acemq.ConsumeOption{acemq.DecodeWith(s.codec)}, opts)
	consumer, err := acemq.Consume(ctx, conn, s.queue, s.handle, opts...)
	if err != nil {
		return nil, err
	}
	return &Server{Consumer: consumer, tally: &s.tally}, nil
}

// serving is what a server works with.
type serving[Q, R any] struct {
	conn   *acemq.Conn
	queue  acemq.Queue
	kind   Kind // of the replies
	codec  acemq.Codec
	answer Func[Q, R]
	tally  answerTally
}

var (
	errNoAddress = errors.New("nobody can be answered: the request has neither the header " +
		wire.HeaderReplyTo + " nor the property reply-to")
	errNoReturn = errors.New("the server ended without an answer")
)

// handle answers one request.
func (s *serving[Q, R]) handle(ctx context.Context, m *acemq.Message[Q]) acemq.Ack {
	if err := checkAddress(m.ReplyTo); err != nil {
		s.tally.unanswerable.Add(1)
		return acemq.DeadLetter(err)
	}
	reply := s.reply(m)
	r, err := s.call(ctx, m, reply)
	if err == nil {
		reply.Body, err = s.codec.Encode(&r)
		err = acemq.Fatal(err)
	}
	switch {
	case err == nil:
		err = s.send(ctx, reply, &s.tally.answered)
	case s.isLast(ctx, m, err):
		s.fail(ctx, reply, err)
	}
	if err != nil {
		return acemq.Retry(err)
	}
	return acemq.Accept()
}

// call runs the function. Where it does not return, the caller is told, and the rest is the consumer's.
func (s *serving[Q, R]) call(ctx context.Context, m *acemq.Message[Q], reply acemq.Outgoing) (R, error) {
	returned := false
	defer func() {
		if !returned {
			s.fail(ctx, reply, errNoReturn)
		}
	}()
	r, err := s.answer(ctx, m)
	returned = true
	return r, err
}

// isLast reports whether a request that failed is given up, as the consumer is about to decide.
func (s *serving[Q, R]) isLast(ctx context.Context, m *acemq.Message[Q], err error) bool {
	if acemq.IsFatal(err) {
		return true
	}
	policy, invalid := s.queue.Retry.Policy()
	if invalid != nil || s.queue.Retry.IsZero() || s.queue.RequeueOnFailure || ctx.Err() != nil {
		return false
	}
	decision, _ := policy.Decide(m.Attempt(), m.Envelope.Age(time.Now()))
	return decision == wire.Exhausted || decision == wire.TooOld
}

func checkAddress(address string) error {
	if address == "" {
		return errNoAddress
	}
	return wire.CheckShort("the reply address", address)
}
