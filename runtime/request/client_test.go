package request

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
	"github.com/acemq/acemq-gen/runtime/wire"
)

func TestCall(t *testing.T) {
	bubble(t, func(r *rig) {
		s := r.serve(oracle(), echo)
		r.wantAnswer("why?", "re: why?")
		r.wantAnswers(s, Answers{Answered: 1})
		r.wantCalls(Calls{Answered: 1})
		wantEqual(r, "the consumer's count", s.Counts(), acemq.Counts{Accepted: 1})
	})
}

// What a request looks like to the rest of the family.
func TestRequestOnTheWire(t *testing.T) {
	bubble(t, func(r *rig) {
		ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
		defer cancel()
		_, err := r.askWithin(ctx, "why?", acemq.WithID("q-1"), acemq.WithReplyTo("elsewhere"),
			acemq.CausedBy(acemq.Envelope{ID: "cause", Correlation: "flow"}), acemq.WithHeader("x-tenant", "acme"))
		wantNoAnswer(r, err, context.DeadlineExceeded)
		m := r.peek(wire.DeadLetterQueue(questions)) // it has expired
		reply := r.replyQueues()[0]
		for what, pair := range map[string][2]any{
			"the property reply-to": {m.ReplyTo, reply},
			"the header":            {m.Headers[wire.HeaderReplyTo], reply},
			"the id":                {m.Headers[wire.HeaderID], "q-1"},
			"the message id":        {m.MessageID, "q-1"},
			"the correlation":       {m.Headers[wire.HeaderCorrelation], "q-1"},
			"the causation":         {m.Headers[wire.HeaderCausation], "cause"},
			"the type":              {m.Headers[wire.HeaderType], "question.asked"},
			"the version":           {m.Headers[wire.HeaderVersion], int32(2)},
			"a header of the user":  {m.Headers["x-tenant"], "acme"},
			"the body":              {string(m.Body), `{"Text":"why?"}`},
		} {
			wantEqual(r, what, pair[0], pair[1])
		}
	})
}

// reply returns a reply of another library: the message, and what of the request it repeats.
func reply(request *transport.Delivery, body string, headers wire.Table) []transport.Message {
	return []transport.Message{{Key: request.ReplyTo, MessageID: acemq.NewID(), Body: []byte(body),
		ContentType: "application/json", Headers: headers}}
}

// Servers of the family pair a reply in ways of their own.
func TestForeignServers(t *testing.T) {
	for _, test := range []struct {
		name    string
		headers func(id, correlation any) wire.Table
	}{
		{"Java: the correlation alone", func(_, correlation any) wire.Table {
			return wire.Table{wire.HeaderID: "r", wire.HeaderCorrelation: correlation}
		}},
		{".NET: the id as correlation and causation", func(id, _ any) wire.Table {
			return wire.Table{wire.HeaderID: "r", wire.HeaderCorrelation: id, wire.HeaderCausation: id}
		}},
		{"Go, Python: both", func(id, correlation any) wire.Table {
			return wire.Table{wire.HeaderID: "r", wire.HeaderCorrelation: correlation, wire.HeaderCausation: id}
		}},
		{"the causation, in a flow of its own", func(id, _ any) wire.Table {
			return wire.Table{wire.HeaderID: "r", wire.HeaderCorrelation: "flow", wire.HeaderCausation: id}
		}},
		{"the causation alone", func(id, _ any) wire.Table { return wire.Table{wire.HeaderCausation: id} }},
		{"bytes for text", func(id, _ any) wire.Table {
			return wire.Table{wire.HeaderCorrelation: []byte(id.(string))}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.serveForeign(func(q *transport.Delivery) []transport.Message {
					return reply(q, `{"Text":"because"}`, test.headers(q.Headers[wire.HeaderID], q.Headers[wire.HeaderCorrelation]))
				})
				r.wantAnswer("why?", "because")
				r.wantAnswer("why not?", "because")
				r.wantCalls(Calls{Answered: 2})
			})
		})
	}
}

// A failure is in the header, whatever the body is.
func TestForeignFailures(t *testing.T) {
	for name, test := range map[string]struct {
		body  string
		value any
	}{
		"Go, Python: text and no body": {"", "no idea"},
		"bytes":                        {"", []byte("no idea")},
		"an answer in the body":        {`{"Text":"because"}`, "no idea"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.serveForeign(func(q *transport.Delivery) []transport.Message {
					return reply(q, test.body, wire.Table{wire.HeaderReplyError: test.value,
						wire.HeaderCorrelation: q.Headers[wire.HeaderCorrelation], wire.HeaderCausation: q.MessageID})
				})
				_, err := r.ask("why?", acemq.WithID("q-1"))
				wantEqual(r, "the failure", *wantAs[*FailedError](r, err), FailedError{questions, "q-1", "no idea"})
				r.wantCalls(Calls{Failed: 1})
			})
		})
	}
}

