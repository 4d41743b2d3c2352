package request

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// What the tests ask and what they are answered.
type (
	question struct{ Text string }
	answer   struct{ Text string }
)

const questions = "questions" // their queue

var errBusy = errors.New("the oracle is busy")

// oracle is the declaration of the tests.
func oracle() Declaration[question, answer] {
	return Declaration[question, answer]{
		Queue:   acemq.Queue{Name: questions},
		Request: Kind{"question.asked", 2},
		Reply:   Kind{"question.answered", 3},
	}
}

// echo answers every question with its text.
func echo(_ context.Context, m *acemq.Message[question]) (answer, error) {
	return answer{"re: " + m.Payload.Text}, nil
}

// rig is a broker in memory with the queue of the questions, and one connection each for those who ask and those who
// answer.
type rig struct {
	*testing.T
	name    string
	server  *memory.Server
	asking  *acemq.Conn
	serving *acemq.Conn
	foreign transport.Broker // of the other libraries of the family
}

var rigs atomic.Int64

// bubble runs a test in virtual time, on a rig. It fails where a goroutine does not end.
func bubble(t *testing.T, test func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{T: t, name: fmt.Sprintf("request-%d", rigs.Add(1))}
		r.server = memory.Serve(r.name)
		t.Cleanup(r.server.Close)
		r.foreign = memory.Open(r.name)
		t.Cleanup(func() { r.foreign.Close(context.Background()) })
		r.asking, r.serving = r.dial(), r.dial()
		if err := r.serving.Declare(t.Context(), topology.New().Queue(questions, topology.Retry(retries))); err != nil {
			t.Fatal(err)
		}
		test(r)
		synctest.Wait()
	})
}

// retries is the policy of those tests that have one.
var retries = acemq.Fixed(3, 2*time.Second)

// dial opens one more connection, which is closed at the end of the test.
func (r *rig) dial() *acemq.Conn {
	r.Helper()
	conn, err := acemq.Dial(r.Context(), "memory://"+r.name, acemq.WithService("tests"), acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() {
		if err := conn.Close(context.Background()); err != nil {
			r.Errorf("close: %v", err)
		}
	})
	return conn
}

// serve starts a server.
func (r *rig) serve(d Declaration[question, answer], f Func[question, answer]) *Server {
	r.Helper()
	s, err := Serve(r.Context(), r.serving, d, f)
	if err != nil {
		r.Fatal(err)
	}
	return s
}

// ask asks a question without any other context.
func (r *rig) ask(text string, opts ...acemq.PublishOption) (string, error) {
	return r.askWithin(r.Context(), text, opts...)
}

func (r *rig) askWithin(ctx context.Context, text string, opts ...acemq.PublishOption) (string, error) {
	a, err := NewClient(r.asking, oracle()).Call(ctx, question{text}, opts...)
	return a.Text, err
}

// wantAnswer asks a question that must be answered.
func (r *rig) wantAnswer(text, want string, opts ...acemq.PublishOption) {
	r.Helper()
	got, err := r.ask(text, opts...)
	if err != nil {
		r.Fatal(err)
	}
	wantEqual(r, "the answer", got, want)
}

// put publishes a message as another library would.
func (r *rig) put(m transport.Message) {
	r.Helper()
	pending, err := r.foreign.Publish(r.Context(), m)
	if err == nil {
		err = pending.Wait(r.Context())
	}
	if err != nil {
		r.Fatal(err)
	}
}

// queue declares a queue as another library would.
func (r *rig) queue(name string) {
	r.Helper()
	if err := r.foreign.Declare(r.Context(), &topology.Topology{Queues: []topology.Queue{{Name: name}}}); err != nil {
		r.Fatal(err)
	}
}

// serveForeign answers questions as another library would: with what reply makes of the request.
func (r *rig) serveForeign(reply func(request *transport.Delivery) []transport.Message) {
	r.Helper()
	sub, err := r.foreign.Consume(r.Context(), transport.Subscription{Queue: questions, Prefetch: 10})
	if err != nil {
		r.Fatal(err)
	}
	go func() {
		for d := range sub.Deliveries() {
			for _, m := range reply(d) {
				r.put(m)
			}
			if err := d.Ack(); err != nil {
				r.Error(err)
			}
		}
	}()
}

// peek returns the one message of a queue.
func (r *rig) peek(queue string) transport.Message {
	r.Helper()
	synctest.Wait()
	messages := r.server.Peek(queue)
	if len(messages) != 1 {
		r.Fatalf("%s has %d messages, want 1", queue, len(messages))
	}
	return messages[0]
}

// replyQueues returns the reply queues on the broker.
func (r *rig) replyQueues() []string {
	synctest.Wait()
	var found []string
	for _, name := range r.server.Queues() {
		if strings.HasPrefix(name, replyQueue) {
			found = append(found, name)
		}
	}
	return found
}

// wantDead fails unless the one request in the dead-letter queue was set aside for a reason.
func (r *rig) wantDead(reason string) {
	r.Helper()
	m := r.peek(wire.DeadLetterQueue(questions))
	if got := fmt.Sprint(m.Headers[wire.HeaderError]); !strings.Contains(got, reason) {
		r.Errorf("the request was set aside because %q, want %q", got, reason)
	}
}

func (r *rig) wantCalls(want Calls) {
	r.Helper()
	synctest.Wait()
	wantEqual(r, "the count of calls", CallsOf(r.asking), want)
}

func (r *rig) wantAnswers(s *Server, want Answers) {
	r.Helper()
	synctest.Wait()
	wantEqual(r, "the count of answers", s.Answers(), want)
}

func wantEqual[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %+v, want %+v", what, got, want)
	}
}

// wantAs fails unless err is of the type E.
func wantAs[E error](t testing.TB, err error) (typed E) {
	t.Helper()
	if !errors.As(err, &typed) {
		t.Fatalf("the error is %v (%T), want a %T", err, err, typed)
	}
	return typed
}

// wantNoAnswer fails unless err says that no answer came, for a cause.
func wantNoAnswer(t testing.TB, err, cause error) *NoAnswerError {
	t.Helper()
	none := wantAs[*NoAnswerError](t, err)
	if !errors.Is(err, cause) {
		t.Errorf("no answer came because of %v, want %v", err, cause)
	}
	return none
}
