package acemq

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// closeIn closes a consumer and returns how long it took.
func closeIn(ctx context.Context, closing func(context.Context) error) (time.Duration, error) {
	began := time.Now()
	err := closing(ctx)
	return time.Since(began), err
}

// sleeper is a handler that takes a time, or until its context ends, and then accepts.
func sleeper(d time.Duration) Handler[order] {
	return func(ctx context.Context, _ *Message[order]) Ack {
		select {
		case <-time.After(d):
			return Accept()
		case <-ctx.Done():
			return Retry(ctx.Err())
		}
	}
}

// stuck is a handler that takes a time, whatever its context says.
func stuck(d time.Duration) Handler[order] {
	return func(context.Context, *Message[order]) Ack {
		time.Sleep(d)
		return Accept()
	}
}

func TestCloseWaitsForHandlers(t *testing.T) {
	bubble(t, func(r *rig) {
		for i := range 5 {
			r.putOrder(fmt.Sprint(i))
		}
		c := r.consume(Queue{Prefetch: 4, Concurrency: 2}, sleeper(7*time.Second))
		r.sleep(time.Second)
		took, err := closeIn(r.Context(), c.Close)
		if err != nil {
			r.Error(err)
		}
		wantEqual(r, "the time it took", took, 6*time.Second)
		r.wantCounts(c, Counts{Accepted: 2})
		wantEqual(r, "the messages that went back", r.ready(work), 3)
		select {
		case <-c.Done():
		default:
			r.Error("closed, and not done")
		}
	})
}

// Until the broker has heard that a consumer stops, it hands back what it is given. A quorum queue counts that, and
// RabbitMQ 4 takes a message off after 20 times: so closing gives each message back once.
func TestCloseGivesBackOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		r.conn.broker = slowToStop{r.broker}
		for i := range 50 {
			r.putOrder(fmt.Sprint(i))
		}
		c := r.consume(Queue{Prefetch: 30, Concurrency: 3}, func(context.Context, *Message[order]) Ack {
			time.Sleep(time.Second)
			return Release()
		})
		synctest.Wait()
		if err := c.Close(r.Context()); err != nil {
			r.Error(err)
		}
		wantEqual(r, "the dead letters of the broker", r.ready("work.dlq"), 0)
		left := r.take(work)
		wantEqual(r, "the messages left", len(left), 50)
		for _, d := range left {
			if n, _ := d.Headers["x-delivery-count"].(int64); n > 1 {
				r.Errorf("message %s was handed back %d times", d.MessageID, n)
			}
		}
	})
}

// slowToStop is a broker that takes five seconds to hear that a consumer stops.
type slowToStop struct{ transport.Broker }

func (b slowToStop) Consume(ctx context.Context, s transport.Subscription) (transport.Consumer, error) {
	sub, err := b.Broker.Consume(ctx, s)
	return slowSubscription{sub}, err
}

type slowSubscription struct{ transport.Consumer }

func (s slowSubscription) Stop(ctx context.Context) error {
	time.Sleep(5 * time.Second)
	return s.Consumer.Stop(ctx)
}

// Handlers that heed their context have used up no attempt when they are cancelled.
func TestCloseCancelsHandlersAtTheBound(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		c := r.consume(Queue{Retry: NoRetry()}, sleeper(time.Hour))
		synctest.Wait()
		took, err := closeIn(r.Context(), c.Close)
		wantEqual(r, "the time it took", took, 20*time.Second)
		late := new(DrainTimeoutError)
		if !errors.As(err, &late) || !errors.Is(err, ErrDrainTimeout) {
			r.Fatalf("got %v, want a *DrainTimeoutError", err)
		}
		wantEqual(r, "the stranded messages", late.Stranded, 0)
		wantList(r, "the queues", late.Queues, []string{work})
		r.wantCounts(c, Counts{Released: 1})
		wantEqual(r, "the attempt that goes on", r.takeOne(work).Headers["x-acemq-attempt"], any(int32(1)))
	})
}

