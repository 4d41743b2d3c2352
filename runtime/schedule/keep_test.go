package schedule_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/schedule"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
	"github.com/acemq/acemq-gen/runtime/wire"
)

const (
	moveFailed = "acemq.move.failed"
	foreign    = "acemq.schedule.foreign.message"
)

// A message that is due and has nowhere to go is kept, tried every 5 seconds, and delivered once there is a queue.
func TestKeptUntilThereIsAQueue(t *testing.T) {
	for name, remove := range map[string]func(*memory.Server){
		"no queue":    func(s *memory.Server) { s.DeleteQueue(inbox) },
		"no exchange": func(s *memory.Server) { s.DeleteExchange(billing) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				s := r.run(r.conn)
				remove(r.server)
				r.after(10*time.Second, "1")
				r.sleep(10*time.Second + time.Hour - time.Second)
				r.wantCounts(s, schedule.Counts{Scheduled: 1, Hops: 1, Kept: 720})
				wantEqual(r, "the events", r.events.count(moveFailed), 720)
				r.declare()
				inbox := r.watch()
				r.sleep(5 * time.Second)
				wantList(r, "the arrivals", inbox.ids(), []string{"1"})
				wantList(r, "their times", inbox.times(), []time.Duration{time.Second})
				r.wantCounts(s, schedule.Counts{Scheduled: 1, Delivered: 1, Hops: 1, Kept: 720})
			})
		})
	}
}

// bystander publishes a message whose answer is lost, and returns a check that nothing has ended its wait.
func (r *rig) bystander() (check func()) {
	r.Helper()
	r.server.Inject(memory.Script{Fault: memory.LoseConfirm, Match: func(m transport.Message) bool { return m.Key == inbox }})
	waiting, err := acemq.NewPublisher(r.conn, acemq.Route[invoice]{Key: inbox}).PublishAsync(r.Context(), invoice{"2"})
	if err != nil {
		r.Fatal(err)
	}
	return func() {
		r.Helper()
		select {
		case <-waiting.Done():
			r.Errorf("another publish ended: %v", waiting.Wait(r.Context()))
		default:
		}
	}
}

// A message whose exchange is missing disturbs no other publish on the connection.
func TestMissingExchangeDisturbsNobody(t *testing.T) {
	bubble(t, func(r *rig) {
		s := r.run(r.conn)
		nowhere := acemq.NewPublisher(r.conn, acemq.Route[invoice]{Exchange: "missing", Key: "k"})
		if err := schedule.After(r.Context(), nowhere, time.Second, invoice{"1"}); err != nil {
			r.Fatal(err)
		}
		check := r.bystander()
		r.sleep(20 * time.Second)
		wantEqual(r, "the tries that failed", s.Counts().Kept, 4)
		check()
	})
}

// However many messages have nowhere to go, others move on time, and each of the many is there in the end.
func TestKeptMessagesHoldNobodyUp(t *testing.T) {
	const stuck = 300
	bubble(t, func(r *rig) {
		r.run(r.conn)
		inbox := r.watch()
		nowhere := acemq.NewPublisher(r.conn, acemq.Route[invoice]{Key: "nowhere"})
		for i := range stuck {
			if err := schedule.After(r.Context(), nowhere, time.Second, invoice{fmt.Sprint(i)}); err != nil {
				r.Fatal(err)
			}
		}
		r.after(90*time.Second, "90s")
		r.after(2*time.Second, "2s")
		r.after(time.Minute, "1m")
		r.sleep(2 * time.Minute)
		wantList(r, "the arrivals", inbox.ids(), []string{"2s", "1m", "90s"})
		wantList(r, "their times", inbox.times(), []time.Duration{2 * time.Second, time.Minute, 90 * time.Second})
		if err := r.conn.Declare(r.Context(), topology.New().Queue("nowhere")); err != nil {
			r.Fatal(err)
		}
		r.sleep(10 * time.Second)
		wantEqual(r, "what arrived of the rest", r.ready("nowhere"), stuck)
	})
}

