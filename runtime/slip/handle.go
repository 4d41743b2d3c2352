package slip

import (
	"context"
	"errors"
	"fmt"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/internal/route"
)

// End is returned by the handler of a stop to end its message there, whatever stops are left. The message is done.
var End = route.ErrEnd

// StopFunc does the work of a stop: what it returns goes on to the next one, and is dropped behind the last. An error
// is a failure: the message is tried again by the stop's retry policy, or dead-lettered when the error is
// [acemq.Fatal]. [End] ends the message.
type StopFunc[In, Out any] func(ctx context.Context, m *acemq.Message[In]) (Out, error)

// Handle starts a consumer that takes messages over a declared stop, and sends them on. The queue of the stop is
// declared already; a missing one is an [*acemq.NotFoundError].
//
// ctx bounds the start. Close the consumer, or the connection, to stop.
func Handle[In, Out any](ctx context.Context, conn *acemq.Conn, d *Declaration, stop string, f StopFunc[In, Out],
	opts ...acemq.ConsumeOption) (*acemq.Consumer, error) {
	follower := route.Follower[In, Out]{
		Conn:    conn,
		Owner:   d.Name,
		Map:     d.routes(),
		Run:     f,
		Absent:  absent,
		Outcome: func(route.Outcome) {},
	}
	err := follower.Map.Check()
	if err == nil {
		follower.Place, err = follower.Map.Place(stop)
	}
	if err == nil && f == nil {
		err = errors.New("the function is nil")
	}
	if err != nil {
		return nil, fmt.Errorf("acemq: handle stop %q: %w", stop, err)
	}
	return acemq.Consume(ctx, conn, follower.Place.Queue, follower.Handle, opts...)
}
