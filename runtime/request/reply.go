package request

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

const (
	// replyTries is how often one reply is sent, each time within tryTimeout; firstPause is the wait after the first
	// time, and the waits double. They are not cut short by the end of the server's context: what was answered is to
	// arrive.
	replyTries = 5
	tryTimeout = 5 * time.Second
	firstPause = 100 * time.Millisecond
)

// reply returns the reply to a request, but for its content. It has the request's correlation and the request's id as
// its causation, which serves every client of the family (contract: request and reply, pairing).
func (s *serving[Q, R]) reply(m *acemq.Message[Q]) acemq.Outgoing {
	return acemq.Outgoing{
		Key: m.ReplyTo,
		Envelope: acemq.Envelope{
			ID:          acemq.NewID(),
			Type:        s.kind.Type,
			Version:     s.kind.Version,
			Correlation: m.Envelope.Correlation,
			Causation:   m.Envelope.ID,
		},
		ContentType: s.codec.ContentType(),
	}
}

// fail tells the caller that the server failed: with the header acemq-error, and nothing in the body. What becomes of
// the request does not depend on it.
func (s *serving[Q, R]) fail(ctx context.Context, reply acemq.Outgoing, why error) {
	reply.Body = nil
	reply.Headers = acemq.Headers{wire.HeaderReplyError: wire.ReplyReason(why)}
	if err := s.send(ctx, reply, &s.tally.failed); err != nil {
		s.conn.Logger().Warn("acemq: a caller could not be told that its request failed", "queue", s.queue.Name,
			"id", reply.Envelope.Causation, "error", err)
	}
}

// send sends a reply until it is in the caller's queue or that queue is gone, and counts it. It counts before it sends,
// so that a caller who has the reply finds it counted. An error says that the reply did not arrive, as far as is known.
func (s *serving[Q, R]) send(ctx context.Context, reply acemq.Outgoing, arrived *atomic.Int64) error {
	arrived.Add(1)
	err := s.sendSurely(context.WithoutCancel(ctx), reply)
	if err == nil {
		return nil
	}
	arrived.Add(-1)
	if isUnroutable(err) {
		s.tally.callerGone.Add(1)
		return nil
	}
	s.tally.notSent.Add(1)
	return err
}

// sendSurely sends a reply under one id, again where it may not have arrived: a caller takes the first one only.
func (s *serving[Q, R]) sendSurely(ctx context.Context, reply acemq.Outgoing) error {
	pause := firstPause
	for try := 1; ; {
		err := s.sendOnce(ctx, reply)
		if err == nil || isUnroutable(err) || errors.Is(err, transport.ErrClosed) || try == replyTries {
			return err
		}
		if s.conn.State().Up { // a broker that is away says nothing about the reply
			try++
		}
		time.Sleep(pause)
		pause = min(2*pause, tryTimeout)
	}
}

func (s *serving[Q, R]) sendOnce(ctx context.Context, reply acemq.Outgoing) error {
	ctx, cancel := context.WithTimeout(ctx, tryTimeout)
	defer cancel()
	return s.conn.Send(ctx, reply)
}

func isUnroutable(err error) bool {
	var unroutable *acemq.UnroutableError
	return errors.As(err, &unroutable)
}
