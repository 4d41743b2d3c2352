package replay

import (
	"context"
	"errors"
	"fmt"
	"iter"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Replay moves messages out of one queue into another. It is a value that does nothing until one of its methods is
// called; it may be used concurrently.
type Replay[T any] struct {
	conn  *acemq.Conn
	from  string
	own   settings
	codec acemq.Codec
	only  kind
	keep  func(*acemq.Message[T]) bool      // nil where all are kept
	rest  func(*acemq.Message[[]byte]) bool // of what does not decode; nil where all are declined
}

// New returns a replay out of any queue, of messages that are not decoded: a filter sees their bodies as they are.
//
// By default they go to the queue that from is named after, without its .dlq, .parked or .dead; [Into] says another.
// What is wrong with the names is the error of every method.
func New(conn *acemq.Conn, from string, opts ...Option) *Replay[[]byte] {
	r := Typed[[]byte](conn, from, opts...)
	r.codec = acemq.Bytes
	return r
}

// Typed is [New] for messages that a filter sees decoded, with the codec of the connection or of [DecodeWith].
func Typed[T any](conn *acemq.Conn, from string, opts ...Option) *Replay[T] {
	r := &Replay[T]{conn: conn, from: from}
	for _, option := range opts {
		option(&r.own)
	}
	r.codec = r.own.codec
	if r.codec == nil {
		r.codec = conn.Codec()
	}
	return r
}

// Where returns a replay of those messages alone for which keep returns true. What does not decode as a T is declined,
// unless [Replay.WhereUnreadable] says otherwise. keep is called for one message at a time, and for one message more
// than once where the connection is lost.
func (r *Replay[T]) Where(keep func(*acemq.Message[T]) bool) *Replay[T] {
	filtered := *r
	filtered.keep = keep
	return &filtered
}

// WhereUnreadable returns a replay that, beside the messages of [Replay.Where], has those that do not decode as a T and
// for which keep returns true. It changes nothing where Where is not used: then all messages are replayed.
func (r *Replay[T]) WhereUnreadable(keep func(*acemq.Message[[]byte]) bool) *Replay[T] {
	filtered := *r
	filtered.rest = keep
	return &filtered
}

// Into returns the queue that messages go to. An error says what is wrong with the names, and is that of every method.
func (r *Replay[T]) Into() (queue string, err error) {
	if queue, err = r.names(); err != nil {
		return "", r.failed(err)
	}
	return queue, nil
}

// names returns the queue that messages go to, and says what is wrong with it or with the other.
func (r *Replay[T]) names() (into string, err error) {
	into = r.own.into
	if home, ok := wire.SetAsideHome(r.from); into == "" && ok {
		into = home
	}
	switch into {
	case "":
		return "", errors.New("it does not end in .dlq, .parked or .dead, so it does not tell where its messages belong: " +
			"say the queue to move them into")
	case r.from:
		return "", errors.New("it would be read and written for ever: say another queue to move its messages into")
	}
	return into, errors.Join(wire.CheckShort("the queue", r.from), wire.CheckShort("the queue", into))
}

func (r *Replay[T]) failed(err error) error { return fmt.Errorf("acemq: replay %q: %w", r.from, err) }

// Pending returns how many messages wait in the queue. A missing queue is a [*acemq.NotFoundError].
func (r *Replay[T]) Pending(ctx context.Context) (int, error) {
	if _, err := r.names(); err != nil {
		return 0, r.failed(err)
	}
	state, err := r.conn.Inspect(ctx, r.from)
	if err != nil {
		return 0, r.failed(err)
	}
	return state.Ready, nil
}

// All replays every message that waits in the queue, and that the filter does not decline. The [Result] holds whether
// or not there is an error: it says what was moved before.
//
// A copy that the broker has no queue for is an [*acemq.UnroutableError], one that it does not take an
// [*acemq.NackedError]; either ends the run, and the message stays where it was. The end of ctx ends the run with its
// cause, once the copies that are under way are answered.
func (r *Replay[T]) All(ctx context.Context) (Result, error) { return r.pass(ctx, 0, nil) }

// First is [Replay.All] for the first n messages that the filter does not decline. An n below 1 is an error.
func (r *Replay[T]) First(ctx context.Context, n int) (Result, error) {
	if n < 1 {
		return Result{From: r.from, Stopped: Failed}, r.failed(fmt.Errorf("the first %d messages: say 1 or more", n))
	}
	return r.pass(ctx, n, nil)
}

// Matching returns the messages that All would move, oldest first, and moves none: each is back where it was when the
// loop has ended. It ends with an error, or with the last of the messages that waited when it began. Each has its body
// and its [acemq.Message.WireHeaders]. One may come twice where the connection is lost meanwhile.
func (r *Replay[T]) Matching(ctx context.Context) iter.Seq2[*acemq.Message[[]byte], error] {
	return func(yield func(*acemq.Message[[]byte], error) bool) {
		stopped := false
		_, err := r.pass(ctx, 0, func(m *acemq.Message[[]byte]) bool {
			stopped = !yield(m, nil)
			return !stopped
		})
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}
