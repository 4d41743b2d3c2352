package ordered

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// halting is the ledger of one partition that halts at the first failure.
var halting = with(Halt, 1, 0)

// whileHalted runs a test on a consumer whose partition is halted by entry 2 of 3.
func whileHalted(t *testing.T, test func(r *rig, c *Consumer, l *ledger), opts ...memory.Option) {
	t.Helper()
	bubble(t, halting, func(r *rig) {
		r.send("acct-7", 1, 3)
		l := failingAt(errBusy, 2)
		c := r.consume(r.conn, l.handle)
		r.wantHalted(c, 0)
		r.wantSeen(l, 1, 2)
		test(r, c, l)
	}, opts...)
}

// resume resumes the partition and compares what its handler was given from the start.
func (r *rig) resume(c *Consumer, l *ledger, want ...int) {
	r.Helper()
	l.heal()
	if err := c.Resume(0); err != nil {
		r.Error(err)
	}
	r.sleep(time.Minute) // a subscription may have to come back
	r.wantSeen(l, want...)
	r.wantHalted(c)
	r.depth("ledger.0", 0, 0)
}

func TestHalt(t *testing.T) {
	whileHalted(t, func(r *rig, c *Consumer, l *ledger) {
		r.sleep(time.Hour)
		r.send("acct-7", 4, 4)
		r.wantSeen(l, 1, 2)
		r.depth("ledger.0", 2, 1)
		h := c.Halts()[0]
		if h.Partition != 0 || h.Queue != "ledger.0" || h.MessageID == "" || h.Attempts != 1 || h.Reason != errBusy ||
			h.Since != l.start {
			r.Errorf("the halt is %+v", h)
		}
		if err := c.Resume(0); err != nil {
			r.Error(err)
		}
		r.wantHalted(c, 0)
		r.wantSeen(l, 1, 2, 2)
		r.resume(c, l, 1, 2, 2, 2, 3, 4)
		if h := c.Health(); h.Status != Up || h.Details["halted"] != "" {
			r.Errorf("the health is %v", h)
		}
		if err := c.Resume(0); !errors.Is(err, ErrNotHalted) {
			r.Errorf("resuming a partition that runs: %v", err)
		}
		if err := c.Resume(1); err == nil || errors.Is(err, ErrNotHalted) {
			r.Errorf("resuming a partition that is not there: %v", err)
		}
	})
}

// A halt survives what takes the message away: nothing is handled, and the order is kept.
func TestHaltSurvives(t *testing.T) {
	timeout := memory.ConsumerTimeout(time.Minute)
	for _, c := range []struct {
		name string
		opts []memory.Option
		take func(r *rig)
		lost int64
	}{
		{"a lost connection", nil, func(r *rig) { r.server.Cut(); r.sleep(time.Minute) }, 1},
		{"two of them", nil, func(r *rig) {
			r.server.Cut()
			r.sleep(time.Minute)
			r.server.Cut()
			r.sleep(time.Minute)
		}, 2},
		{"a restart of the broker", nil, func(r *rig) {
			up := r.server.Down()
			r.sleep(time.Hour)
			up()
			r.sleep(time.Minute)
		}, 3},
		{"a consumer timeout of RabbitMQ 4.2", []memory.Option{timeout}, func(r *rig) { r.sleep(5 * time.Minute) }, 3},
		{"a consumer timeout of RabbitMQ 3.10", []memory.Option{timeout, memory.Version(3, 10)},
			func(r *rig) { r.sleep(5 * time.Minute) }, 3},
		{"a consumer timeout of RabbitMQ 4.3", []memory.Option{timeout, memory.Version(4, 3)},
			func(r *rig) { r.sleep(24 * time.Hour) }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			whileHalted(t, func(r *rig, consumer *Consumer, l *ledger) {
				c.take(r)
				r.wantHalted(consumer, 0)
				r.wantSeen(l, 1, 2)
				r.depth("ledger.0", 1, 1)
				if got := consumer.Counts().Lost; got == 0 != (c.lost == 0) {
					r.Errorf("%d deliveries were lost, want about %d", got, c.lost)
				}
				r.resume(consumer, l, 1, 2, 2, 3)
			}, c.opts...)
		})
	}
}

