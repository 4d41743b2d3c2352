package acemq

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

var errBusy = errors.New("payments are busy")

// Each row is one failure, and where its message must be then.
var dispositions = []struct {
	name   string
	queue  Queue
	ack    Ack
	lands  string        // the queue with the copy; empty: none
	reason string        // of the copy, in x-acemq-error
	after  time.Duration // of the second delivery, where there is one
	again  int           // the attempt of the second delivery, 0 for none
	counts Counts
}{
	{
		name: "accepted", ack: Accept(), counts: Counts{Accepted: 1},
	},
	{
		name: "retried without a policy", ack: Retry(errBusy),
		after: 5 * time.Second, again: 2, counts: Counts{Retried: 1, Accepted: 1},
	},
	{
		name: "retried without a policy, with a delay of the queue", ack: Retry(errBusy), queue: Queue{RetryDelay: time.Minute},
		after: time.Minute, again: 2, counts: Counts{Retried: 1, Accepted: 1},
	},
	{
		name: "retried after a time without a policy", ack: RetryAfter(90*time.Second, errBusy),
		after: 90 * time.Second, again: 2, counts: Counts{Retried: 1, Accepted: 1},
	},
	{
		name: "retried by a policy, in the consumer", ack: Retry(errBusy), queue: Queue{Retry: Fixed(3, 2*time.Second)},
		after: 2 * time.Second, again: 2, counts: Counts{Retried: 1, Accepted: 1},
	},
	{
		name: "retried by a policy, in the broker", ack: Retry(errBusy), queue: Queue{Retry: Fixed(3, 5*time.Minute)},
		after: 5 * time.Minute, again: 2, counts: Counts{Retried: 1, Accepted: 1},
	},
	{
		name: "retried at once", ack: RetryAfter(0, errBusy), queue: Queue{Retry: Fixed(3, time.Minute)},
		after: 0, again: 2, counts: Counts{Retried: 1, Accepted: 1},
	},
	{
		name: "retried after less than the threshold", ack: RetryAfter(29*time.Second, errBusy),
		queue: Queue{Retry: Fixed(3, time.Minute)},
		after: 29 * time.Second, again: 2, counts: Counts{Retried: 1, Accepted: 1},
	},
	{
		name: "retried after what the next rung is long enough for", ack: RetryAfter(45*time.Second, errBusy),
		queue: Queue{Retry: Exponential(9, 10*time.Second, time.Hour)}, // rungs of 40s, 80s, 160s, …
		after: 80 * time.Second, again: 2, counts: Counts{Retried: 1, Accepted: 1},
	},
	{
		name: "retried after more than the longest rung", ack: RetryAfter(time.Hour, errBusy),
		queue: Queue{Retry: Fixed(3, time.Minute)},
		after: time.Minute, again: 2, counts: Counts{Retried: 1, Accepted: 1},
	},
	{
		name: "retried after a long time where no rung is", ack: RetryAfter(20*time.Minute, errBusy),
		queue: Queue{Retry: Fixed(3, time.Second)},
		after: 20 * time.Minute, again: 2, counts: Counts{Retried: 1, Accepted: 1},
	},
	{
		name: "attempts used up", ack: Retry(errBusy), queue: Queue{Retry: NoRetry()},
		lands: "work.dlq", reason: "exhausted 1 attempt: payments are busy", counts: Counts{DeadLettered: 1},
	},
	{
		name: "attempts used up, with a delay asked for", ack: RetryAfter(time.Second, errBusy), queue: Queue{Retry: NoRetry()},
		lands: "work.dlq", reason: "exhausted 1 attempt: payments are busy", counts: Counts{DeadLettered: 1},
	},
	{
		name: "dead-lettered", ack: DeadLetter(errBusy), queue: Queue{Retry: Fixed(3, time.Second)},
		lands: "work.dlq", reason: "the handler rejected it: payments are busy", counts: Counts{Rejected: 1},
	},
	{
		name: "dead-lettered without a reason", ack: DeadLetter(nil),
		lands: "work.dlq", reason: "the handler rejected it: no reason given", counts: Counts{Rejected: 1},
	},
	{
		name: "fatal in a retry", ack: Retry(fmt.Errorf("order 7: %w", Fatal(errBusy))), queue: Queue{Retry: Fixed(3, time.Second)},
		lands: "work.dlq", reason: "the handler reported an unprocessable message: order 7: payments are busy",
		counts: Counts{Rejected: 1},
	},
	{
		name: "fatal beside another error", ack: RetryAfter(time.Second, errors.Join(errors.New("a"), Fatal(errBusy))),
		lands: "work.dlq", reason: "the handler reported an unprocessable message: a\npayments are busy",
		counts: Counts{Rejected: 1},
	},
	{
		name: "fatal in a park", ack: Park(Fatal(errBusy)),
		lands: "work.dlq", reason: "the handler reported an unprocessable message: payments are busy",
		counts: Counts{Rejected: 1},
	},
	{
		name: "parked", ack: Park(errBusy), queue: Queue{Retry: Fixed(3, time.Second)},
		lands: "work.parked", reason: "the handler parked it: payments are busy", counts: Counts{Parked: 1},
	},
	{
		name: "released", ack: Release(), queue: Queue{Retry: NoRetry()},
		after: 0, again: 1, counts: Counts{Released: 1, Accepted: 1},
	},
	{
		name: "requeued on failure", ack: Retry(errBusy), queue: Queue{RequeueOnFailure: true, Retry: NoRetry()},
		after: 0, again: 1, counts: Counts{Requeued: 1, Accepted: 1},
	},
	{
		name: "requeued on failure, after a time", ack: RetryAfter(time.Minute, errBusy), queue: Queue{RequeueOnFailure: true},
		after: time.Minute, again: 1, counts: Counts{Requeued: 1, Accepted: 1},
	},
	{
		name: "fatal where failures are requeued", ack: Retry(Fatal(errBusy)), queue: Queue{RequeueOnFailure: true},
		lands: "work.dlq", reason: "the handler reported an unprocessable message: payments are busy",
		counts: Counts{Rejected: 1},
	},
	{
		name: "no answer", ack: Ack{},
		lands: "work.dlq", reason: "the handler rejected it: the handler returned the zero Ack, which is no answer",
		counts: Counts{Rejected: 1},
	},
}

