package request

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// foreign is a request of another library, whose correlation is not its id.
func foreign(property string, headers wire.Table) transport.Message {
	all := wire.Table{wire.HeaderID: "q-1", wire.HeaderCorrelation: "flow"}
	for name, value := range headers {
		all[name] = value
	}
	return transport.Message{Key: questions, MessageID: "q-1", ContentType: "application/json", Body: []byte(`{"Text":"why?"}`),
		ReplyTo: property, Headers: all}
}

// Clients of the family say in ways of their own where they want to be answered. The header counts first.
func TestForeignClients(t *testing.T) {
	for name, m := range map[string]transport.Message{
		"the property alone": foreign("here", nil),
		"the header alone":   foreign("", wire.Table{wire.HeaderReplyTo: "here"}),
		"both":               foreign("here", wire.Table{wire.HeaderReplyTo: "here"}),
		"two that differ":    foreign("there", wire.Table{wire.HeaderReplyTo: "here"}),
		"a header of bytes":  foreign("", wire.Table{wire.HeaderReplyTo: []byte("here")}),
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.queue("here")
				s := r.serve(oracle(), echo)
				r.put(m)
				reply := r.peek("here")
				for what, pair := range map[string][2]any{
					"the body":         {string(reply.Body), `{"Text":"re: why?"}`},
					"the content type": {reply.ContentType, "application/json"},
					"the correlation":  {reply.Headers[wire.HeaderCorrelation], "flow"},
					"the causation":    {reply.Headers[wire.HeaderCausation], "q-1"},
					"the type":         {reply.Headers[wire.HeaderType], "question.answered"},
					"the version":      {reply.Headers[wire.HeaderVersion], int32(3)},
					"the failure":      {reply.Headers[wire.HeaderReplyError], nil},
				} {
					wantEqual(r, what, pair[0], pair[1])
				}
				r.wantAnswers(s, Answers{Answered: 1})
			})
		})
	}
}

// A request that nobody can be answered to is set aside, and not handled.
func TestUnanswerable(t *testing.T) {
	for name, m := range map[string]transport.Message{
		"no address": foreign("", nil),
		"empty":      foreign("", wire.Table{wire.HeaderReplyTo: ""}),
		"too long":   foreign("", wire.Table{wire.HeaderReplyTo: strings.Repeat("q", 256)}),
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				s := r.serve(oracle(), func(context.Context, *acemq.Message[question]) (answer, error) {
					r.Error("it was handled")
					return answer{}, nil
				})
				r.put(m)
				r.wantAnswers(s, Answers{Unanswerable: 1})
				r.wantDead("reply")
				wantEqual(r, "the consumer's count", s.Counts(), acemq.Counts{Rejected: 1})
			})
		})
	}
}

// A caller that is gone is no reason to answer it for ever: what it asked for is done.
func TestCallerGone(t *testing.T) {
	bubble(t, func(r *rig) {
		s := r.serve(oracle(), echo)
		r.put(foreign("gone", nil))
		r.wantAnswers(s, Answers{CallerGone: 1})
		wantEqual(r, "the consumer's count", s.Counts(), acemq.Counts{Accepted: 1})
	})
}

// A failure reaches the caller as a typed error, and its request {queue}.dlq.
func TestFailures(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer Func[question, answer]
		reason string // as the caller reads it
		dead   string
	}{
		{"an error", func(context.Context, *acemq.Message[question]) (answer, error) {
			return answer{}, errBusy
		}, errBusy.Error(), "exhausted 1 attempt: " + errBusy.Error()},
		{"a fatal error", func(context.Context, *acemq.Message[question]) (answer, error) {
			return answer{}, acemq.Fatal(errBusy)
		}, errBusy.Error(), "unprocessable"},
		{"a panic", func(context.Context, *acemq.Message[question]) (answer, error) {
			panic("no idea")
		}, errNoReturn.Error(), "no idea"},
		{"the end of the goroutine", func(context.Context, *acemq.Message[question]) (answer, error) {
			runtime.Goexit()
			return answer{}, nil
		}, errNoReturn.Error(), "ended its goroutine"},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				s := r.serve(oracle(), test.answer)
				_, err := r.ask("why?", acemq.WithID("q-1"))
				wantEqual(r, "the failure", *wantAs[*FailedError](r, err), FailedError{questions, "q-1", test.reason})
				r.wantDead(test.dead)
				r.wantAnswers(s, Answers{Failed: 1})
				r.wantCalls(Calls{Failed: 1})
			})
		})
	}
}

// A failure on the wire is the header and no body, as the rest of the family writes it.
func TestFailureOnTheWire(t *testing.T) {
	bubble(t, func(r *rig) {
		r.queue("here")
		r.serve(oracle(), func(context.Context, *acemq.Message[question]) (answer, error) {
			return answer{"half"}, errBusy
		})
		r.put(foreign("here", nil))
		m := r.peek("here")
		wantEqual(r, "the header", m.Headers[wire.HeaderReplyError], any(errBusy.Error()))
		wantEqual(r, "the size of the body", len(m.Body), 0)
		wantEqual(r, "the correlation", m.Headers[wire.HeaderCorrelation], any("flow"))
	})
}

