package ordered

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// with returns the ledger of one partition with a mode.
func with(mode FailureMode, attempts int, delay time.Duration) Declaration {
	d := one
	d.OnFailure, d.Attempts, d.Delay = mode, attempts, delay
	return d
}

func TestInOrderAndOneAtATime(t *testing.T) {
	bubble(t, one, func(r *rig) {
		r.send("acct-7", 1, 20)
		l := failing(nil)
		c := r.consume(r.conn, func(ctx context.Context, m *acemq.Message[entry]) error {
			if ready, unsettled := r.server.Depth("ledger.0"); ready != 20-m.Payload.Number || unsettled != 1 {
				r.Errorf("entry %d is one of %d that are out, and %d wait", m.Payload.Number, unsettled, ready)
			}
			return l.handle(ctx, m)
		})
		r.sleep(0)
		r.depth("ledger.0", 0, 0)
		r.wantCounts(c, Counts{Handled: 20})
		wantList(r, "the entries", l.done, sequence(1, 20))
	})
}

func sequence(from, to int) []int {
	var numbers []int
	for n := from; n <= to; n++ {
		numbers = append(numbers, n)
	}
	return numbers
}

// What becomes of a message that fails, while another one waits behind it (contract: ordered by key, failure modes).
func TestFailureModes(t *testing.T) {
	fatal := acemq.Fatal(errBusy)
	for _, c := range []struct {
		name   string
		ledger Declaration
		err    error
		seen   []int
		times  []time.Duration
		halted []int
		reason string // of the dead letter
		counts Counts
	}{
		{"halt after the attempts", with(Halt, 3, time.Second), errBusy, []int{1, 1, 1},
			[]time.Duration{0, time.Second, 2 * time.Second}, []int{0}, "", Counts{Failed: 3, Halts: 1}},
		{"halt by default", one, errBusy, []int{1, 1, 1},
			[]time.Duration{0, time.Second, 2 * time.Second}, []int{0}, "", Counts{Failed: 3, Halts: 1}},
		{"halt after one attempt", with(Halt, 1, time.Hour), errBusy, []int{1}, []time.Duration{0}, []int{0}, "",
			Counts{Failed: 1, Halts: 1}},
		{"halt at once when no retry can help", with(Halt, 3, time.Second), fatal, []int{1}, []time.Duration{0}, []int{0}, "",
			Counts{Failed: 1, Halts: 1}},
		{"retry in place", with(RetryInPlace, 1, 25*time.Second), errBusy, []int{1, 1, 1},
			[]time.Duration{0, 25 * time.Second, 50 * time.Second}, nil, "", Counts{Failed: 3}},
		{"halt in place when no retry can help", with(RetryInPlace, 1, time.Second), fatal, []int{1}, []time.Duration{0},
			[]int{0}, "", Counts{Failed: 1, Halts: 1}},
		{"skip", with(Skip, 0, 0), errBusy, []int{1, 2}, []time.Duration{0, 0}, nil,
			"exhausted 1 attempt: the ledger is busy", Counts{Failed: 1, Skipped: 1, Handled: 1}},
		{"skip after the attempts", with(Skip, 2, time.Second), errBusy, []int{1, 1, 2},
			[]time.Duration{0, time.Second, time.Second}, nil,
			"exhausted 2 attempts: the ledger is busy", Counts{Failed: 2, Skipped: 1, Handled: 1}},
		{"skip at once when no retry can help", with(Skip, 2, time.Second), fatal, []int{1, 2}, []time.Duration{0, 0}, nil,
			"the handler reported an unprocessable message: the ledger is busy", Counts{Failed: 1, Skipped: 1, Handled: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, c.ledger, func(r *rig) {
				r.send("acct-7", 1, 2)
				l := failingAt(c.err, 1)
				consumer := r.consume(r.conn, l.handle)
				r.sleep(time.Minute)
				r.wantSeen(l, c.seen...)
				wantList(r, "the times", l.times, c.times)
				r.wantHalted(consumer, c.halted...)
				r.wantCounts(consumer, c.counts)
				var reasons []string
				if c.reason != "" {
					reasons = append(reasons, c.reason)
				}
				wantList(r, "the dead letters", r.reasons("ledger.0.dlq"), reasons)
			})
		})
	}
}

func TestAttemptsAreNumbered(t *testing.T) {
	bubble(t, with(Halt, 3, time.Second), func(r *rig) {
		var attempts []int
		r.send("acct-7", 1, 1)
		c := r.consume(r.conn, func(_ context.Context, m *acemq.Message[entry]) error {
			attempts = append(attempts, m.Attempt())
			m.Payload.Account = "" // no other attempt sees it
			if m.Payload.Number != 1 {
				t.Errorf("the payload is %v", m.Payload)
			}
			return errBusy
		})
		r.sleep(time.Minute)
		if err := c.Resume(0); err != nil {
			t.Error(err)
		}
		r.sleep(time.Minute)
		wantList(r, "the attempts", attempts, []int{1, 2, 3, 1, 2, 3})
	})
}

// A handler that does not return an answer has failed, and ends nothing but its attempt.
func TestHandlersThatDoNotReturn(t *testing.T) {
	for name, end := range map[string]func(){
		"panic": func() { panic("no such account") },
		"exit":  runtime.Goexit,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, with(Halt, 2, time.Second), func(r *rig) {
				r.send("acct-7", 1, 1)
				sick := true
				c := r.consume(r.conn, func(context.Context, *acemq.Message[entry]) error {
					if sick {
						end()
					}
					return nil
				})
				r.sleep(time.Minute)
				r.wantHalted(c, 0)
				sick = false
				if err := c.Resume(0); err != nil {
					r.Error(err)
				}
				r.wantCounts(c, Counts{Failed: 2, Halts: 1, Handled: 1})
			})
		})
	}
}