func TestDispositions(t *testing.T) {
	for _, row := range dispositions {
		t.Run(row.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.putOrder("1")
				published := time.Now()
				s := answers(row.ack)
				c := r.consume(row.queue, s.handle)
				r.sleep(24 * time.Hour)
				r.wantCounts(c, row.counts)
				wantEqual(r, "the messages left in work", r.ready(work), 0)
				if row.again == 0 {
					wantEqual(r, "the number of deliveries", len(s.seen), 1)
				} else if wantEqual(r, "the number of deliveries", len(s.seen), 2); len(s.seen) == 2 {
					wantEqual(r, "the time of the second delivery", s.times()[1], row.after)
					wantEqual(r, "the second attempt", s.seen[1].Attempt(), row.again)
					r.wantSameMessage(s.seen[1].Envelope, s.seen[1].Headers, published)
				}
				for _, queue := range []string{"work.dlq", "work.parked"} {
					if queue != row.lands {
						wantEqual(r, "the messages in "+queue, r.ready(queue), 0)
					}
				}
				if row.lands != "" {
					r.wantCopy(row.lands, row.reason, published)
				}
			})
		})
	}
}

// wantSameMessage checks what no hop may change.
func (r *rig) wantSameMessage(e Envelope, headers Headers, published time.Time) {
	r.Helper()
	wantEqual(r, "the id", e.ID, "1")
	wantEqual(r, "the type", e.Type, "order.placed")
	wantEqual(r, "the correlation", e.Correlation, "flow-1")
	wantEqual(r, "first seen", e.FirstSeen, published.UTC().Truncate(time.Millisecond))
	if !maps.Equal(headers, Headers{"x-tenant": "acme"}) {
		r.Errorf("the application's headers are %v", headers)
	}
}

