package route

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Start says how a message sets out.
type Start struct {
	Slip    wire.Slip
	Type    string // empty takes the routing key of the first stop
	Version int
}

// Send sends payload to the first stop of a slip. What is wrong with the slip is an [*acemq.RefusedError].
func Send[T any](ctx context.Context, conn *acemq.Conn, m Map, s Start, payload T, opts []acemq.PublishOption) error {
	if err := s.Slip.CheckStart(); err != nil {
		return refuse(Destination{}, "", err)
	}
	to, err := m.Find(s.Slip)
	if err != nil {
		return refuse(to, "", err)
	}
	r := acemq.Route[T]{Type: cmp.Or(s.Type, to.Key), Version: s.Version, Codec: conn.Codec()}
	o, err := r.Outgoing(payload, opts...)
	if err != nil {
		return refuse(to, "", err)
	}
	o.Exchange, o.Key, o.FromData = to.Exchange, to.Key, to.FromData
	if o, err = stamp(s.Slip, o); err != nil {
		return refuse(to, o.Envelope.ID, err)
	}
	return conn.Send(ctx, o)
}

// refuse returns the outcome of a message that was not sent.
func refuse(to Destination, id string, cause error) error {
	at := transport.Address{Exchange: to.Exchange, Key: to.Key, MessageID: id}
	return &acemq.RefusedError{Address: at, Cause: cause}
}

// stamp puts a slip on a message, whose headers it leaves as they are.
func stamp(slip wire.Slip, o acemq.Outgoing) (acemq.Outgoing, error) {
	own := make(acemq.Headers, len(o.Headers)+1)
	maps.Copy(own, o.Headers)
	o.Headers = own
	err := slip.Stamp(&o.Envelope, own)
	return o, err
}

// Origin is what a message that goes on has from the message before it.
type Origin struct {
	Envelope acemq.Envelope
	Headers  acemq.Headers // the application's
	ReplyTo  string
}

// OriginOf returns what the message that follows m has from it.
func OriginOf[T any](m *acemq.Message[T]) Origin { return Origin{m.Envelope, m.Headers, m.ReplyTo} }

// hopTimeout bounds what it takes to send a message on. It is not the handler's to cancel: its work is done.
const hopTimeout = 30 * time.Second

// Forward sends a payload, given by its pointer, to the current stop of a slip, in place of the message it has its
// origin in. A payload that cannot be encoded, a slip that leads nowhere and headers that grew too large are
// [acemq.Fatal]: no attempt can help.
func Forward(ctx context.Context, conn *acemq.Conn, m Map, slip wire.Slip, payload any, from Origin) error {
	to, err := m.Find(slip)
	if err != nil {
		return acemq.Fatal(err)
	}
	return leg{slip, to}.send(ctx, conn, payload, from)
}

// send sends a message along the leg.
func (l leg) send(ctx context.Context, conn *acemq.Conn, payload any, from Origin) error {
	o, err := l.message(conn.Codec(), payload, from)
	if err != nil {
		return l.impossible(err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hopTimeout)
	defer cancel()
	err = conn.Send(ctx, o)
	if refused := new(acemq.RefusedError); errors.As(err, &refused) {
		if fault := checkSize(o); fault != nil {
			return l.impossible(fault)
		}
	}
	return err
}

// impossible says that a message can never go along the leg.
func (l leg) impossible(err error) error {
	stop, _ := l.slip.Current()
	return acemq.Fatal(fmt.Errorf("the message cannot go on to the stop %s: %w", stop, err))
}

func (l leg) message(codec acemq.Codec, payload any, from Origin) (acemq.Outgoing, error) {
	body, err := codec.Encode(payload)
	if err != nil {
		return acemq.Outgoing{}, err
	}
	return stamp(l.slip, acemq.Outgoing{
		Exchange:    l.to.Exchange,
		Key:         l.to.Key,
		Envelope:    onward(from.Envelope),
		Headers:     from.Headers,
		Body:        body,
		ContentType: codec.ContentType(),
		ReplyTo:     from.ReplyTo,
		FromData:    l.to.FromData,
	})
}

// checkSize says whether a message that was refused is larger than any broker takes: its slip may have grown, and its
// headers were somebody else's to choose.
func checkSize(o acemq.Outgoing) error {
	_, err := wire.NormalHeaders(o.Envelope.Headers(o.Headers), wire.MaxHeaders)
	return errors.Join(err, wire.CheckBody(o.Body))
}