// A handler that heeds nothing does not hold the close, and its message comes again.
func TestCloseLeavesStuckHandlers(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		r.putOrder("2")
		c := r.consume(Queue{}, stuck(time.Hour))
		synctest.Wait()
		took, err := closeIn(r.Context(), c.Close)
		wantEqual(r, "the time it took", took, 20500*time.Millisecond)
		late := new(DrainTimeoutError)
		if !errors.As(err, &late) {
			r.Fatalf("got %v, want a *DrainTimeoutError", err)
		}
		wantEqual(r, "the stranded messages", late.Stranded, 2)
		wantEqual(r, "the messages that went back", r.ready(work), 2)
		r.sleep(2 * time.Hour)
		r.wantCounts(c, Counts{Lost: 2})
		wantEqual(r, "the messages after the handlers returned", r.ready(work), 2)
	})
}

// The context of Close shortens the drain timeout and never lengthens it.
func TestCloseIsBoundByItsContext(t *testing.T) {
	for name, c := range map[string]struct {
		opts  []DialOption
		bound time.Duration // of the context, 0 for none
		want  time.Duration
	}{
		"shorter":         {nil, 3 * time.Second, 3 * time.Second},
		"longer":          {nil, time.Hour, 20 * time.Second},
		"another timeout": {[]DialOption{WithDrainTimeout(time.Second)}, 0, time.Second},
		"no timeout":      {[]DialOption{WithDrainTimeout(0)}, time.Minute, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.putOrder("1")
				consumer := r.consume(Queue{}, sleeper(2*time.Hour))
				synctest.Wait()
				ctx := r.Context()
				if c.bound > 0 {
					bounded, cancel := context.WithTimeout(ctx, c.bound)
					defer cancel()
					ctx = bounded
				}
				took, err := closeIn(ctx, consumer.Close)
				wantEqual(r, "the time it took", took, c.want)
				wantEqual(r, "late", errors.Is(err, ErrDrainTimeout), true)
			}, c.opts...)
		})
	}
}

// Messages that wait for their next attempt are sent on at once, and keep the attempt they have earned.
func TestCloseSendsWaitingRetries(t *testing.T) {
	bubble(t, func(r *rig) {
		for i := range 3 {
			r.putOrder(fmt.Sprint(i))
		}
		c := r.consume(Queue{}, func(context.Context, *Message[order]) Ack { return RetryAfter(time.Hour, errBusy) })
		r.sleep(time.Minute)
		took, err := closeIn(r.Context(), c.Close)
		if err != nil {
			r.Error(err)
		}
		wantEqual(r, "the time it took", took, 0)
		r.wantCounts(c, Counts{Retried: 3})
		for _, d := range r.take(work) {
			wantEqual(r, "the attempt", d.Headers["x-acemq-attempt"], any(int32(2)))
		}
	})
}

// A message whose copy does not land is given back at once, not after its pause.
func TestCloseEndsPauses(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		r.broker.fail(func(transport.Message, int) fault { return refused })
		c := r.consume(Queue{}, func(context.Context, *Message[order]) Ack { return DeadLetter(errBusy) })
		r.sleep(100 * time.Millisecond)
		took, err := closeIn(r.Context(), c.Close)
		if err != nil {
			r.Error(err)
		}
		wantEqual(r, "the time it took", took, 0)
		wantEqual(r, "the messages that went back", r.ready(work), 1)
	})
}

func TestCloseWhileDisconnected(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		r.putOrder("2")
		s := answers(RetryAfter(time.Hour, errBusy), RetryAfter(time.Hour, errBusy))
		c := r.consume(Queue{}, s.handle)
		synctest.Wait()
		up := r.server.Down()
		took, err := closeIn(r.Context(), c.Close)
		if err != nil {
			r.Error(err)
		}
		if took > 20*time.Second {
			r.Errorf("it took %v", took)
		}
		up()
		wantEqual(r, "the messages", r.ready(work), 2)
	})
}

