package schedule

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

const (
	// prefetch is how many messages a scheduler works on at once (contract: scheduling, algorithm).
	prefetch = 50

	// retryEvery is the wait after which a message that could not be moved is tried again (contract: scheduling,
	// differences).
	retryEvery = 5 * time.Second

	// crowdedRung is where a message waits instead while others that could not be moved have taken the room.
	crowdedRung = 10 * time.Second
)

// Scheduler takes the messages that come out of a rung, and puts each into the next one or delivers it. It may be used
// concurrently.
type Scheduler struct {
	conn     *acemq.Conn
	desk     *desk
	log      *slog.Logger
	room     room
	consumer *acemq.Consumer
}

// Run declares the [Topology] and starts a scheduler on conn. ctx bounds the start. The scheduler stops with
// [Scheduler.Close] or with the connection, and comes back after every loss of it. A [*acemq.ConflictError] says that a
// queue of the topology exists with other arguments.
func Run(ctx context.Context, conn *acemq.Conn) (*Scheduler, error) {
	s := &Scheduler{
		conn: conn,
		desk: deskOf(conn),
		log:  conn.Logger().With("queue", wire.ScheduleDueQueue),
		room: room{places: prefetch / 2, wait: retryEvery},
	}
	if err := s.desk.declare(ctx, conn); err != nil {
		return nil, fmt.Errorf("acemq: schedule: %w", err)
	}
	// The queue is everybody's: nothing is declared beside it, and what fails goes back to it.
	queue := acemq.Queue{Name: wire.ScheduleDueQueue, Prefetch: prefetch, RequeueOnFailure: true}
	var err error
	s.consumer, err = acemq.Consume(ctx, conn, queue, s.take, acemq.Private(), acemq.DecodeWith(acemq.Bytes))
	if err != nil {
		return nil, fmt.Errorf("acemq: schedule: %w", err)
	}
	return s, nil
}

// Close stops the scheduler as [acemq.Consumer.Close] does: what it works on is finished, and what it keeps goes back
// to acemq.schedule.due. The queues stay, with the messages of everybody in them. It may be repeated.
func (s *Scheduler) Close(ctx context.Context) error { return s.consumer.Close(ctx) }

// Counts returns the counts of the scheduler's connection so far.
func (s *Scheduler) Counts() Counts { return s.desk.counts() }

// take handles a message that came out of a rung.
func (s *Scheduler) take(ctx context.Context, m *acemq.Message[[]byte]) acemq.Ack {
	w, err := read(m)
	if err != nil {
		s.drop(m, err)
		return acemq.Accept()
	}
	if err := s.move(ctx, w); err != nil {
		return s.keep(ctx, w, err)
	}
	return acemq.Accept()
}

// move puts a message into its next rung, or delivers it.
func (s *Scheduler) move(ctx context.Context, w waiting) error {
	if rung := wire.NextRung(time.Until(w.Due)); rung > 0 {
		return s.desk.put(ctx, s.conn, rung, w.hop())
	}
	o := w.delivery()
	err := s.conn.Send(ctx, o)
	if err == nil {
		s.desk.delivered.Add(1)
		observeDelivery(ctx, s.conn, o)
	}
	return err
}

// keep keeps a message that could not be moved, for another try. It waits here, unacknowledged, and then goes back to
// the queue. Where many wait here already it waits in a rung, if it can, so that they do not keep others from moving.
func (s *Scheduler) keep(ctx context.Context, w waiting, cause error) acemq.Ack {
	s.desk.kept.Add(1)
	s.conn.Observe(ctx, w.event(acemq.EventMoveFailed, cause))
	s.log.Error("acemq: a scheduled message could not be moved, and is kept", "event", "acemq.move.failed",
		"id", w.Envelope.ID, "exchange", w.Exchange, "key", w.Key, "due", w.Due, "error", cause)
	if !s.room.take(time.Now()) && s.desk.put(ctx, s.conn, crowdedRung, w.hop()) == nil {
		return acemq.Accept()
	}
	return acemq.RetryAfter(retryEvery, cause)
}

// drop reports a message that no scheduler made. It could not be delivered by anybody.
func (s *Scheduler) drop(m *acemq.Message[[]byte], cause error) {
	s.desk.foreign.Add(1)
	s.conn.Observe(context.Background(), acemq.Event{Name: acemq.EventForeignSchedule, Queue: m.Queue,
		Type: m.Envelope.Type, ID: m.Envelope.ID, Correlation: m.Envelope.Correlation, Err: cause})
	s.log.Error("acemq: a message that no scheduler made is dropped", "event", "acemq.schedule.foreign.message",
		"id", m.Envelope.ID, "type", m.Envelope.Type, "origin", m.Envelope.Origin, "key", m.RoutingKey, "error", cause)
}