// A rung that was deleted is declared again when a message needs it, and nobody waits longer.
func TestDeletedRung(t *testing.T) {
	bubble(t, func(r *rig) {
		s, inbox := r.run(r.conn), r.watch()
		r.after(90*time.Second, "1")
		r.server.DeleteQueue("acemq.schedule.10s")
		r.sleep(time.Hour)
		r.server.DeleteQueue("acemq.schedule.1m")
		r.after(time.Minute, "2")
		r.sleep(time.Hour)
		wantList(r, "the times", inbox.times(), []time.Duration{90 * time.Second, time.Hour + time.Minute})
		r.wantCounts(s, schedule.Counts{Scheduled: 2, Delivered: 2, Hops: 5})
	})
}

// The exchange that was deleted is declared again when a message is scheduled, with all that belongs to it.
func TestDeletedExchange(t *testing.T) {
	bubble(t, func(r *rig) {
		s := r.run(r.conn)
		check := r.bystander()
		r.server.DeleteExchange(wire.ScheduleExchange)
		r.after(10*time.Second, "1")
		r.sleep(10 * time.Second)
		r.wantCounts(s, schedule.Counts{Scheduled: 1, Delivered: 1, Hops: 1})
		check()
	})
}

// Where the rung cannot be declared either, the message is kept.
func TestKeptUntilThereIsARung(t *testing.T) {
	bubble(t, func(r *rig) {
		s, inbox := r.run(r.conn), r.watch()
		r.server.DeleteExchange(wire.ScheduleExchange)
		if err := r.conn.Declare(r.Context(), topology.New().Exchange(wire.ScheduleExchange, topology.Fanout)); err != nil {
			r.Fatal(err)
		}
		r.put(scheduledMessage(time.Now().Add(90 * time.Second)))
		r.sleep(6 * time.Second)
		wantEqual(r, "the tries that failed", s.Counts().Kept, 2)
		r.server.DeleteExchange(wire.ScheduleExchange)
		r.sleep(time.Hour)
		wantList(r, "the times", inbox.times(), []time.Duration{90 * time.Second})
		r.wantCounts(s, schedule.Counts{Delivered: 1, Hops: 3, Kept: 2}) // 80 seconds were left
	})
}

// scheduledMessage returns a message that came out of a rung, as the broker has it.
func scheduledMessage(at time.Time) transport.Message {
	return transport.Message{Key: wire.ScheduleDueQueue, MessageID: "hop", Body: []byte(`{"id":"1"}`),
		Headers: wire.Scheduled{Exchange: billing, Key: due, Due: at, ContentType: "application/json",
			Envelope: wire.Envelope{ID: "1"}}.Headers(nil)}
}

// What no scheduler made is dropped and reported, and holds nobody up.
func TestForeignMessages(t *testing.T) {
	bubble(t, func(r *rig) {
		s, inbox := r.run(r.conn), r.watch()
		for i := range 200 {
			r.put(transport.Message{Key: wire.ScheduleDueQueue, MessageID: fmt.Sprint(i), Body: []byte("?")})
		}
		m := scheduledMessage(time.Now())
		m.Headers["x-schedule-due-at"] = "tomorrow"
		r.put(m)
		r.after(time.Second, "1")
		r.sleep(time.Second)
		wantList(r, "the arrivals", inbox.ids(), []string{"1"})
		r.wantCounts(s, schedule.Counts{Scheduled: 1, Delivered: 1, Hops: 1, Foreign: 201})
		wantEqual(r, "the events", r.events.count(foreign), 201)
		wantEqual(r, "what is left", r.ready(wire.ScheduleDueQueue), 0)
	})
}

// accidents are what can happen to the publish of a message, or to its acknowledgement.
var accidents = map[string]memory.Fault{
	"nacked":                    memory.NackPublish,
	"the confirm is lost":       memory.LoseConfirm,
	"lost on the way":           memory.CloseBeforePublish,
	"lost on the way back":      memory.CloseAfterPublish,
	"lost before the ack is in": memory.CloseBeforeAck,
}