func TestConnCloseHasOneBudget(t *testing.T) {
	bubble(t, func(r *rig) {
		queues := []string{"a", "b", "c", "d"}
		for _, queue := range queues {
			r.declare(Queue{Name: queue})
			r.put(transport.Message{Key: queue, MessageID: queue, Body: []byte(`{}`)})
			if _, err := Consume(r.Context(), r.conn, Queue{Name: queue}, stuck(time.Minute)); err != nil {
				r.Fatal(err)
			}
		}
		synctest.Wait()
		took, err := closeIn(r.Context(), r.conn.Close)
		if took < 20*time.Second || took > 22*time.Second {
			r.Errorf("it took %v, want 20 s for all together", took)
		}
		late := new(DrainTimeoutError)
		if !errors.As(err, &late) {
			r.Fatalf("got %v, want a *DrainTimeoutError", err)
		}
		wantEqual(r, "the stranded messages", late.Stranded, 4)
		slices.Sort(late.Queues)
		wantList(r, "the queues", late.Queues, queues)
		if _, err := Consume(r.Context(), r.conn, Queue{Name: work}, stuck(0)); !errors.Is(err, transport.ErrClosed) {
			r.Errorf("consuming on a closed connection: %v, want that it is closed", err)
		}
		if refused := new(RefusedError); !errors.As(NewPublisher(r.conn, Route[order]{Key: work}).Publish(r.Context(), order{}), &refused) {
			r.Error("published on a closed connection")
		}
		took, again := closeIn(r.Context(), r.conn.Close)
		wantEqual(r, "the time of a second close", took, 0)
		wantEqual(r, "what it returns", again, err)
		r.sleep(time.Hour)
	})
}

// A handler that closes what it runs on does not wait for itself.
func TestCloseFromAHandler(t *testing.T) {
	for name, closing := range map[string]func(r *rig, ctx context.Context, c *Consumer) error{
		"the consumer":   func(_ *rig, ctx context.Context, c *Consumer) error { return c.Close(ctx) },
		"the connection": func(r *rig, ctx context.Context, _ *Consumer) error { return r.conn.Close(ctx) },
		"stop":           func(_ *rig, _ context.Context, c *Consumer) error { c.Stop(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.putOrder("1")
				r.putOrder("2")
				var c *Consumer
				started := make(chan struct{})
				began := time.Now()
				c = r.consume(Queue{Concurrency: 1}, func(ctx context.Context, _ *Message[order]) Ack {
					<-started
					if err := closing(r, ctx, c); err != nil {
						r.Error(err)
					}
					return Accept()
				})
				close(started)
				<-c.Done()
				wantEqual(r, "the time it took", time.Since(began), 0)
				r.wantCounts(c, Counts{Accepted: 1})
			})
		})
	}
}

// The end of the context that a consumer was started with does not stop it; its values reach the handler.
func TestContextOfHandlers(t *testing.T) {
	type key struct{}
	bubble(t, func(r *rig) {
		ctx, cancel := context.WithCancel(context.WithValue(r.Context(), key{}, "value"))
		var got any
		var ended error
		_, err := Consume(ctx, r.conn, Queue{Name: work}, func(ctx context.Context, _ *Message[order]) Ack {
			got, ended = ctx.Value(key{}), ctx.Err()
			return Accept()
		})
		if err != nil {
			r.Fatal(err)
		}
		cancel()
		r.putOrder("1")
		synctest.Wait()
		wantEqual(r, "the value", got, any("value"))
		wantEqual(r, "the end", ended, nil)
	})
}

// Closing twice, side by side, ends both times.
func TestCloseConcurrently(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		c := r.consume(Queue{}, sleeper(5*time.Second))
		synctest.Wait()
		results := make(chan error, 3)
		for range 2 {
			go func() { results <- c.Close(r.Context()) }()
		}
		go func() { results <- r.conn.Close(r.Context()) }()
		for range 3 {
			if err := <-results; err != nil {
				r.Error(err)
			}
		}
		r.wantCounts(c, Counts{Accepted: 1})
	})
}

// What a cancelled handler decides still counts: its copy is sent.
func TestCancelledHandlerCanDeadLetter(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		c := r.consume(Queue{}, func(ctx context.Context, _ *Message[order]) Ack {
			<-ctx.Done()
			return DeadLetter(errBusy)
		})
		synctest.Wait()
		if err := c.Close(r.Context()); !errors.Is(err, ErrDrainTimeout) {
			r.Errorf("got %v, want that it was late", err)
		}
		r.wantCounts(c, Counts{Rejected: 1})
		wantEqual(r, "the dead letters", r.ready("work.dlq"), 1)
		wantEqual(r, "the messages left", r.ready(work), 0)
	})
}

