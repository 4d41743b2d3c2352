// Package transport is the seam between the engine and a broker: declare, publish with an outcome, consume, settle,
// close. transport/rabbit implements it over amqp091-go, transport/memory in the process. One conformance suite,
// transport/conformance, runs on both.
package transport

import (
	"context"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Broker is a service's access to one broker. It stays usable while the connection is lost and found again: what was
// declared is declared again, and consumers are subscribed again, for ever, until Close. All methods may be called
// concurrently, and each wait ends with its context or a bound of the transport's own.
type Broker interface {
	// Declare declares a topology, in its order, and verifies what is external. It returns a *ConflictError where the
	// broker has an object of that name with other arguments, and a *NotFoundError where something external is
	// missing. What it declared is declared again after each reconnection.
	Declare(ctx context.Context, t *topology.Topology) error

	// Publish writes a message and returns without waiting for the broker's answer; the answer is the Pending's. It
	// waits while the window of unanswered messages is full and while the connection is being made. An error is a
	// *RefusedError: nothing was written.
	Publish(ctx context.Context, m Message) (Pending, error)

	// Consume subscribes to a queue. An error means that there is no subscription: the queue is missing
	// (*NotFoundError), or the broker refused it. A subscription that stands comes back after every loss.
	Consume(ctx context.Context, s Subscription) (Consumer, error)

	// Inspect asks for the state of a queue without changing it. A missing queue is a *NotFoundError.
	Inspect(ctx context.Context, queue string) (QueueState, error)

	// State tells how the connection is, without a round trip.
	State() State

	// Close ends the connection in good order, by force when ctx ends, and gives back what is unsettled. Calls that
	// wait return. Further calls do nothing.
	Close(ctx context.Context) error
}

// Message is a message as it stands on the wire. Text properties hold at most 255 bytes.
type Message struct {
	Exchange    string // published to, or received from; "" is the default exchange
	Key         string // the routing key
	Body        []byte
	ContentType string
	MessageID   string // never empty when published: a return is matched by it
	ReplyTo     string
	Headers     wire.Table
	Priority    uint8
	Expiration  time.Duration // how long it may wait in a queue; 0 is for ever
	Transient   bool          // may be lost when the broker restarts
	Optional    bool          // may be routed to no queue at all
	Copy        bool          // has the content of a message that was received: held to what brokers take
	FromData    bool          // the exchange comes from data and may not exist: kept apart from other publishes
}

// Pending is a message that was written and not answered yet. It may be used concurrently.
type Pending interface {
	// Done is closed when the broker has answered or the connection is lost.
	Done() <-chan struct{}

	// Wait returns the outcome: nil when the message is confirmed and, unless it is Optional, routed to a queue;
	// *UnroutableError, *NackedError, or *UnknownError when the connection was lost, ctx ended, or the broker did not
	// answer within the transport's confirm timeout. It may be called more than once.
	Wait(ctx context.Context) error
}

// Subscription says what to consume and how.
type Subscription struct {
	Queue     string
	Prefetch  int        // how many unsettled messages the broker hands out at once, 1 to 65,535
	Arguments wire.Table // consumer arguments

	// InOrder has everything that is given back keep its place in the queue. It goes back with the channel, and not by
	// itself, which would put it at the end of a quorum queue without a delivery limit; and the subscription ends with
	// the channel, and not before, which would hand what follows to another consumer while something is held.
	InOrder bool

	// Temporary makes the queue the subscription's own: a classic queue that is declared whenever the subscription is
	// made, and deleted, with what is in it, by Close. It outlives a connection that is lost, and what it would leave
	// behind: the broker deletes it once nobody has consumed it for this long, 1 ms to wire.MaxTTL. 0 is for every other
	// queue.
	Temporary time.Duration
}

// Own returns the topology of a queue that is Temporary, nil for any other.
func (s Subscription) Own() *topology.Topology {
	if s.Temporary == 0 {
		return nil
	}
	return &topology.Topology{Queues: []topology.Queue{{
		Name:      s.Queue,
		Arguments: wire.Table{"x-queue-type": "classic", "x-expires": s.Temporary.Milliseconds()},
	}}}
}

// Consumer is a standing subscription. Its messages are taken with Next or from Deliveries.
type Consumer interface {
	// Next waits for a message, over reconnections, and takes it into d, in the order of the broker. It reports false
	// after Stop and Close.
	Next(d *Delivery) bool

	// Deliveries are the messages for one who waits for other things as well; Next is faster. The channel stays the same
	// over reconnections and is closed by Stop and Close.
	Deliveries() <-chan *Delivery

	// Stop asks for no more messages and gives back, once, what was fetched and not yet taken. Messages that were taken
	// can still be settled. An InOrder subscription is closed by it.
	Stop(ctx context.Context) error

	// Close stops, and gives back everything that is unsettled.
	Close(ctx context.Context) error
}

// Delivery is a message that was handed to a consumer. It is settled once, on the channel it came from.
type Delivery struct {
	Message
	Queue       string
	Redelivered bool
	Settler
}

// Settler answers a delivery. Its methods may be called concurrently; the first Ack or Nack counts.
type Settler interface {
	// Ack takes the message off its queue. It returns ErrSettled for a second answer, and ErrLost when the channel
	// is gone: the message will be delivered again.
	Ack() error

	// Nack gives the message back to its queue, or, without requeue, leaves it to the queue's own dead-lettering. Its
	// errors are those of Ack.
	Nack(requeue bool) error

	// Live reports whether the delivery can still be settled. One that cannot must not be handled: it comes again.
	Live() bool
}

// QueueState is what a broker tells of a queue.
type QueueState struct {
	Ready     int // messages that wait for a consumer
	Consumers int
}

// State tells how a connection is.
type State struct {
	Up      bool   // false while the connection is being made again, and after Close
	Blocked bool   // the broker refuses to take messages; consuming goes on
	Reason  string // why it is blocked or not up, in words
}