// Whatever happens at a hop or at the delivery, the message arrives. It may arrive twice, under one id.
func TestAccidents(t *testing.T) {
	places := map[string]func(transport.Message) bool{
		"at the hop":      func(m transport.Message) bool { return m.Key == "acemq.schedule.10s" },
		"at the delivery": func(m transport.Message) bool { return m.Key == due },
		"coming out":      func(m transport.Message) bool { return m.Key == wire.ScheduleDueQueue },
	}
	for accident, fault := range accidents {
		for place, match := range places {
			if (fault == memory.CloseBeforeAck) != (place == "coming out") {
				continue // only what is consumed is acknowledged, and only the rest is published
			}
			t.Run(accident+" "+place, func(t *testing.T) {
				bubble(t, func(r *rig) {
					scheduler := r.dial()
					s, inbox := r.run(scheduler), r.watch()
					r.after(90*time.Second, "1")
					r.server.Inject(memory.Script{Fault: fault, Match: match, Times: 3})
					r.sleep(time.Hour)
					ids := inbox.ids()
					slices.Sort(ids)
					wantList(r, "the ids that arrived", slices.Compact(ids), []string{"1"})
					if n := len(inbox.all()); n > 4 { // as often as the accident happened, and once
						r.Errorf("it arrived %d times", n)
					}
					if wait := inbox.times()[0]; wait < 90*time.Second || wait > 5*time.Minute {
						r.Errorf("it arrived after %v", wait)
					}
					counts := s.Counts()
					wantEqual(r, "whether a try failed", counts.Kept > 0, fault != memory.CloseBeforeAck)
				})
			})
		}
	}
}

// The broker goes down with messages in its rungs, and comes back: nothing is lost, and what fell due meanwhile arrives
// at once.
func TestBrokerThatGoesDown(t *testing.T) {
	bubble(t, func(r *rig) {
		s, inbox := r.run(r.conn), r.watch()
		for _, d := range []time.Duration{time.Minute, 90 * time.Second, 10 * time.Minute} {
			r.after(d, d.String())
		}
		r.sleep(30 * time.Second)
		up := r.server.Down()
		r.sleep(2 * time.Minute)
		up()
		r.sleep(time.Hour)
		arrived := inbox.ids()
		slices.Sort(arrived[:min(2, len(arrived))]) // the two that fell due meanwhile come in any order
		wantList(r, "the arrivals", arrived, []string{"1m0s", "1m30s", "10m0s"})
		for i, late := range inbox.times()[:2] {
			if late < 150*time.Second || late > 4*time.Minute {
				r.Errorf("arrival %d was after %v", i, late)
			}
		}
		wantEqual(r, "the last one's time", inbox.times()[2].Truncate(time.Second), 10*time.Minute)
		wantEqual(r, "the deliveries", s.Counts().Delivered, 3)
	})
}

// Connections are cut again and again while messages hop: each arrives.
func TestCutsLoseNothing(t *testing.T) {
	const messages = 500
	bubble(t, func(r *rig) {
		r.run(r.dial())
		r.run(r.dial())
		inbox := r.watch()
		for i := range messages {
			r.after(time.Duration(i)*100*time.Millisecond, fmt.Sprint(i))
		}
		for range 60 {
			r.sleep(1700 * time.Millisecond)
			r.server.Cut()
		}
		r.sleep(time.Hour)
		ids := inbox.ids()
		slices.Sort(ids)
		wantEqual(r, "the number of messages that arrived", len(slices.Compact(ids)), messages)
	})
}