// A second close has nothing to wait for when the handlers were cancelled already, and nothing to say when all is done.
func TestCloseAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		c := r.consume(Queue{}, stuck(time.Hour))
		synctest.Wait()
		for _, want := range []time.Duration{20500 * time.Millisecond, 500 * time.Millisecond} {
			took, err := closeIn(r.Context(), c.Close)
			wantEqual(r, "the time it took", took, want)
			wantEqual(r, "late", errors.Is(err, ErrDrainTimeout), true)
		}
		r.sleep(2 * time.Hour)
		ended, cancel := context.WithCancel(r.Context())
		cancel()
		for range 50 {
			if err := c.Close(ended); err != nil {
				r.Fatalf("all is done: %v", err)
			}
		}
	})
}

// A connection closed from inside a handler goes on closing when the handler's own context is over.
func TestCloseFromAHandlerThatEnds(t *testing.T) {
	bubble(t, func(r *rig) {
		r.declare(Queue{Name: "other"})
		r.put(transport.Message{Key: "other", MessageID: "1", Body: []byte(`{}`)})
		other, err := Consume(r.Context(), r.conn, Queue{Name: "other"}, sleeper(10*time.Second))
		if err != nil {
			r.Fatal(err)
		}
		synctest.Wait()
		r.putOrder("1")
		r.consume(Queue{}, func(ctx context.Context, _ *Message[order]) Ack {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			if err := r.conn.Close(ctx); err != nil {
				r.Error(err)
			}
			return Accept()
		})
		r.sleep(time.Minute)
		r.wantCounts(other, Counts{Accepted: 1})
	})
}

// When the time is up, the transport still gets a moment to close in good order.
func TestConnCloseLeavesTimeForTheTransport(t *testing.T) {
	bubble(t, func(r *rig) {
		left := make(chan time.Duration, 1)
		r.conn.broker = closing{r.broker, left}
		r.putOrder("1")
		r.consume(Queue{}, stuck(time.Minute))
		synctest.Wait()
		ctx, cancel := context.WithTimeout(r.Context(), time.Second)
		defer cancel()
		if err := r.conn.Close(ctx); !errors.Is(err, ErrDrainTimeout) {
			r.Errorf("got %v, want that it was late", err)
		}
		wantEqual(r, "the time that is left", <-left, closeGrace)
		r.sleep(time.Hour)
	})
}

// closing is a broker that says how much time it has to close.
type closing struct {
	transport.Broker
	left chan time.Duration
}

func (b closing) Close(ctx context.Context) error {
	deadline, _ := ctx.Deadline()
	b.left <- time.Until(deadline)
	return b.Broker.Close(ctx)
}

// A subscription that cannot be ended in good order is ended by force.
func TestCloseWhereTheSubscriptionDoesNotStop(t *testing.T) {
	bubble(t, func(r *rig) {
		r.conn.broker = unstoppable{r.broker}
		r.putOrder("1")
		c := r.consume(Queue{}, sleeper(time.Second))
		synctest.Wait()
		took, err := closeIn(r.Context(), c.Close)
		if err != nil || took > time.Second {
			r.Errorf("closed after %v: %v", took, err)
		}
		wantEqual(r, "the messages left", r.ready(work), 1)
	})
}

// unstoppable is a broker whose subscriptions can be closed and not stopped.
type unstoppable struct{ transport.Broker }

func (b unstoppable) Consume(ctx context.Context, s transport.Subscription) (transport.Consumer, error) {
	sub, err := b.Broker.Consume(ctx, s)
	return deaf{sub}, err
}

type deaf struct{ transport.Consumer }

func (deaf) Stop(context.Context) error { return errors.New("no answer") }

// A second call to close the connection waits no longer than its own context.
func TestSecondConnCloseIsBoundByItsContext(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		r.consume(Queue{}, stuck(time.Hour))
		synctest.Wait()
		first := make(chan error, 1)
		go func() { first <- r.conn.Close(r.Context()) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
		defer cancel()
		took, err := closeIn(ctx, r.conn.Close)
		if !errors.Is(err, context.DeadlineExceeded) {
			r.Errorf("got %v, want that its time was up", err)
		}
		wantEqual(r, "the time it took", took, time.Minute)
		if err := <-first; err != nil {
			r.Error(err)
		}
		if err := r.conn.Close(ctx); err != nil {
			r.Errorf("all is closed: %v", err)
		}
	}, WithDrainTimeout(0))
}
