package memory_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

func TestFaultsOfAPublish(t *testing.T) {
	for name, test := range map[string]struct {
		fault  memory.Fault
		stored bool
		up     bool
		check  func(error) bool
		after  time.Duration // when the outcome is known
	}{
		"nack":                 {memory.NackPublish, false, true, is[*transport.NackedError], 0},
		"confirm lost":         {memory.LoseConfirm, true, true, is[*transport.UnknownError], 5 * time.Second},
		"close before publish": {memory.CloseBeforePublish, false, false, is[*transport.UnknownError], 0},
		"close after publish":  {memory.CloseAfterPublish, true, false, is[*transport.UnknownError], 0},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(b *bench) {
				b.server.Inject(memory.Script{Fault: test.fault, Skip: 1,
					Match: func(m transport.Message) bool { return m.MessageID != "other" }})
				for _, id := range []string{"first", "other"} {
					if err := b.publish(id); err != nil {
						b.Errorf("%s: %v, before the fault", id, err)
					}
				}
				start := time.Now()
				if err := b.publish("struck"); !test.check(err) {
					b.Errorf("the outcome is %v (%[1]T)", err)
				}
				if waited := time.Since(start); waited != test.after {
					b.Errorf("the outcome was known after %v, want %v", waited, test.after)
				}
				if up := b.broker.State().Up; up != test.up {
					b.Errorf("the connection is up: %v, want %v", up, test.up)
				}
				want := 2
				if test.stored {
					want = 3
				}
				b.depth("q", want, 0)
				b.must(b.publish("next"))
				b.depth("q", want+1, 0)
			}, memory.ConfirmTimeout(5*time.Second))
		})
	}
}

func is[T error](err error) bool {
	var e T
	return errors.As(err, &e)
}

func TestFaultStrikesAsOftenAsItSays(t *testing.T) {
	inBubble(t, func(b *bench) {
		b.server.Inject(memory.Script{Fault: memory.NackPublish, Skip: 1, Times: 2})
		var nacked []int
		for n := range 5 {
			if is[*transport.NackedError](b.publish("m")) {
				nacked = append(nacked, n)
			}
		}
		if len(nacked) != 2 || nacked[0] != 1 || nacked[1] != 2 {
			b.Errorf("nacked %v, want the messages 1 and 2", nacked)
		}
	})
}

func TestCloseBeforeAckDeliversAgain(t *testing.T) {
	inBubble(t, func(b *bench) {
		b.fill(2)
		c := b.consume("q", 2)
		b.server.Inject(memory.Script{Fault: memory.CloseBeforeAck})
		first, second := <-c.Deliveries(), <-c.Deliveries()
		b.must(first.Ack())
		if err := second.Ack(); err != transport.ErrLost {
			b.Errorf("the neighbour's ack: %v, want ErrLost", err)
		}
		for _, id := range []string{"0", "1"} {
			d := <-c.Deliveries()
			if d.MessageID != id || !d.Redelivered {
				b.Errorf("delivered %q (redelivered %v), want %q again", d.MessageID, d.Redelivered, id)
			}
			b.must(d.Ack())
		}
		b.depth("q", 0, 0)
	})
}

func TestALossLeavesOnlyLiveDeliveries(t *testing.T) {
	inBubble(t, func(b *bench) {
		b.fill(5)
		c := b.consume("q", 3)
		for range 3 {
			b.server.Cut()
			time.Sleep(time.Minute)
		}
		for n := range 5 {
			d := <-c.Deliveries()
			if d.MessageID != fmt.Sprint(n) || !d.Live() {
				b.Errorf("delivered %q (live %v), want %d", d.MessageID, d.Live(), n)
			}
			b.must(d.Ack())
		}
	})
}

func TestAMissingExchangeCostsTheChannel(t *testing.T) {
	inBubble(t, func(b *bench) {
		b.server.Inject(memory.Script{Fault: memory.LoseConfirm})
		neighbour, err := b.broker.Publish(b.Context(), message("neighbour"))
		b.must(err)
		bad, err := b.broker.Publish(b.Context(), transport.Message{Exchange: "missing", MessageID: "m"})
		b.must(err)
		for _, pending := range []transport.Pending{bad, neighbour} {
			err := pending.Wait(b.Context())
			if !is[*transport.UnknownError](err) || !is[*transport.NotFoundError](err) {
				b.Errorf("the outcome is %v, want it unknown because the exchange is missing", err)
			}
		}
	})
}

func TestLostConfirmsFillTheWindow(t *testing.T) {
	inBubble(t, func(b *bench) {
		b.server.Inject(memory.Script{Fault: memory.LoseConfirm, Times: 1000})
		for range 1000 {
			_, err := b.broker.Publish(b.Context(), message("m"))
			b.must(err)
		}
		ctx, cancel := context.WithTimeout(b.Context(), time.Second)
		defer cancel()
		if _, err := b.broker.Publish(ctx, message("one too many")); !is[*transport.RefusedError](err) {
			b.Errorf("a publish over the window: %v, want it refused", err)
		}
		start := time.Now()
		b.must(b.publish("waits"))
		if waited := time.Since(start); waited != 4*time.Second {
			b.Errorf("the window had room after %v more, want 4s", waited)
		}
	}, memory.ConfirmTimeout(5*time.Second))
}

func TestDown(t *testing.T) {
	inBubble(t, func(b *bench) {
		transient := message("transient")
		transient.Transient = true
		b.fill(2)
		_, err := b.broker.Publish(b.Context(), transient)
		b.must(err)
		c := b.consume("q", 1)
		held := <-c.Deliveries()
		up := b.server.Down()
		if held.Live() || b.broker.State().Up {
			b.Error("something outlives the broker")
		}
		b.depth("q", 2, 0)
		late := memory.Open(t.Name())
		if late.State().Up {
			b.Error("a broker that is down lets somebody in")
		}
		time.Sleep(time.Hour)
		up()
		start := time.Now()
		if d := <-c.Deliveries(); d.MessageID != "0" || !d.Redelivered {
			b.Errorf("delivered %q, redelivered %v", d.MessageID, d.Redelivered)
		}
		if waited := time.Since(start); waited > 30*time.Second {
			b.Errorf("the consumer came back after %v", waited)
		}
		synctest.Wait()
		time.Sleep(30 * time.Second)
		if state := late.State(); !state.Up {
			b.Errorf("the late connection is not up: %s", state.Reason)
		}
		b.must(late.Close(b.Context()))
	})
}

func TestReconnectDelaysGrow(t *testing.T) {
	inBubble(t, func(b *bench) {
		b.server.DeleteQueue("q")
		other := memory.Open(t.Name())
		b.queue("watched", nil)
		c, err := other.Consume(b.Context(), transport.Subscription{Queue: "watched", Prefetch: 1})
		b.must(err)
		b.server.DeleteQueue("watched")
		// Attempts are at 1, 3, 7 and 15 seconds: a queue that is back at 8 is found at 15.
		time.Sleep(8 * time.Second)
		b.queue("watched", nil)
		start := time.Now()
		_, err = b.broker.Publish(b.Context(), transport.Message{Key: "watched", MessageID: "m"})
		b.must(err)
		<-c.Deliveries()
		if waited := time.Since(start); waited != 7*time.Second {
			b.Errorf("the consumer was back after %v, want 7s", waited)
		}
		b.must(other.Close(b.Context()))
	})
}