// A scheduler stops at once in each of its states, and what it had is there for the next.
func TestStop(t *testing.T) {
	for _, c := range []struct {
		name   string
		before func(r *rig)
		left   int // messages in acemq.schedule.due
	}{
		{"idle", func(r *rig) {}, 0},
		{"with messages in rungs", func(r *rig) { r.after(time.Hour, "1"); r.after(time.Second, "2") }, 0},
		{"with a message that it keeps", func(r *rig) {
			r.server.DeleteQueue(inbox)
			r.after(time.Second, "1")
			r.sleep(2 * time.Second)
		}, 1},
		{"with more than it can keep", func(r *rig) {
			r.server.DeleteQueue(inbox)
			for range 100 {
				r.put(scheduledMessage(time.Now()))
			}
			r.sleep(time.Second)
		}, 25},
		{"after it was stopped", func(r *rig) {
			r.run(r.dial()).Close(r.Context())
		}, 0},
	} {
		for name, stop := range map[string]func(r *rig, s *schedule.Scheduler, conn *acemq.Conn) error{
			"the scheduler":  func(r *rig, s *schedule.Scheduler, _ *acemq.Conn) error { return s.Close(r.Context()) },
			"the connection": func(r *rig, _ *schedule.Scheduler, conn *acemq.Conn) error { return conn.Close(r.Context()) },
		} {
			t.Run(c.name+" "+name, func(t *testing.T) {
				bubble(t, func(r *rig) {
					conn := r.dial()
					s := r.run(conn)
					c.before(r)
					synctest.Wait()
					start := time.Now()
					if err := stop(r, s, conn); err != nil {
						r.Error(err)
					}
					if took := time.Since(start); took > 0 {
						r.Errorf("it took %v", took)
					}
					synctest.Wait()
					left := r.server.Peek(wire.ScheduleDueQueue)
					wantEqual(r, "the number of messages left", len(left), c.left)
					for _, m := range left {
						e := wire.ReadEnvelope(m.Headers, wire.Arrival{MessageID: m.MessageID})
						wantEqual(r, "the attempt of a message that was kept", e.Attempt, 1)
					}
					if err := s.Close(r.Context()); err != nil {
						r.Errorf("the second time: %v", err)
					}
				})
			})
		}
	}
}

// A scheduler that is stopped while a publish hangs ends within the drain timeout, and the message stays.
func TestStopWhileThePublishHangs(t *testing.T) {
	bubble(t, func(r *rig) {
		s := r.run(r.conn)
		r.after(time.Second, "1")
		r.server.Inject(memory.Script{Fault: memory.LoseConfirm, Match: func(m transport.Message) bool { return m.Key == due }})
		r.sleep(2 * time.Second)
		start := time.Now()
		err := s.Close(r.Context())
		if took := time.Since(start); took > acemq.DefaultDrainTimeout+time.Second {
			r.Errorf("it took %v: %v", took, err)
		}
		synctest.Wait()
		wantEqual(r, "what is left", r.ready(wire.ScheduleDueQueue), 1)
	})
}

// While the broker takes no messages nothing moves, and everything does afterwards.
func TestBlockedBroker(t *testing.T) {
	bubble(t, func(r *rig) {
		s, inbox := r.run(r.dial()), r.watch()
		r.after(90*time.Second, "1")
		unblock := r.server.Block("the disk is full")
		r.sleep(10 * time.Minute)
		wantEqual(r, "the number of arrivals", len(inbox.all()), 0)
		unblock()
		r.sleep(time.Minute)
		ids := inbox.ids()
		wantList(r, "the ids that arrived", slices.Compact(ids), []string{"1"})
		wantEqual(r, "whether a try failed", s.Counts().Kept > 0, true)
	})
}

// Under a context that has ended nothing is scheduled.
func TestEndedContext(t *testing.T) {
	bubble(t, func(r *rig) {
		s := r.run(r.conn)
		ctx, cancel := context.WithCancel(r.Context())
		cancel()
		err := schedule.After(ctx, acemq.NewPublisher(r.dial(), route), time.Hour, invoice{"1"})
		if refused := new(acemq.RefusedError); !errors.As(err, &refused) || !errors.Is(err, context.Canceled) {
			r.Errorf("the publish returned %v", err)
		}
		r.wantCounts(s, schedule.Counts{})
	})
}
