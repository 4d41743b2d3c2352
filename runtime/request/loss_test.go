package request

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// slowly answers after a while.
func slowly(ctx context.Context, m *acemq.Message[question]) (answer, error) {
	time.Sleep(3 * time.Second)
	return echo(ctx, m)
}

// begin asks a question, and returns once the server is at it.
func (r *rig) begin(text string, opts ...acemq.PublishOption) <-chan error {
	answered := make(chan error, 1)
	go func() {
		_, err := r.ask(text, opts...)
		answered <- err
	}()
	synctest.Wait()
	return answered
}

// isAnswered fails where a call had no answer.
func (r *rig) isAnswered(call <-chan error) {
	r.Helper()
	if err := <-call; err != nil {
		r.Error(err)
	}
}

// All connections are lost while a call waits: the request is handled again, and answered in the queue that stands.
func TestConnectionsCut(t *testing.T) {
	bubble(t, func(r *rig) {
		r.serve(oracle(), slowly)
		call := r.begin("why?")
		before := r.replyQueues()
		r.server.Cut()
		r.isAnswered(call)
		wantEqual(r, "the reply queue", strings.Join(r.replyQueues(), " "), strings.Join(before, " "))
		r.wantAnswer("why not?", "re: why not?")
		r.wantCalls(Calls{Answered: 2, Unmatched: 1}) // the first server finished, too
	})
}

// The broker is away for a while, and comes back with the request and the reply queue.
func TestBrokerAway(t *testing.T) {
	bubble(t, func(r *rig) {
		r.serve(oracle(), slowly)
		call := r.begin("why?")
		up := r.server.Down()
		time.Sleep(10 * time.Second)
		up()
		r.isAnswered(call)
	})
}

// The broker stays away: the call ends at its time.
func TestBrokerStaysAway(t *testing.T) {
	bubble(t, func(r *rig) {
		r.serve(oracle(), slowly)
		call := r.begin("why?")
		up := r.server.Down()
		wantNoAnswer(r, <-call, context.DeadlineExceeded)
		up()
	})
}

// Somebody deletes the reply queue: it comes back, for the calls that wait and those that come.
func TestReplyQueueDeleted(t *testing.T) {
	bubble(t, func(r *rig) {
		s := r.serve(oracle(), slowly)
		call := r.begin("why?")
		r.server.DeleteQueue(r.replyQueues()[0])
		r.isAnswered(call)
		r.wantAnswer("why not?", "re: why not?")
		r.wantAnswers(s, Answers{Answered: 2})
	})
}

// Nobody knows whether a request arrived whose connection was lost: where it did, the call is answered all the same.
func TestUnknownRequest(t *testing.T) {
	isRequest := func(m transport.Message) bool { return m.Key == questions }
	bubble(t, func(r *rig) {
		r.serve(oracle(), slowly)
		r.server.Inject(memory.Script{Fault: memory.CloseAfterPublish, Match: isRequest})
		r.wantAnswer("why?", "re: why?")

		r.server.Inject(memory.Script{Fault: memory.CloseBeforePublish, Match: isRequest})
		_, err := r.ask("why not?")
		none := wantNoAnswer(r, err, context.DeadlineExceeded)
		wantAs[*acemq.UnknownError](r, none.Sent)
		wantAs[*acemq.UnknownError](r, err)
	})
}

// The confirm of a request is lost, and its answer comes.
func TestConfirmOfRequestLost(t *testing.T) {
	bubble(t, func(r *rig) {
		r.serve(oracle(), echo)
		r.server.Inject(memory.Script{Fault: memory.LoseConfirm, Match: func(m transport.Message) bool { return m.Key == questions }})
		r.wantAnswer("why?", "re: why?")
	})
}

// A reply whose outcome is unknown is sent again. The caller takes one of two.
func TestUnknownReply(t *testing.T) {
	for name, fault := range map[string]memory.Fault{
		"it arrived":      memory.CloseAfterPublish,
		"it did not":      memory.CloseBeforePublish,
		"no confirm came": memory.LoseConfirm,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.serve(oracle(), echo)
				r.server.Inject(memory.Script{Fault: fault, Match: func(m transport.Message) bool {
					return strings.HasPrefix(m.Key, replyQueue)
				}})
				r.wantAnswer("why?", "re: why?")
				time.Sleep(2 * tryTimeout)
				ready, unsettled := r.server.Depth(questions)
				wantEqual(r, "what is left of the request", ready+unsettled, 0)
				ready, unsettled = r.server.Depth(r.replyQueues()[0])
				wantEqual(r, "what is left in the reply queue", ready+unsettled, 0)
				wantEqual(r, "the dead letters", len(r.server.Peek(wire.DeadLetterQueue(questions))), 0)
			})
		})
	}
}

