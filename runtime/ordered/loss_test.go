package ordered

import (
	"context"
	"testing"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// A message that was handled and whose ack was lost is not handled again.
func TestAckIsLost(t *testing.T) {
	for name, lose := range map[string]func(r *rig){
		"on the way": func(r *rig) { r.server.Inject(memory.Script{Fault: memory.CloseBeforeAck}) },
		"with its channel, before": func(r *rig) {
			time.AfterFunc(time.Second, r.server.Cut)
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, one, func(r *rig) {
				r.send("acct-7", 1, 2)
				lose(r)
				l := failing(nil)
				r.consume(r.conn, func(ctx context.Context, m *acemq.Message[entry]) error {
					err := l.handle(ctx, m)
					time.Sleep(2 * time.Second)
					return err
				})
				r.sleep(time.Minute)
				r.wantSeen(l, 1, 2)
				r.depth("ledger.0", 0, 0)
			})
		})
	}
}

// Attempts go on where they were when the message comes again between them.
func TestAttemptsSurviveALoss(t *testing.T) {
	bubble(t, with(Halt, 3, 10*time.Second), func(r *rig) {
		r.send("acct-7", 1, 2)
		l := failingAt(errBusy, 1)
		c := r.consume(r.conn, l.handle)
		r.sleep(time.Second)
		r.server.Cut()
		r.sleep(time.Minute)
		r.wantSeen(l, 1, 1, 1)
		r.wantHalted(c, 0)
		r.wantCounts(c, Counts{Failed: 3, Halts: 1, Lost: 1})
	})
}

// While the broker is away, a message that is tried in place is not tried: somebody else might have it.
func TestNoAttemptWithoutTheMessage(t *testing.T) {
	bubble(t, with(RetryInPlace, 1, time.Second), func(r *rig) {
		r.send("acct-7", 1, 2)
		l := failingAt(errBusy, 1)
		r.consume(r.conn, l.handle)
		r.wantSeen(l, 1)
		up := r.server.Down()
		l.heal()
		r.sleep(time.Hour)
		r.wantSeen(l, 1)
		up()
		r.sleep(time.Minute)
		r.wantSeen(l, 1, 1, 2)
	})
}

// A message that somebody else took in the meantime is forgotten, and the one that comes is a first attempt.
func TestAnotherMessageComes(t *testing.T) {
	bubble(t, with(Halt, 2, 10*time.Minute), func(r *rig) {
		r.send("acct-7", 1, 2)
		l := failingAt(errBusy, 1, 2)
		c := r.consume(r.conn, l.handle)
		r.sleep(time.Second)
		r.server.DeleteQueue("ledger.0")
		r.sleep(time.Minute)
		r.send("acct-7", 2, 2)
		r.sleep(time.Minute)
		r.wantSeen(l, 1, 2)
		r.wantHalted(c)
		r.sleep(10 * time.Minute)
		r.wantSeen(l, 1, 2, 2)
		r.wantHalted(c, 0)
	})
}

// A message without an id is known by its body.
func TestMessageWithoutAnID(t *testing.T) {
	first := transport.Message{Headers: acemq.Headers{}, Body: []byte("1")}
	same, other := first, first
	same.Headers = acemq.Headers{"x-delivery-count": int64(1)}
	other.Body = []byte("2")
	id := func(m transport.Message) string { return identity(&transport.Delivery{Message: m}) }
	if id(first) != id(same) || id(first) == id(other) {
		t.Error("the body does not tell messages apart")
	}
	named, other := first, other
	named.MessageID, other.MessageID = "m", "m"
	if id(named) != id(other) || id(named) == id(first) {
		t.Error("the id does not tell messages apart")
	}
}