// A message that nothing can read is parked, and those behind it go on.
func TestUnreadable(t *testing.T) {
	bubble(t, one, func(r *rig) {
		r.send("acct-7", 1, 1)
		r.put(transport.Message{Key: "ledger.0", MessageID: "bad", Body: []byte("{"), ReplyTo: "answers",
			Headers: acemq.Headers{"tenant": "acme", "x-death": "theirs"}})
		r.send("acct-7", 2, 2)
		l := failing(nil)
		c := r.consume(r.conn, l.handle)
		r.wantSeen(l, 1, 2)
		r.wantCounts(c, Counts{Handled: 2, Parked: 1})
		parked := r.server.Peek("ledger.0.parked")
		if len(parked) != 1 || parked[0].MessageID != "bad" || string(parked[0].Body) != "{" || parked[0].ReplyTo != "answers" ||
			parked[0].Headers["tenant"] != "acme" || parked[0].Headers["x-death"] != nil {
			r.Errorf("parked %v", parked)
		}
		wantList(r, "the reasons", r.reasons("ledger.0.parked"), []string{"could not be decoded: unexpected end of JSON input"})
	})
}

// A copy that finds no queue is sent again once the queue was declared again; one that does not land holds its place.
func TestSetAsideQueueIsGone(t *testing.T) {
	bubble(t, with(Skip, 1, 0), func(r *rig) {
		l := failingAt(errBusy, 1)
		c := r.consume(r.conn, l.handle)
		r.server.DeleteQueue("ledger.0.dlq")
		r.send("acct-7", 1, 2)
		r.wantSeen(l, 1, 2)
		r.depth("ledger.0.dlq", 1, 0)
		r.wantCounts(c, Counts{Failed: 1, Skipped: 1, Handled: 1})
	})
}

func TestSetAsideHoldsItsPlace(t *testing.T) {
	bubble(t, with(Skip, 1, 0), func(r *rig) {
		l := failingAt(errBusy, 1)
		r.send("acct-7", 1, 2)
		r.server.Inject(memory.Script{Fault: memory.NackPublish, Times: 4}) // at 0, 1, 3 and 7 s
		c := r.consume(r.conn, l.handle)
		r.sleep(14 * time.Second)
		r.wantSeen(l, 1)
		r.depth("ledger.0", 1, 1)
		r.sleep(time.Second)
		r.wantSeen(l, 1, 2)
		r.depth("ledger.0.dlq", 1, 0)
		r.wantCounts(c, Counts{Failed: 1, Skipped: 1, Handled: 1, SetAsideFailed: 4})
	})
}

func TestPartitionsDoNotWaitForEachOther(t *testing.T) {
	eight := Declaration{Name: "ledger", Partitions: 8}
	bubble(t, eight, func(r *rig) {
		l := failing(func(m *acemq.Message[entry]) error {
			if m.Payload.Account == "acct-7" { // partition 6
				return errBusy
			}
			return nil
		})
		r.send("acct-7", 1, 2)
		r.send("account-2", 3, 4) // partition 3
		r.send("account-1", 5, 5) // partition 6, behind acct-7
		r.send("foobar", 6, 6)    // partition 0
		c := r.consume(r.conn, l.handle)
		r.sleep(time.Minute)
		r.wantHalted(c, 6)
		slices.Sort(l.done)
		wantList(r, "the entries", l.done, []int{3, 4, 6})
		if h := c.Health(); h.Name != "ordered:ledger" || h.Status != Degraded || h.Details["halted"] != "6" ||
			h.Details["partitions"] != "8" || h.Details["handled"] != "3" || h.Details["failed"] != "3" {
			r.Errorf("the health is %v", h)
		}
	})
}

func TestConsumeRefusals(t *testing.T) {
	handler := failing(nil).handle
	bubble(t, one, func(r *rig) {
		idempotent, missing, none := one, one, one
		idempotent.Idempotent = time.Minute
		missing.Name = "missing"
		none.Partitions = 0
		for name, consume := range map[string]func() (*Consumer, error){
			"no handler":      func() (*Consumer, error) { return Consume[entry](r.Context(), r.conn, one, nil) },
			"no partitions":   func() (*Consumer, error) { return Consume(r.Context(), r.conn, none, handler) },
			"no store":        func() (*Consumer, error) { return Consume(r.Context(), r.conn, idempotent, handler) },
			"no codec":        func() (*Consumer, error) { return Consume(r.Context(), r.conn, one, handler, DecodeWith(nil)) },
			"no such part":    func() (*Consumer, error) { return Consume(r.Context(), r.conn, one, handler, Partitions(1)) },
			"none of them":    func() (*Consumer, error) { return Consume(r.Context(), r.conn, one, handler, Partitions()) },
			"a missing queue": func() (*Consumer, error) { return Consume(r.Context(), r.conn, missing, handler) },
		} {
			if c, err := consume(); err == nil || c != nil {
				r.Errorf("%s: %v, %v", name, c, err)
			}
		}
		_, err := Consume(r.Context(), r.conn, missing, handler)
		if gone := new(acemq.NotFoundError); !errors.As(err, &gone) {
			r.Errorf("a missing queue is %v", err)
		}
	})
}