func TestUnreadableAnswer(t *testing.T) {
	bubble(t, func(r *rig) {
		r.serveForeign(func(q *transport.Delivery) []transport.Message {
			return reply(q, `{"Text":`, wire.Table{wire.HeaderCorrelation: q.MessageID})
		})
		if a, err := r.ask("why?"); err == nil {
			r.Errorf("answered %q", a)
		}
		r.wantCalls(Calls{Failed: 1})
	})
}

// How long a call waits, and what it says then.
func TestTimeouts(t *testing.T) {
	given := errors.New("the caller lost interest")
	for _, test := range []struct {
		name   string
		within func(context.Context) (context.Context, context.CancelFunc)
		after  time.Duration
		cause  error
		want   Calls
	}{
		{"by itself", context.WithCancel, DefaultTimeout, context.DeadlineExceeded, Calls{TimedOut: 1}},
		{"with a deadline", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, time.Minute)
		}, time.Minute, context.DeadlineExceeded, Calls{TimedOut: 1}},
		{"with a deadline that has a cause", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeoutCause(ctx, time.Second, given)
		}, time.Second, context.DeadlineExceeded, Calls{TimedOut: 1}},
		{"until the caller gives up", func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancelCause(ctx)
			time.AfterFunc(time.Second, func() { cancel(given) })
			return ctx, func() { cancel(nil) }
		}, time.Second, given, Calls{Abandoned: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				ctx, cancel := test.within(r.Context())
				defer cancel()
				start := time.Now()
				_, err := r.askWithin(ctx, "why?", acemq.WithID("q-1"))
				none := wantNoAnswer(r, err, test.cause)
				wantEqual(r, "the wait", time.Since(start), test.after)
				wantEqual(r, "the request", none.Queue+" "+none.ID, questions+" q-1")
				wantEqual(r, "what the broker said of the request", none.Sent, nil)
				r.wantCalls(test.want)
			})
		})
	}
}

// An answer that comes together with the end of the wait is an answer.
func TestAnswerInTheLastMoment(t *testing.T) {
	bubble(t, func(r *rig) {
		sent, err := r.asking.SendAsync(r.Context(), acemq.Outgoing{Key: questions})
		if err != nil {
			r.Fatal(err)
		}
		over, cancel := context.WithCancel(r.Context())
		cancel()
		ended := make(chan struct{})
		close(ended)
		for range 100 {
			replies := make(chan *transport.Delivery, 1)
			replies <- &transport.Delivery{}
			w := wait{replies: replies, sent: sent, ended: ended}
			if _, err := w.reply(over); err != nil {
				r.Fatal(err)
			}
		}
	})
}

func TestDeclaredTimeout(t *testing.T) {
	bubble(t, func(r *rig) {
		d := oracle()
		d.Timeout = 5 * time.Second
		start := time.Now()
		_, err := NewClient(r.asking, d).Call(r.Context(), question{"why?"})
		wantNoAnswer(r, err, context.DeadlineExceeded)
		wantEqual(r, "the wait", time.Since(start), d.Timeout)
		d.Timeout = -1
		_, err = NewClient(r.asking, d).Call(r.Context(), question{"why?"})
		wantAs[*acemq.RefusedError](r, err)
	})
}

// Nobody works on a request whose caller has stopped waiting.
func TestExpiredRequest(t *testing.T) {
	bubble(t, func(r *rig) {
		_, err := r.ask("why?")
		wantNoAnswer(r, err, context.DeadlineExceeded)
		s := r.serve(oracle(), echo)
		r.wantAnswers(s, Answers{})
		wantEqual(r, "the text in the dead-letter queue", string(r.peek(wire.DeadLetterQueue(questions)).Body), `{"Text":"why?"}`)
	})
}

