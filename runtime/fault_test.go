package acemq

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// places are where a message of work can be.
var places = []string{work, "work.retry.1m", "work.dlq", "work.parked"}

// whereIs returns how many copies of the message are in each place.
func (r *rig) whereIs() map[string]int {
	r.Helper()
	found := make(map[string]int)
	for _, queue := range places {
		if n := r.ready(queue); n > 0 {
			found[queue] = n
		}
	}
	return found
}

// Each way to move a message, and the queue that its copy goes to.
var moves = []struct {
	name   string
	ack    Ack
	retry  RetryPolicy
	target string
}{
	{"a retry that waits here", RetryAfter(time.Second, errBusy), RetryPolicy{}, work},
	{"a retry that waits in a rung", Retry(errBusy), Fixed(3, time.Minute), "work.retry.1m"},
	{"a dead letter", DeadLetter(errBusy), Fixed(3, time.Minute), "work.dlq"},
	{"the last attempt", Retry(errBusy), NoRetry(), "work.dlq"},
	{"a parked message", Park(errBusy), Fixed(3, time.Minute), "work.parked"},
}

// Whatever happens to the publish of a copy, the message is somewhere afterwards; and once publishing works again it
// gets where it belongs.
func TestFaultsWhileMovingAMessage(t *testing.T) {
	for _, move := range moves {
		for name, broken := range map[string]fault{
			"nacked": nacked, "refused": refused, "lost on the way": lostOnTheWay, "lost on the way back": lostOnTheBack,
		} {
			t.Run(move.name+" "+name, func(t *testing.T) {
				bubble(t, func(r *rig) {
					r.putOrder("1")
					r.broker.fail(func(m transport.Message, nth int) fault { return onlyThree(broken, m, move.target, nth) })
					var calls atomic.Int64
					c := r.consume(Queue{Retry: move.retry}, func(context.Context, *Message[order]) Ack {
						calls.Add(1)
						return move.ack
					})
					r.sleep(8 * time.Second) // three failures, with pauses of 1, 2 and 4 s, and the fourth try
					wantEqual(r, "the failed copies", c.Counts().SetAsideFailed, 3)
					if calls.Load() > 40 { // copies that arrived after all go round as well
						r.Errorf("the message went round %d times in 8 seconds", calls.Load())
					}
					if err := c.Close(r.Context()); err != nil {
						r.Fatal(err)
					}
					found := r.whereIs()
					if found[move.target] == 0 {
						r.Errorf("the message is not in %s but in %v", move.target, found)
					}
					if move.target != work && found[work] > 0 {
						r.Errorf("the original is still there: %v", found)
					}
				})
			})
		}
	}
}

// onlyThree fails the first three publishes to a queue.
func onlyThree(f fault, m transport.Message, target string, nth int) fault {
	if m.Key == target && nth <= 3 {
		return f
	}
	return works
}

// While a copy does not land, the message is held or in its queue, and nowhere else counted.
func TestNothingIsCountedThatDidNotArrive(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		r.broker.fail(func(transport.Message, int) fault { return nacked })
		c := r.consume(Queue{}, func(context.Context, *Message[order]) Ack { return DeadLetter(errBusy) })
		r.sleep(time.Hour)
		counts := c.Counts()
		if counts.SetAsideFailed < 100 || counts.SetAsideFailed > 130 {
			r.Errorf("%d tries in an hour, want about 120: the pause grows to 30s", counts.SetAsideFailed)
		}
		counts.SetAsideFailed, counts.Lost = 0, 0 // a message that is kept for half an hour is taken away
		wantEqual(r, "the other counts", counts, Counts{})
		if err := c.Close(r.Context()); err != nil {
			r.Fatal(err)
		}
		wantEqual(r, "the messages in work", r.ready(work), 1)
	})
}