// A queue that counts has given up on a message after 20 losses. The partition is left alone before that.
func TestHaltOutlivesTheDeliveryLimit(t *testing.T) {
	whileHalted(t, func(r *rig, c *Consumer, l *ledger) {
		r.sleep(48 * time.Hour) // 30 minutes each
		r.wantHalted(c, 0)
		r.wantSeen(l, 1, 2)
		r.depth("ledger.0", 2, 0)
		r.resume(c, l, 1, 2, 2, 3)
	})
}

// A message that halts its partition until the broker is about to drop it is dead-lettered, and the partition stays
// halted.
func TestHaltWearsOut(t *testing.T) {
	whileHalted(t, func(r *rig, c *Consumer, l *ledger) {
		for range 20 {
			r.sleep(48 * time.Hour)
			r.wantHalted(c, 0)
			if ready, unsettled := r.server.Depth("ledger.0.dlq"); ready+unsettled > 0 {
				break
			}
			if err := c.Resume(0); err != nil {
				r.Error(err)
			}
		}
		wantList(r, "the dead letters", r.reasons("ledger.0.dlq"), []string{"exhausted 1 attempt: the ledger is busy"})
		tries := len(l.seen)
		r.wantSeen(l, append([]int{1}, repeat(2, tries-1)...)...)
		r.resume(c, l, append(l.seen, 3)...)
	})
}

func repeat(n, times int) []int {
	var numbers []int
	for range times {
		numbers = append(numbers, n)
	}
	return numbers
}

// A message that is tried in place for longer than the broker bears halts its partition.
func TestRetryInPlaceHaltsBeforeTheDeliveryLimit(t *testing.T) {
	bubble(t, with(RetryInPlace, 1, time.Minute), func(r *rig) {
		r.send("acct-7", 1, 2)
		l := failingAt(errBusy, 1)
		c := r.consume(r.conn, l.handle)
		r.sleep(6 * time.Hour)
		r.wantHalted(c)
		r.sleep(18 * time.Hour)
		r.wantHalted(c, 0)
		r.depth("ledger.0", 2, 0)
		l.heal()
		if err := c.Resume(0); err != nil {
			r.Error(err)
		}
		r.depth("ledger.0", 0, 0)
		wantList(r, "the entries", l.done, []int{1, 2})
	})
}

// A message that nobody has settled in 20 deliveries is not tried again: its handler may be what ends the process.
func TestWornOutMessageIsNotTried(t *testing.T) {
	for _, c := range []struct {
		mode   FailureMode
		halted []int
		seen   []int
	}{
		{Halt, []int{0}, nil},
		{RetryInPlace, []int{0}, nil},
		{Skip, nil, []int{2}},
	} {
		t.Run(c.mode.String(), func(t *testing.T) {
			bubble(t, with(c.mode, 1, 0), func(r *rig) {
				r.send("acct-7", 1, 2)
				for range 20 {
					r.crash()
				}
				l := failing(nil)
				consumer := r.consume(r.conn, l.handle)
				r.sleep(time.Minute)
				r.wantHalted(consumer, c.halted...)
				r.wantSeen(l, c.seen...)
				wantList(r, "the dead letters", r.reasons("ledger.0.dlq"), []string{"exhausted 19 attempts: " + errWornOut.Error()})
			})
		})
	}
}

// crash takes the message at the head of the queue and dies with it.
func (r *rig) crash() {
	r.Helper()
	broker := memory.Open(r.name)
	sub, err := broker.Consume(r.Context(), transport.Subscription{Queue: "ledger.0", Prefetch: 1})
	if err != nil {
		r.Fatal(err)
	}
	<-sub.Deliveries()
	if err := broker.Close(context.Background()); err != nil {
		r.Fatal(err)
	}
}