// A server answers and dies before its ack: the next one answers again, and the caller has one answer.
func TestServerDiesBeforeAck(t *testing.T) {
	bubble(t, func(r *rig) {
		r.serve(oracle(), echo)
		r.server.Inject(memory.Script{Fault: memory.CloseBeforeAck, Match: func(m transport.Message) bool {
			return m.Key == questions
		}})
		r.wantAnswer("why?", "re: why?")
		time.Sleep(time.Minute)
		r.wantCalls(Calls{Answered: 1, Unmatched: 1})
	})
}

// A server dies in the middle of its work: another one has the request, and what the first one still says is dropped.
func TestServerDies(t *testing.T) {
	bubble(t, func(r *rig) {
		dying, err := acemq.Dial(r.Context(), "memory://"+r.name, acemq.WithLogger(slog.New(slog.DiscardHandler)))
		if err != nil {
			r.Fatal(err)
		}
		const deaf = time.Minute
		if _, err := Serve(r.Context(), dying, oracle(), func(ctx context.Context, m *acemq.Message[question]) (answer, error) {
			time.Sleep(deaf)
			return echo(ctx, m)
		}); err != nil {
			r.Fatal(err)
		}
		call := r.begin("why?")
		ended, cancel := context.WithCancel(r.Context())
		cancel()
		late := new(acemq.DrainTimeoutError)
		if err := dying.Close(ended); !errors.As(err, &late) {
			r.Fatalf("closed with %v", err)
		}
		r.serve(oracle(), echo)
		r.isAnswered(call)
		time.Sleep(deaf + replyTries*tryTimeout)
		r.wantCalls(Calls{Answered: 1})
	})
}

// Whoever closes the connection ends its calls, and leaves nothing on the broker.
func TestConnectionClosed(t *testing.T) {
	bubble(t, func(r *rig) {
		before := strings.Join(r.server.Queues(), " ")
		r.serve(oracle(), slowly)
		r.wantAnswer("why?", "re: why?")
		call := r.begin("why?")
		if err := r.asking.Close(r.Context()); err != nil {
			r.Fatal(err)
		}
		wantNoAnswer(r, <-call, transport.ErrClosed)
		r.wantCalls(Calls{Answered: 1, Abandoned: 1})
		_, err := r.ask("why?")
		wantAs[*acemq.RefusedError](r, err)
		wantEqual(r, "what is on the broker", strings.Join(r.server.Queues(), " "), before)
	})
}

// A connection whose process was killed leaves its reply queue to the broker.
func TestReplyQueueExpires(t *testing.T) {
	bubble(t, func(r *rig) {
		r.serve(oracle(), echo)
		r.wantAnswer("why?", "re: why?")
		up := r.server.Down()
		if err := r.asking.Close(r.Context()); err != nil {
			r.Fatal(err)
		}
		up()
		wantEqual(r, "the number of reply queues", len(r.replyQueues()), 1)
		time.Sleep(replyExpires)
		wantEqual(r, "the number of reply queues", len(r.replyQueues()), 0)
	})
}

// A handler that asks somebody else has its answer even while its connection closes.
func TestCallWhileClosing(t *testing.T) {
	bubble(t, func(r *rig) {
		r.serve(oracle(), slowly)
		r.queue("here")
		r.queue("gate")
		gate := Declaration[question, answer]{Queue: acemq.Queue{Name: "gate"}}
		through := NewClient(r.asking, oracle())
		if _, err := Serve(r.Context(), r.asking, gate, func(ctx context.Context, m *acemq.Message[question]) (answer, error) {
			return through.Call(ctx, m.Payload, acemq.CausedBy(m.Envelope))
		}); err != nil {
			r.Fatal(err)
		}
		m := foreign("here", nil)
		m.Key = "gate"
		r.put(m)
		synctest.Wait()
		if err := r.asking.Close(r.Context()); err != nil {
			r.Error(err)
		}
		wantEqual(r, "the answer", string(r.peek("here").Body), `{"Text":"re: why?"}`)
	})
}
