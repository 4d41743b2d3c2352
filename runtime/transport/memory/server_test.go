package memory_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
	"github.com/acemq/acemq-gen/runtime/wire"
)

func TestABrokerLivesAsLongAsSomebodyUsesIt(t *testing.T) {
	ctx := t.Context()
	queue := &topology.Topology{Queues: []topology.Queue{{Name: "q"}}}
	there := func() bool {
		b := memory.Open(t.Name())
		defer b.Close(ctx)
		_, err := b.Inspect(ctx, "q")
		return err == nil
	}
	declare := func(b transport.Broker) {
		if err := b.Declare(ctx, queue); err != nil {
			t.Fatal(err)
		}
	}
	first := memory.Open(t.Name())
	declare(first)
	second := memory.Open(t.Name())
	first.Close(ctx)
	if !there() {
		t.Error("the broker ended while a connection was open")
	}
	second.Close(ctx)
	if there() {
		t.Error("the broker outlived its connections")
	}
	server := memory.Serve(t.Name())
	third := memory.Open(t.Name())
	declare(third)
	third.Close(ctx)
	if !there() {
		t.Error("the broker ended while a handle was open")
	}
	server.Close()
	server.Close()
	if there() {
		t.Error("the broker outlived its handle")
	}
}

func TestNothingRunsAfterClose(t *testing.T) {
	b := newBench(t)
	b.queue("rung", wire.Table{"x-message-ttl": int64(60_000), "x-expires": int64(60_000)})
	b.fill(10)
	c := b.consume("q", 3)
	<-c.Deliveries()
	b.consume("rung", 1)
	b.server.DeleteQueue("rung")
	b.server.Inject(memory.Script{Fault: memory.LoseConfirm})
	if _, err := b.broker.Publish(b.Context(), message("m")); err != nil {
		t.Fatal(err)
	}
	b.server.Cut()
	b.must(b.broker.Close(b.Context()))
	for end := time.Now().Add(5 * time.Second); own() != ""; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("still running:\n%s", own())
		}
	}
}

func TestPeekAndQueues(t *testing.T) {
	inBubble(t, func(b *bench) {
		b.queue("a", wire.Table{"x-max-priority": int64(2)})
		b.fill(3)
		c := b.consume("q", 1)
		first := <-c.Deliveries()
		b.depth("q", 2, 1)
		b.must(first.Nack(true))
		b.must(c.Close(b.Context()))
		var ids []string
		for _, m := range b.server.Peek("q") {
			ids = append(ids, m.MessageID)
			m.Body[0] = 'x'
		}
		if !slices.Equal(ids, []string{"0", "1", "2"}) {
			b.Errorf("peeked %q", ids)
		}
		if string(b.server.Peek("q")[0].Body) != "0" {
			b.Error("peeking gave away the queue's own message")
		}
		if got := b.server.Queues(); !slices.Equal(got, []string{"a", "q"}) {
			b.Errorf("the queues are %q", got)
		}
	})
}

func TestConsumerTimeout(t *testing.T) {
	for _, test := range []struct {
		kind   string
		major  int
		minor  int
		closed bool
	}{{"classic", 4, 2, true}, {"quorum", 4, 2, true}, {"classic", 4, 3, false}, {"quorum", 4, 3, true}} {
		t.Run(fmt.Sprint(test.kind, " ", test.major, ".", test.minor), func(t *testing.T) {
			inBubble(t, func(b *bench) {
				b.queue("work", wire.Table{"x-queue-type": test.kind})
				_, err := b.broker.Publish(b.Context(), transport.Message{Key: "work", MessageID: "m"})
				b.must(err)
				c := b.consume("work", 1)
				d := <-c.Deliveries()
				time.Sleep(30 * time.Minute)
				synctest.Wait()
				if d.Live() == test.closed {
					b.Fatalf("the delivery is live: %v, want %v", d.Live(), !test.closed)
				}
				if !test.closed {
					return
				}
				if again := <-c.Deliveries(); !again.Redelivered {
					b.Error("the message came back as a first delivery")
				}
			}, memory.Version(test.major, test.minor))
		})
	}
}

func TestConsumerTimeoutIsExactFrom43(t *testing.T) {
	for minor, want := range map[int]time.Duration{2: 2 * time.Minute, 3: 90 * time.Second} {
		inBubble(t, func(b *bench) {
			b.queue("work", wire.Table{"x-queue-type": "quorum"})
			_, err := b.broker.Publish(b.Context(), transport.Message{Key: "work", MessageID: "m"})
			b.must(err)
			c := b.consume("work", 1)
			start := time.Now()
			<-c.Deliveries()
			<-c.Deliveries()
			if took := time.Since(start) - time.Second; took != want {
				b.Errorf("4.%d: the message came again after %v, want %v", minor, took, want)
			}
		}, memory.Version(4, minor), memory.ConsumerTimeout(90*time.Second))
	}
}

func TestAStoppedConsumerTimesOutToo(t *testing.T) {
	inBubble(t, func(b *bench) {
		b.fill(1)
		c := b.consume("q", 1)
		d := <-c.Deliveries()
		b.must(c.Stop(b.Context()))
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if err := d.Ack(); err != transport.ErrLost {
			b.Errorf("ack after the timeout: %v, want ErrLost", err)
		}
		b.depth("q", 1, 0)
	}, memory.ConsumerTimeout(3*time.Second))
}

func TestADayOfRungsTakesNoTime(t *testing.T) {
	const laps = 24 * 60
	inBubble(t, func(b *bench) {
		b.queue("rung", wire.Table{"x-message-ttl": int64(60_000), "x-dead-letter-exchange": "",
			"x-dead-letter-routing-key": "q"})
		c := b.consume("q", 1)
		start := time.Now()
		for range laps {
			_, err := b.broker.Publish(b.Context(), transport.Message{Key: "rung", MessageID: "m"})
			b.must(err)
			b.must((<-c.Deliveries()).Ack())
		}
		if took := time.Since(start); took != laps*time.Minute {
			b.Errorf("%d laps took %v, want a minute each", laps, took)
		}
	})
}
