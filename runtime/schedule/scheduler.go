package schedule

import (
	"context"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// Scheduler takes messages that come out of a rung, and puts them into the next one or delivers them. It may be used
// concurrently.
type Scheduler struct {
	conn *acemq.Conn
}

// Run declares the [Topology] and starts a scheduler on conn. ctx bounds the start. It stops with [Scheduler.Close] or
// with the connection.
func Run(ctx context.Context, conn *acemq.Conn) (*Scheduler, error) {
	if err := conn.Declare(ctx, Topology()); err != nil {
		return nil, err
	}
	return &Scheduler{conn: conn}, nil
}

// Close stops the scheduler as [acemq.Consumer.Close] does: what it works on is finished, and what it keeps goes back
// to acemq.schedule.due. The queues stay, with the messages of everybody in them. It may be repeated.
func (s *Scheduler) Close(ctx context.Context) error { return nil }

// Counts are what was scheduled on a connection, and what its schedulers did, since it was made.
type Counts struct {
	Scheduled int64 // messages that After and At took, delivered at once among them
	Delivered int64 // messages that are in their queue
	Hops      int64 // rungs that messages were put into, the first of each among them

	Kept    int64 // tries that failed: the message is tried again after 5 seconds
	Foreign int64 // messages in acemq.schedule.due that no scheduler made; they are dropped
}

// Counts returns the counts of the scheduler's connection so far.
func (s *Scheduler) Counts() Counts { return Counts{} }
