package replay

import (
	"context"
	"errors"
	"fmt"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
)

const (
	// idle is how long no message comes before the run asks whether there are any.
	idle = time.Second

	// patience is how long the run waits for messages that are still to come: those that the broker has not taken back
	// from a connection that was lost, and those that it hands to somebody else.
	patience = 30 * time.Second
)

// run is one pass over a queue.
type run[T any] struct {
	*Replay[T]
	limit int                               // of the messages that are moved; 0 is none
	see   func(*acemq.Message[[]byte]) bool // shown what matches, which then stays; nil where it is moved

	reader *reader
	left   int       // messages of those that waited which are neither moved, nor declined, nor under way
	owed   int       // messages that are moved, and come again because their ack could not be written
	unseen int       // messages that waited after a loss, and may be moved ones whose ack was lost
	lost   bool      // a channel is lost, and the reader is to be opened again
	losses int       // how often that was
	since  time.Time // when the last message came

	flights []*flight // copies under way, in the order they were sent
	landed  landed
	sending context.Context // of the copies under way
	result  Result
}

// pass runs over the queue. Where see is nil it moves what the filter does not decline, limit messages at most; otherwise
// it shows what it would move, until see returns false.
func (r *Replay[T]) pass(ctx context.Context, limit int, see func(*acemq.Message[[]byte]) bool) (Result, error) {
	into, err := r.names()
	pass := &run[T]{Replay: r, limit: limit, see: see, landed: landed{}, result: Result{From: r.from, Into: into}}
	ctx, leave := join(ctx, r.conn, r.from)
	defer leave()
	if err == nil {
		err = pass.run(ctx)
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	pass.result.Stopped = pass.reason(ctx, err)
	if see == nil {
		r.conn.Logger().Info("acemq: replayed", "queue", r.from, "into", into, "moved", pass.result.Moved,
			"skipped", pass.result.Skipped, "stopped", string(pass.result.Stopped), "error", err)
	}
	if err != nil {
		err = r.failed(err)
	}
	return pass.result, err
}

// reason says why a run has ended.
func (r *run[T]) reason(ctx context.Context, err error) Reason {
	switch {
	case err == nil && r.isFull():
		return Limit
	case err == nil:
		return Drained
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Deadline
	case ctx.Err() != nil:
		return Cancelled
	default:
		return Failed
	}
}

// run reads from the first message to the last, and leaves nothing open, however it ends.
func (r *run[T]) run(ctx context.Context) error {
	state, err := r.conn.Inspect(ctx, r.from)
	if err != nil || state.Ready == 0 {
		return err
	}
	r.left, r.since = state.Ready, time.Now()
	sending, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	r.sending = sending
	if r.reader, err = openReader(ctx, r.conn, r.from); err != nil {
		return err
	}
	defer func() { r.reader.close(ctx) }() // the one there is then
	defer r.finish(abandon)
	clock := time.NewTimer(idle)
	defer clock.Stop()
	for !r.isOver() && err == nil {
		clock.Reset(idle)
		err = r.step(ctx, clock.C)
	}
	if errors.Is(err, errSeen) {
		return nil
	}
	return err
}

// isFull reports whether as many messages are moved or under way as the run was told.
func (r *run[T]) isFull() bool { return r.limit > 0 && r.result.Moved+len(r.flights) >= r.limit }

// isDone reports whether no further message is to be judged.
func (r *run[T]) isDone() bool { return r.isFull() || r.left <= 0 }

// isOver reports whether there is nothing left to do.
func (r *run[T]) isOver() bool {
	return len(r.flights) == 0 && r.isDone() && !r.comesAgain() && !r.lost && !r.reader.isLost()
}

// comesAgain reports whether messages that are moved are still to be taken off the queue.
func (r *run[T]) comesAgain() bool { return r.owed > 0 || r.unseen > 0 }

// step does the next thing that there is to do.
func (r *run[T]) step(ctx context.Context, clock <-chan time.Time) error {
	if r.lost && len(r.flights) == 0 {
		return r.reopen(ctx)
	}
	var deliveries <-chan *transport.Delivery
	if !r.lost && len(r.flights) < ahead && (!r.isDone() || r.comesAgain()) {
		deliveries = r.reader.deliveries
	}
	var answered <-chan struct{}
	if len(r.flights) > 0 {
		answered = r.flights[0].answered
	}
	select {
	case d := <-deliveries:
		return r.receive(ctx, d)
	case <-answered:
		return r.land(ctx)
	case <-clock:
		return r.wait(ctx)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// receive takes up a message.
func (r *run[T]) receive(ctx context.Context, d *transport.Delivery) error {
	r.since = time.Now()
	switch {
	case r.reader.isLost() || !d.Live():
		r.lost = true
		return nil
	}
	r.unseen--
	switch {
	case r.landed.take(d):
		r.owed = max(r.owed-1, 0)
		r.accept(d)
		return nil
	case r.isDone():
		return r.reader.hold(ctx, d)
	}
	r.left--
	switch {
	case !r.judge(d):
		r.result.Skipped++
	case r.see == nil:
		return r.send(ctx, r.flight(d))
	case !r.see(raw(d)):
		return errSeen
	}
	r.report()
	return r.reader.hold(ctx, d)
}

// errSeen says that enough was seen.
var errSeen = errors.New("enough was seen")

// judge reports whether a message is to be replayed.
func (r *run[T]) judge(d *transport.Delivery) bool {
	switch {
	case !r.takes(d):
		return false
	case r.keep == nil:
		return true
	}
	if m, err := acemq.Receive[T](d, r.codec); err == nil {
		return r.keep(m)
	}
	if r.rest != nil && r.rest(raw(d)) {
		return true
	}
	r.result.Unreadable++
	return false
}

// raw returns a message with its body as it is.
func raw(d *transport.Delivery) *acemq.Message[[]byte] {
	m, _ := acemq.Receive[[]byte](d, acemq.Bytes) // which reads anything
	return m
}

// reopen reads on from the start of the queue, where everything has gone that was held and on its way.
func (r *run[T]) reopen(ctx context.Context) error {
	r.conn.Logger().Warn("acemq: a channel was lost, and the replay reads the queue again", "queue", r.from)
	r.reader.close(ctx)
	r.left += r.result.Skipped
	r.result.Skipped, r.result.Unreadable = 0, 0
	state, err := r.conn.Inspect(ctx, r.from)
	if err != nil {
		return err
	}
	reader, err := openReader(ctx, r.conn, r.from)
	if err != nil {
		return err
	}
	r.reader = reader
	r.unseen, r.lost, r.losses, r.since = state.Ready, false, r.losses+1, time.Now()
	return nil
}

// wait judges why no message has come for a while.
func (r *run[T]) wait(ctx context.Context) error {
	if r.lost || len(r.flights) > 0 {
		return nil
	}
	state, err := r.conn.Inspect(ctx, r.from)
	late := time.Since(r.since) >= patience
	switch {
	case err != nil:
		return err
	case r.reader.isLost():
		r.lost = true
	case state.Ready > 0 && late:
		return fmt.Errorf("%d messages wait and none was handed out for %v: another consumer has the queue to itself, or "+
			"holds too many", state.Ready, patience)
	case state.Ready > 0:
	case late || r.losses == 0:
		r.left, r.owed, r.unseen = 0, 0, 0 // somebody else has them
	default:
		r.unseen = 0
	}
	return nil
}

// report tells how far the run is.
func (r *run[T]) report() {
	if r.own.progress != nil {
		r.own.progress(r.result)
	}
}
