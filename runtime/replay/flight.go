package replay

import (
	"context"
	"errors"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

const (
	// ahead is how many copies are under way at once.
	ahead = 64

	// tries is how often a copy is sent whose outcome is unknown, while its message is held.
	tries = 3

	// answerGrace is what the broker has to answer for the copies under way when a run ends early.
	answerGrace = 5 * time.Second
)

// flight is a copy under way.
type flight struct {
	delivery *transport.Delivery
	copy     transport.Message
	sent     int           // how often
	answered chan struct{} // closed when the broker has answered
	outcome  error         // read it after answered
}

// flight makes the copy of a message (contract: patterns, replay).
func (r *run[T]) flight(d *transport.Delivery) *flight {
	headers := wire.ReplayHeaders(d.Headers, r.from, time.Now())
	if !r.own.keepAttempts {
		wire.Restart(headers)
	}
	return &flight{delivery: d, copy: transport.Message{
		Key:         r.result.Into,
		Body:        d.Body,
		ContentType: d.ContentType,
		MessageID:   envelopeOf(d).ID,
		ReplyTo:     d.ReplyTo,
		Headers:     headers,
		Priority:    d.Priority,
	}}
}

func envelopeOf(d *transport.Delivery) wire.Envelope {
	return wire.ReadEnvelope(d.Headers, wire.Arrival{MessageID: d.MessageID, RoutingKey: d.Key, NewID: acemq.NewID})
}

// send sends a copy on its way.
func (r *run[T]) send(ctx context.Context, f *flight) error {
	confirmation, err := r.conn.Republish(ctx, f.copy)
	if err != nil {
		return err
	}
	f.sent++
	f.answered = make(chan struct{})
	go func() {
		f.outcome = confirmation.Wait(r.sending)
		close(f.answered)
	}()
	r.flights = append(r.flights, f)
	return nil
}

// land settles the oldest flight, which is answered. What is unknown is tried again, here while the message is held, and
// otherwise when it comes again.
func (r *run[T]) land(ctx context.Context) error {
	f := r.flights[0]
	err := r.settle()
	unknown := errors.As(err, new(*acemq.UnknownError))
	switch {
	case unknown && !f.delivery.Live():
		r.left++
		r.lost = true
		return nil
	case unknown && f.sent < tries:
		return r.send(ctx, f)
	}
	return err
}

// settle takes the oldest flight off the list, and its message off the queue if the copy has landed. It returns the
// outcome.
func (r *run[T]) settle() error {
	f := r.flights[0]
	r.flights = r.flights[1:]
	if f.outcome == nil {
		r.result.Moved++
		r.accept(f.delivery)
		r.report()
	}
	return f.outcome
}

// accept takes a message off the queue whose copy has landed.
func (r *run[T]) accept(d *transport.Delivery) {
	r.landed.add(d)
	if d.Ack() != nil {
		r.owed++
		r.lost = true
	}
}

// finish settles what is under way, for which the broker has a moment to answer.
func (r *run[T]) finish(abandon func()) {
	timeout := time.AfterFunc(answerGrace, abandon)
	defer timeout.Stop()
	for len(r.flights) > 0 {
		<-r.flights[0].answered
		r.settle()
	}
}