// Once a copy has landed, the next one that does not pauses for a second again.
func TestPausesStartAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		r.broker.fail(func(_ transport.Message, nth int) fault {
			if nth <= 3 || nth == 5 {
				return nacked
			}
			return works
		})
		r.consume(Queue{}, func(context.Context, *Message[order]) Ack { return DeadLetter(errBusy) })
		r.putOrder("1")
		r.sleep(7 * time.Second)
		wantEqual(r, "the dead letters after pauses of 1, 2 and 4 s", r.ready("work.dlq"), 1)
		r.putOrder("2")
		r.sleep(time.Second)
		wantEqual(r, "the dead letters after a pause of 1 s", r.ready("work.dlq"), 2)
	})
}

// RabbitMQ 4 takes a message off a quorum queue after 20 deliveries. A message that cannot be set aside does not get
// that far, however long it takes.
func TestNoMessageIsGivenBackUntilTheBrokerDropsIt(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.consume(Queue{}, func(context.Context, *Message[order]) Ack { return DeadLetter(errBusy) })
		r.broker.forbidDeclare()
		r.server.DeleteQueue("work.dlq")
		r.putOrder("1")
		r.sleep(3 * time.Hour)
		r.broker.allowDeclare()
		r.sleep(time.Minute)
		wantEqual(r, "the dead letters", r.ready("work.dlq"), 1)
		wantEqual(r, "rejected", c.Counts().Rejected, 1)
	})
}

// A queue that somebody deleted is declared again, and the message gets there at once.
func TestDeletedSetAsideQueue(t *testing.T) {
	for _, move := range moves[1:] {
		t.Run(move.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				c := r.consume(Queue{Retry: move.retry}, func(context.Context, *Message[order]) Ack { return move.ack })
				r.server.DeleteQueue(move.target)
				r.putOrder("1")
				wantEqual(r, "the messages in "+move.target, r.ready(move.target), 1)
				wantEqual(r, "the failures", c.Counts().SetAsideFailed, 0)
			})
		})
	}
}

// A rung that cannot be declared again is waited out in the consumer.
func TestRungThatStaysAway(t *testing.T) {
	bubble(t, func(r *rig) {
		s := answers(Retry(errBusy))
		c := r.consume(Queue{Retry: Fixed(3, time.Minute)}, s.handle)
		r.broker.forbidDeclare()
		r.server.DeleteQueue("work.retry.1m")
		r.putOrder("1")
		r.sleep(time.Hour)
		wantList(r, "the attempts", s.attempts(), []int{1, 2})
		wantEqual(r, "the wait", s.times()[1]-s.times()[0], time.Minute)
		r.wantCounts(c, Counts{Retried: 1, Accepted: 1, RungMissing: 1})
	})
}

// A dead-letter queue that cannot be declared again holds the message back, and its neighbours go on.
func TestSetAsideQueueThatStaysAway(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.consume(Queue{Prefetch: 2, Concurrency: 1}, func(_ context.Context, m *Message[order]) Ack {
			if m.Payload.ID == "bad" {
				return DeadLetter(errBusy)
			}
			return Accept()
		})
		r.broker.forbidDeclare()
		r.server.DeleteQueue("work.dlq")
		r.putOrder("bad")
		for i := range 20 {
			r.putOrder(fmt.Sprint(i))
		}
		r.sleep(10 * time.Second)
		wantEqual(r, "the others", c.Counts().Accepted, 20)
		r.broker.allowDeclare()
		r.sleep(time.Minute)
		wantEqual(r, "the dead letters", r.ready("work.dlq"), 1)
		wantEqual(r, "rejected", c.Counts().Rejected, 1)
	})
}

// An acknowledgement that never reaches the broker makes a duplicate and no loss.
func TestConnectionLostBeforeTheAck(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		s := answers()
		c := r.consume(Queue{}, func(ctx context.Context, m *Message[order]) Ack {
			ack := s.handle(ctx, m)
			if len(s.attempts()) == 1 {
				r.server.Cut()
			}
			return ack
		})
		r.sleep(time.Hour)
		wantList(r, "the attempts", s.attempts(), []int{1, 1})
		r.wantCounts(c, Counts{Accepted: 1, Lost: 1})
	})
}