// What is at the head of a halted partition is held, whatever it is.
func TestHeldMessageIsGone(t *testing.T) {
	whileHalted(t, func(r *rig, c *Consumer, l *ledger) {
		r.server.DeleteQueue("ledger.0")
		r.sleep(time.Minute)
		r.send("acct-7", 7, 8)
		r.sleep(time.Minute)
		r.wantHalted(c, 0)
		r.wantSeen(l, 1, 2)
		r.depth("ledger.0", 1, 1)
		r.resume(c, l, 1, 2, 7, 8)
	})
}

// A process that ends gives the message back at its place.
func TestStopWhileHalted(t *testing.T) {
	for name, stop := range map[string]func(r *rig, c *Consumer) error{
		"the consumer is closed":   func(r *rig, c *Consumer) error { return c.Close(r.Context()) },
		"the connection is closed": func(r *rig, c *Consumer) error { return r.conn.Close(r.Context()) },
	} {
		for _, version := range []memory.Option{memory.Version(3, 10), memory.Version(4, 2)} {
			t.Run(name, func(t *testing.T) {
				whileHalted(t, func(r *rig, c *Consumer, l *ledger) {
					start := time.Now()
					if err := stop(r, c); err != nil {
						r.Error(err)
					}
					<-c.Done()
					if took := time.Since(start); took > 0 {
						r.Errorf("it took %v", took)
					}
					r.depth("ledger.0", 2, 0)
					other := failing(nil)
					r.consume(r.dial(), other.handle)
					r.wantSeen(other, 2, 3)
				}, version)
			})
		}
	}
}

// The next process waits while the partition is halted, and then begins with the message that was held.
func TestSingleActive(t *testing.T) {
	ledger := halting
	ledger.SingleActive = true
	bubble(t, ledger, func(r *rig) {
		r.send("acct-7", 1, 3)
		first, second := failingAt(errBusy, 2), failing(nil)
		one, two := r.consume(r.conn, first.handle), r.consume(r.dial(), second.handle)
		r.sleep(10 * time.Minute)
		r.wantHalted(one, 0)
		r.wantSeen(second)
		if err := one.Close(r.Context()); err != nil {
			r.Error(err)
		}
		r.wantHalted(two)
		r.wantSeen(first, 1, 2)
		r.wantSeen(second, 2, 3)
	})
}

func TestPartitionsOfTwoProcesses(t *testing.T) {
	bubble(t, Declaration{Name: "ledger", Partitions: 2}, func(r *rig) {
		zero, first := failing(nil), failing(nil)
		r.consume(r.conn, zero.handle, Partitions(0))
		r.consume(r.dial(), first.handle, Partitions(1))
		r.send("acct-7", 1, 10)     // partition 0
		r.send("account-2", 11, 20) // partition 1
		r.wantSeen(zero, sequence(1, 10)...)
		r.wantSeen(first, sequence(11, 20)...)
	})
}

// A classic queue, which services in Java declare where a broker has no quorum queues, takes no consumer timeout on
// RabbitMQ 4.3, and has none.
func TestHaltOnAClassicQueue(t *testing.T) {
	bubble(t, halting, func(r *rig) {
		classic := topology.New().Queue("old.0", topology.Classic(), topology.Bare())
		if err := r.conn.Declare(r.Context(), classic); err != nil {
			r.Fatal(err)
		}
		r.ledger.Name = "old"
		r.send("acct-7", 1, 2)
		l := failingAt(errBusy, 1)
		c := r.consume(r.conn, l.handle)
		r.sleep(24 * time.Hour)
		r.wantHalted(c, 0)
		r.wantSeen(l, 1)
		r.depth("old.0", 1, 1)
	}, memory.Version(4, 3))
}

// A partition that is resumed while the broker is away waits for its message: somebody else might have it.
func TestResumeWhileTheBrokerIsAway(t *testing.T) {
	whileHalted(t, func(r *rig, c *Consumer, l *ledger) {
		up := r.server.Down()
		l.heal()
		if err := c.Resume(0); err != nil {
			r.Error(err)
		}
		r.sleep(time.Hour)
		r.wantSeen(l, 1, 2)
		up()
		r.sleep(time.Minute)
		r.wantSeen(l, 1, 2, 2, 3)
		r.depth("ledger.0", 0, 0)
	})
}
