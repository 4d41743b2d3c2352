package memory_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// TestNothingConfirmedIsLost publishes and consumes over many connections while connections are cut, the broker goes
// down, acks get lost and messages are given back; every confirmed message is accepted at least once.
func TestNothingConfirmedIsLost(t *testing.T) {
	const services, each = 4, 300
	for kind, arguments := range map[string]wire.Table{
		"classic": nil,
		"quorum":  {"x-queue-type": "quorum", "x-delivery-limit": int64(-1)},
	} {
		t.Run(kind, func(t *testing.T) {
			inBubble(t, func(b *bench) {
				b.server.DeleteQueue("q")
				b.queue("q", arguments)
				var confirmed, accepted ledger
				var open []transport.Broker
				var publishing, consuming sync.WaitGroup
				for s := range services {
					from, to := memory.Open(t.Name()), memory.Open(t.Name())
					open = append(open, from, to)
					publishing.Go(func() { publishSome(b, from, fmt.Sprint(s), each, &confirmed) })
					consuming.Go(func() { acceptAll(b, to, &accepted) })
				}
				accidents(b, open)
				publishing.Wait()
				time.Sleep(5 * time.Minute)
				b.depth("q", 0, 0)
				for _, broker := range open {
					b.must(broker.Close(b.Context()))
				}
				consuming.Wait()
				compare(t, &confirmed, &accepted, services*each/2)
			})
		})
	}
}

// ledger is a set of message ids.
type ledger struct {
	sync.Mutex
	ids map[string]bool
}

func (l *ledger) add(id string) {
	l.Lock()
	defer l.Unlock()
	if l.ids == nil {
		l.ids = map[string]bool{}
	}
	l.ids[id] = true
}

// compare fails where a confirmed message was never accepted, and where less than least were confirmed.
func compare(t *testing.T, confirmed, accepted *ledger, least int) {
	for id := range confirmed.ids {
		if !accepted.ids[id] {
			t.Errorf("%s was confirmed and never accepted", id)
		}
	}
	if len(confirmed.ids) < least {
		t.Errorf("only %d were confirmed, want %d or more", len(confirmed.ids), least)
	}
}

// publishSome publishes messages and notes which were confirmed. The others must be unknown.
func publishSome(b *bench, broker transport.Broker, prefix string, count int, confirmed *ledger) {
	for n := range count {
		rest()
		id := fmt.Sprint(prefix, "-", n)
		pending, err := broker.Publish(b.Context(), message(id))
		if err == nil {
			err = pending.Wait(b.Context())
		}
		unknown := (*transport.UnknownError)(nil)
		switch {
		case err == nil:
			confirmed.add(id)
		case !errors.As(err, &unknown):
			b.Errorf("%s: %v", id, err)
		}
	}
}

// acceptAll takes what comes, gives a tenth of it back, and notes what it accepted.
func acceptAll(b *bench, broker transport.Broker, accepted *ledger) {
	c, err := broker.Consume(b.Context(), transport.Subscription{Queue: "q", Prefetch: 7})
	if err != nil {
		b.Error(err)
		return
	}
	for d := range c.Deliveries() {
		rest()
		if rand.IntN(10) == 0 {
			_ = d.Nack(true)
		} else if d.Ack() == nil {
			accepted.add(d.MessageID)
		}
	}
}

func rest() { time.Sleep(rand.N(20 * time.Millisecond)) }

// accidents has connections lost in every way there is.
func accidents(b *bench, open []transport.Broker) {
	for range 20 {
		b.server.Inject(memory.Script{Fault: memory.CloseAfterPublish, Skip: rand.IntN(20)})
		b.server.Inject(memory.Script{Fault: memory.CloseBeforeAck, Skip: rand.IntN(20)})
		time.Sleep(100 * time.Millisecond)
		b.server.CutConnection(open[rand.IntN(len(open))])
		if rand.IntN(4) == 0 {
			up := b.server.Down()
			time.Sleep(100 * time.Millisecond)
			up()
		}
	}
}
