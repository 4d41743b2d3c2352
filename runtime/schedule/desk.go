package schedule

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// desk is what scheduling keeps for one connection.
type desk struct {
	declared atomic.Bool // the topology, on this connection

	scheduled, delivered, hops, kept, foreign atomic.Int64
}

func deskOf(conn *acemq.Conn) *desk { return acemq.Attached[desk](conn) }

// declare declares the topology. The connection declares it again after every loss.
func (d *desk) declare(ctx context.Context, conn *acemq.Conn) error {
	if err := conn.Declare(ctx, Topology()); err != nil {
		return err
	}
	d.declared.Store(true)
	return nil
}

// put puts a message between rungs into one. Where the rung or the exchange is missing, it declares them and tries once
// more. The exchange is addressed, and not the rung itself: what leaves the rung needs it as well, and is lost without.
func (d *desk) put(ctx context.Context, conn *acemq.Conn, rung time.Duration, o acemq.Outgoing) error {
	o.Exchange, o.Key = wire.ScheduleExchange, wire.ScheduleQueue(rung)
	o.Envelope = acemq.Envelope{Type: wire.ScheduledType}
	o.ContentType = acemq.Bytes.ContentType()
	o.FromData = true // the exchange may have been deleted
	err := conn.Send(ctx, o)
	if isMissing(err) && d.declare(ctx, conn) == nil {
		err = conn.Send(ctx, o)
	}
	if err == nil {
		d.hops.Add(1)
	}
	return err
}

// isMissing reports whether a message did not arrive because a queue or an exchange is missing.
func isMissing(err error) bool {
	var unroutable *acemq.UnroutableError
	var notFound *acemq.NotFoundError
	return errors.As(err, &unroutable) || errors.As(err, &notFound)
}

// Counts are what was scheduled on a connection, and what its schedulers did, since it was made.
type Counts struct {
	Scheduled int64 // messages that After and At took, those that they delivered at once among them
	Delivered int64 // messages that are in their queue
	Hops      int64 // rungs that messages were put into, the first of each among them

	Kept    int64 // tries that failed: the message is kept and tried again
	Foreign int64 // messages in acemq.schedule.due that no scheduler made; they are dropped
}

func (d *desk) counts() Counts {
	return Counts{
		Scheduled: d.scheduled.Load(),
		Delivered: d.delivered.Load(),
		Hops:      d.hops.Load(),
		Kept:      d.kept.Load(),
		Foreign:   d.foreign.Load(),
	}
}