// A message whose channel is lost while it waits for a retry comes again, and is not sent as well.
func TestConnectionLostDuringAWait(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		s := answers(RetryAfter(time.Minute, errBusy))
		c := r.consume(Queue{}, s.handle)
		r.sleep(30 * time.Second)
		r.server.Cut()
		r.sleep(time.Hour)
		wantList(r, "the attempts", s.attempts(), []int{1, 1})
		r.wantCounts(c, Counts{Accepted: 1, Lost: 1})
		wantEqual(r, "the copies", len(r.broker.messages()), 0)
	})
}

// A handler is not called for a delivery whose channel is gone already.
func TestLostDeliveriesAreNotHandled(t *testing.T) {
	bubble(t, func(r *rig) {
		for i := range 3 {
			r.putOrder(fmt.Sprint(i))
		}
		s := answers()
		r.consume(Queue{Prefetch: 3, Concurrency: 1}, func(ctx context.Context, m *Message[order]) Ack {
			ack := s.handle(ctx, m)
			if len(s.attempts()) == 1 {
				r.server.Cut()
				time.Sleep(time.Minute)
			}
			return ack
		})
		r.sleep(time.Hour)
		wantEqual(r, "the deliveries", len(s.seen), 4) // the first one twice
	})
}

// A delivery whose queue is full is not lost.
func TestFullDeadLetterQueue(t *testing.T) {
	bubble(t, func(r *rig) {
		full := topology.Topology{Queues: []topology.Queue{{Name: "work.dlq",
			Arguments: wire.Table{"x-max-length": int64(1), "x-overflow": "reject-publish"}}}}
		r.consume(Queue{}, func(context.Context, *Message[order]) Ack { return DeadLetter(errBusy) })
		r.server.DeleteQueue("work.dlq")
		if err := r.broker.Broker.Declare(r.Context(), &full); err != nil {
			r.Fatal(err)
		}
		r.putOrder("1")
		r.putOrder("2")
		r.sleep(time.Minute)
		r.take("work.dlq")
		r.sleep(time.Minute)
		r.takeOne("work.dlq")
	})
}

// A copy that landed is counted, even where the answer to the original comes too late: there are two then.
func TestConnectionLostBetweenCopyAndAck(t *testing.T) {
	bubble(t, func(r *rig) {
		r.broker.fail(func(_ transport.Message, nth int) fault {
			if nth == 1 {
				return lostAfter
			}
			return works
		})
		r.putOrder("1")
		c := r.consume(Queue{}, func(context.Context, *Message[order]) Ack { return DeadLetter(errBusy) })
		r.sleep(time.Hour)
		r.wantCounts(c, Counts{Rejected: 2, Lost: 1})
		wantEqual(r, "the dead letters", r.ready("work.dlq"), 2)
	})
}

// A delivery of a channel that is gone comes again, so no handler sees it.
func TestDeadDeliveriesReachNoHandler(t *testing.T) {
	bubble(t, func(r *rig) {
		feed := make(chan *transport.Delivery, 1)
		r.conn.broker = feeding{r.broker, feed}
		s := answers()
		c := r.consume(Queue{}, s.handle)
		feed <- &transport.Delivery{Message: transport.Message{Body: []byte(`{}`)}, Settler: gone{}}
		r.wantCounts(c, Counts{Lost: 1})
		wantEqual(r, "the calls", len(s.seen), 0)
	})
}

// feeding is a broker whose consumers get what a test gives them.
type feeding struct {
	transport.Broker
	feed chan *transport.Delivery
}

func (b feeding) Consume(context.Context, transport.Subscription) (transport.Consumer, error) {
	return b, nil
}
func (b feeding) Next(d *transport.Delivery) bool {
	next, more := <-b.feed
	if more {
		*d = *next
	}
	return more
}
func (b feeding) Deliveries() <-chan *transport.Delivery { return b.feed }
func (b feeding) Stop(context.Context) error             { close(b.feed); return nil }

// gone answers for a delivery whose channel is gone.
type gone struct{}

func (gone) Ack() error      { return transport.ErrLost }
func (gone) Nack(bool) error { return transport.ErrLost }
func (gone) Live() bool      { return false }