// Replies that come late, or twice, are taken off and counted, and disturb no other call.
func TestUnmatchedReplies(t *testing.T) {
	bubble(t, func(r *rig) {
		slow := true
		r.serveForeign(func(q *transport.Delivery) []transport.Message {
			if slow {
				time.Sleep(time.Minute)
			}
			slow = false
			one := reply(q, `{"Text":"because"}`, wire.Table{wire.HeaderCorrelation: q.MessageID})
			return append(one, one...)
		})
		_, err := r.ask("why?")
		wantNoAnswer(r, err, context.DeadlineExceeded)
		time.Sleep(time.Minute)
		r.wantCalls(Calls{TimedOut: 1, Unmatched: 2})
		r.wantAnswer("why not?", "because")
		r.wantCalls(Calls{TimedOut: 1, Unmatched: 3, Answered: 1})
		ready, unsettled := r.server.Depth(r.replyQueues()[0])
		wantEqual(r, "what is in the reply queue", ready+unsettled, 0)
	})
}

// Requests that do not reach their queue are told apart from those that find no answer.
func TestNotSent(t *testing.T) {
	bubble(t, func(r *rig) {
		d := oracle()
		d.Queue.Name = "nowhere"
		_, err := NewClient(r.asking, d).Call(r.Context(), question{"why?"})
		wantAs[*acemq.UnroutableError](r, err)

		r.server.Inject(memory.Script{Fault: memory.NackPublish})
		_, err = r.ask("why?")
		wantAs[*acemq.NackedError](r, err)

		_, err = r.ask("why?", acemq.WithHeader(wire.HeaderID, "mine"))
		wantAs[*acemq.RefusedError](r, err)

		ended, cancel := context.WithCancel(r.Context())
		cancel()
		_, err = r.askWithin(ended, "why?")
		wantAs[*acemq.RefusedError](r, err)
		r.wantCalls(Calls{Failed: 4})
	})
}

// Two calls under one id could not be told apart. One after the other is fine.
func TestSameID(t *testing.T) {
	bubble(t, func(r *rig) {
		r.serve(oracle(), func(ctx context.Context, m *acemq.Message[question]) (answer, error) {
			time.Sleep(time.Second)
			return echo(ctx, m)
		})
		first := make(chan error, 1)
		go func() {
			_, err := r.ask("why?", acemq.WithID("q-1"))
			first <- err
		}()
		synctest.Wait()
		_, err := r.ask("why not?", acemq.WithID("q-1"))
		wantAs[*acemq.RefusedError](r, err)
		if err := <-first; err != nil {
			r.Error(err)
		}
		r.wantAnswer("why?", "re: why?", acemq.WithID("q-1"))
	})
}

// A thousand calls at once on one reply queue, each with an answer of its own.
func TestManyCalls(t *testing.T) {
	bubble(t, func(r *rig) {
		const calls = 1000
		s := r.serve(oracle(), func(ctx context.Context, m *acemq.Message[question]) (answer, error) {
			time.Sleep(time.Duration(len(m.Envelope.ID)*int(m.Envelope.ID[0])) % 97 * time.Millisecond) // out of order
			return echo(ctx, m)
		})
		var all sync.WaitGroup
		for i := range calls {
			all.Go(func() {
				text := fmt.Sprint(i)
				if a, err := r.ask(text); err != nil || a != "re: "+text {
					r.Errorf("%s was answered %q, %v", text, a, err)
				}
			})
		}
		all.Wait()
		r.wantCalls(Calls{Answered: calls})
		r.wantAnswers(s, Answers{Answered: calls})
		wantEqual(r, "the number of reply queues", len(r.replyQueues()), 1)
	})
}

// Connections of one service answer their own calls alone.
func TestReplyQueueOfEachConnection(t *testing.T) {
	bubble(t, func(r *rig) {
		r.serve(oracle(), echo)
		other := r.dial()
		r.wantAnswer("why?", "re: why?")
		if _, err := NewClient(other, oracle()).Call(r.Context(), question{"why?"}); err != nil {
			r.Fatal(err)
		}
		wantEqual(r, "the number of reply queues", len(r.replyQueues()), 2)
		wantEqual(r, "the other's calls", CallsOf(other), Calls{Answered: 1})
		r.wantCalls(Calls{Answered: 1})
	})
}

func TestDeclaredCodec(t *testing.T) {
	bubble(t, func(r *rig) {
		d := Declaration[string, string]{Queue: acemq.Queue{Name: questions}, Codec: acemq.Text}
		if _, err := Serve(r.Context(), r.serving, d, func(_ context.Context, m *acemq.Message[string]) (string, error) {
			return "re: " + m.Payload, nil
		}); err != nil {
			r.Fatal(err)
		}
		a, err := NewClient(r.asking, d).Call(r.Context(), "why?")
		if err != nil {
			r.Fatal(err)
		}
		wantEqual(r, "the answer", a, "re: why?")
	})
}