// wantCopy checks a message that was set aside.
func (r *rig) wantCopy(queue, reason string, published time.Time) {
	r.Helper()
	d := r.takeOne(queue)
	e := wire.ReadEnvelope(d.Headers, wire.Arrival{})
	r.wantSameMessage(e, wire.Application(d.Headers), published)
	wantEqual(r, "the attempt", e.Attempt, 1)
	wantEqual(r, "the reason", e.Error, reason)
	wantEqual(r, "the body", string(d.Body), `{ "id": "1" }`)
	wantEqual(r, "the content type", d.ContentType, "application/json")
	wantEqual(r, "the message id", d.MessageID, "1")
	wantEqual(r, "the reply address", d.ReplyTo, "answers")
	wantEqual(r, "the priority", d.Priority, 3)
	wantEqual(r, "the exchange", d.Exchange, "")
	wantEqual(r, "transient", d.Transient, false)
}

// Every copy is published the way that cannot lose it.
func TestCopiesAreMandatoryAndPersistent(t *testing.T) {
	bubble(t, func(r *rig) {
		for i := range 4 {
			r.putOrder(fmt.Sprint(i))
		}
		s := answers(Retry(errBusy), DeadLetter(errBusy), Park(errBusy), RetryAfter(time.Minute, errBusy))
		r.consume(Queue{Retry: Fixed(3, time.Second), Concurrency: 1}, s.handle)
		r.sleep(time.Hour)
		sent := r.broker.messages()
		wantEqual(r, "the number of copies", len(sent), 4)
		for _, m := range sent {
			if m.Exchange != "" || m.Optional || m.Transient || m.Expiration != 0 || m.FromData {
				r.Errorf("a copy to %s is published as %+v", m.Key, m)
			}
		}
	})
}

func TestUnreadableMessagesAreParked(t *testing.T) {
	for _, c := range []struct {
		name, contentType, body string
		reason                  string // contained in the reason
	}{
		{"no JSON", "application/json", "{", "could not be decoded: unexpected end of JSON input"},
		{"another shape", "", `{"id":1}`, "could not be decoded: json: cannot unmarshal number"},
		{"another content type", "application/xml", "<id/>", "could not be decoded: the content type is application/xml, and the consumer reads application/json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.put(transport.Message{Key: work, MessageID: "m", ContentType: c.contentType, Body: []byte(c.body)})
				s := answers()
				consumer := r.consume(Queue{Retry: Fixed(3, time.Second)}, s.handle)
				r.wantCounts(consumer, Counts{Parked: 1})
				wantEqual(r, "the number of calls", len(s.seen), 0)
				d := r.takeOne("work.parked")
				reason, _ := d.Headers[wire.HeaderError].(string)
				if !strings.HasPrefix(reason, c.reason) {
					r.Errorf("parked with the reason %q, want %q", reason, c.reason)
				}
				wantEqual(r, "the body", string(d.Body), c.body)
				wantEqual(r, "the content type", d.ContentType, c.contentType)
			})
		})
	}
}

func TestPanicsAreDeadLettered(t *testing.T) {
	for name, value := range map[string]any{"a text": "boom", "an error": errors.New("boom"), "a fatal error": Fatal(errors.New("boom"))} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.putOrder("1")
				r.putOrder("2")
				c := r.consume(Queue{Retry: Fixed(3, time.Second), Concurrency: 1}, func(_ context.Context, m *Message[order]) Ack {
					if m.Payload.ID == "1" {
						panic(value)
					}
					return Accept()
				})
				r.wantCounts(c, Counts{Rejected: 1, Accepted: 1})
				wantEqual(r, "the reason", r.takeOne("work.dlq").Headers[wire.HeaderError],
					any("the handler rejected it: acemq: the handler panicked on message 1: boom"))
			})
		})
	}
}

// A panic while decoding is the codec's, and must not end the process either.
func TestPanickingCodec(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		c := r.consume(Queue{}, answers().handle, DecodeWith(panickingCodec{JSON}))
		r.wantCounts(c, Counts{Rejected: 1})
		r.takeOne("work.dlq")
	})
}

type panickingCodec struct{ Codec }

func (panickingCodec) Decode(string, []byte, any) error { panic("no codec") }