// An answer that cannot be encoded will not be better the next time.
func TestAnswerThatCannotBeEncoded(t *testing.T) {
	bubble(t, func(r *rig) {
		d := Declaration[question, float64]{Queue: acemq.Queue{Name: questions, Retry: retries}}
		if _, err := Serve(r.Context(), r.serving, d, func(context.Context, *acemq.Message[question]) (float64, error) {
			return math.NaN(), nil
		}); err != nil {
			r.Fatal(err)
		}
		start := time.Now()
		_, err := r.ask("why?")
		wantAs[*FailedError](r, err)
		wantEqual(r, "the wait", time.Since(start), 0)
		r.wantDead("NaN")
	})
}

// With a policy, the caller hears of a failure once it is the last one.
func TestRetries(t *testing.T) {
	for _, test := range []struct {
		name    string
		failing int // attempts
		queue   acemq.Queue
		after   time.Duration
		answers Answers
	}{
		{"an answer at last", 2, acemq.Queue{Retry: retries}, 4 * time.Second, Answers{Answered: 1}},
		{"given up", 9, acemq.Queue{Retry: retries}, 4 * time.Second, Answers{Failed: 1}},
		{"too old", 9, acemq.Queue{Retry: retries.GiveUpAfter(time.Second)}, 2 * time.Second, Answers{Failed: 1}},
		{"for ever", 9, acemq.Queue{RetryDelay: time.Second}, 9 * time.Second, Answers{Answered: 1}},
		{"given back", 9, acemq.Queue{RequeueOnFailure: true}, 0, Answers{Answered: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				d := oracle()
				d.Queue = test.queue
				d.Queue.Name = questions
				calls := 0
				s := r.serve(d, func(ctx context.Context, m *acemq.Message[question]) (answer, error) {
					if calls++; calls <= test.failing {
						return answer{}, errBusy
					}
					return echo(ctx, m)
				})
				start := time.Now()
				_, err := r.ask("why?")
				wantEqual(r, "the wait", time.Since(start), test.after)
				if test.answers.Failed > 0 {
					wantAs[*FailedError](r, err)
					r.wantDead(errBusy.Error())
				} else if err != nil {
					r.Error(err)
				}
				r.wantAnswers(s, test.answers)
			})
		})
	}
}

// A reply that the broker does not take is sent again, and one that it never takes fails its request.
func TestReplyNotTaken(t *testing.T) {
	isReply := func(m transport.Message) bool { return strings.HasPrefix(m.Key, replyQueue) }
	bubble(t, func(r *rig) {
		s := r.serve(oracle(), echo)
		r.server.Inject(memory.Script{Fault: memory.NackPublish, Match: isReply, Times: replyTries - 1})
		r.wantAnswer("why?", "re: why?")
		r.wantAnswers(s, Answers{Answered: 1})

		r.server.Inject(memory.Script{Fault: memory.NackPublish, Match: isReply, Times: replyTries})
		_, err := r.ask("why?")
		wantNoAnswer(r, err, context.DeadlineExceeded)
		r.wantAnswers(s, Answers{Answered: 1, NotSent: 1})
		r.wantDead("refused by the broker")
	})
}

// A server that closes answers what it has taken up, and leaves the rest to the next one.
func TestServerCloses(t *testing.T) {
	bubble(t, func(r *rig) {
		d := oracle()
		d.Queue.Prefetch = 1
		s := r.serve(d, func(ctx context.Context, m *acemq.Message[question]) (answer, error) {
			time.Sleep(5 * time.Second)
			return echo(ctx, m)
		})
		answered := make(chan error, 2)
		for range cap(answered) {
			go func() {
				_, err := r.ask("why?")
				answered <- err
			}()
		}
		synctest.Wait()
		if err := s.Close(r.Context()); err != nil {
			r.Fatal(err)
		}
		r.wantAnswers(s, Answers{Answered: 1})
		r.serve(d, echo)
		for range cap(answered) {
			if err := <-answered; err != nil {
				r.Error(err)
			}
		}
	})
}

// A request that a server was cancelled at is not its failure: another server has it.
func TestServerCancelled(t *testing.T) {
	bubble(t, func(r *rig) {
		s := r.serve(oracle(), func(ctx context.Context, _ *acemq.Message[question]) (answer, error) {
			<-ctx.Done()
			return answer{}, ctx.Err()
		})
		answered := make(chan error, 1)
		go func() {
			_, err := r.ask("why?")
			answered <- err
		}()
		synctest.Wait()
		late := new(acemq.DrainTimeoutError)
		if err := s.Close(r.Context()); !errors.As(err, &late) {
			r.Errorf("closed with %v", err)
		}
		r.wantAnswers(s, Answers{})
		r.serve(oracle(), echo)
		if err := <-answered; err != nil {
			r.Error(err)
		}
	})
}

func TestServeRefuses(t *testing.T) {
	bubble(t, func(r *rig) {
		if _, err := Serve(r.Context(), r.serving, oracle(), nil); err == nil {
			r.Error("it serves without a function")
		}
		d := oracle()
		d.Queue.Name = "nowhere"
		_, err := Serve(r.Context(), r.serving, d, echo)
		wantAs[*acemq.NotFoundError](r, err)
	})
}