// A message from somebody who does not know the contract gets what it needs on its first hop.
func TestForeignMessage(t *testing.T) {
	bubble(t, func(r *rig) {
		r.put(transport.Message{Key: work, MessageID: "foreign-1", Body: []byte(`{"id":"1"}`), Headers: Headers{
			"x-death":             []any{Headers{"queue": "other", "reason": "expired", "count": int64(1)}},
			"x-first-death-queue": "other",
			"x-acemq-of-tomorrow": "unknown",
			"x-acemq-attempt":     "no number",
			"trace":               []byte("bytes"),
		}})
		arrived := time.Now().UTC()
		s := answers(Retry(errBusy), DeadLetter(errBusy))
		r.consume(Queue{Retry: Fixed(3, time.Second)}, s.handle)
		r.sleep(time.Minute)
		first := s.seen[0]
		wantEqual(r, "the id", first.Envelope.ID, "foreign-1")
		wantEqual(r, "the type", first.Envelope.Type, work)
		wantEqual(r, "the first attempt", first.IsFirstAttempt(), true)
		wantEqual(r, "the header", first.Header("trace"), "bytes")
		wantEqual(r, "the number of headers", len(first.Headers), 1)
		copied := r.takeOne("work.dlq").Headers
		delete(copied, "trace")
		want := Headers{
			"x-acemq-id": "foreign-1", "x-acemq-type": work, "x-acemq-version": int32(1), "x-acemq-correlation": "foreign-1",
			"x-acemq-attempt": int32(2), "x-acemq-first-seen": arrived.UnixMilli(),
			"x-acemq-error": "the handler rejected it: payments are busy",
		}
		if !maps.Equal(copied, want) {
			r.Errorf("the copy has the headers %v,\nwant %v", copied, want)
		}
	})
}

// A reason left from an earlier life in a dead-letter queue does not travel on with a retry.
func TestRetryDropsAnOldReason(t *testing.T) {
	bubble(t, func(r *rig) {
		r.put(transport.Message{Key: work, MessageID: "1", Body: []byte(`{}`), Headers: Headers{"x-acemq-error": "old"}})
		s := answers(Retry(errBusy))
		r.consume(Queue{}, s.handle)
		r.sleep(time.Minute)
		wantEqual(r, "the reason", s.seen[0].Envelope.Error, "old")
		wantEqual(r, "the reason after a retry", s.seen[1].Envelope.Error, "")
	})
}

// An id that is longer than the message-id property may be must not keep a message from being set aside.
func TestLongForeignID(t *testing.T) {
	bubble(t, func(r *rig) {
		id := strings.Repeat("i", 300)
		r.put(transport.Message{Key: work, MessageID: "short", Body: []byte(`{}`), Headers: Headers{"x-acemq-id": id}})
		c := r.consume(Queue{}, answers(DeadLetter(errBusy)).handle)
		r.wantCounts(c, Counts{Rejected: 1})
		wantEqual(r, "the message id", r.takeOne("work.dlq").MessageID, "short")
	})
}

// What somebody else could publish can be set aside, even where this library would not publish it.
func TestLargeForeignMessages(t *testing.T) {
	for name, m := range map[string]transport.Message{
		"headers": {Headers: Headers{"trace": strings.Repeat("x", 100<<10)}},
		"body":    {Body: make([]byte, wire.MaxBody+1)},
		"content": {ContentType: "text/\xff", ReplyTo: "\xff"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				m.Key, m.MessageID, m.Copy = work, "large", true // what is received is held to the same limits
				r.put(m)
				c := r.consume(Queue{}, answers().handle) // which cannot read it
				r.wantCounts(c, Counts{Parked: 1})
				wantEqual(r, "the message id", r.takeOne("work.parked").MessageID, "large")
			})
		})
	}
}

func TestHandle(t *testing.T) {
	for _, c := range []struct {
		err  error
		want Counts
	}{
		{nil, Counts{Accepted: 1}},
		{errBusy, Counts{DeadLettered: 1}},
		{fmt.Errorf("step: %w", Fatal(errBusy)), Counts{Rejected: 1}},
		{Fatal(nil), Counts{Accepted: 1}},
	} {
		bubble(t, func(r *rig) {
			r.putOrder("1")
			consumer := r.consume(Queue{Retry: NoRetry()}, Handle(func(context.Context, *Message[order]) error { return c.err }))
			r.wantCounts(consumer, c.want)
		})
	}
}
