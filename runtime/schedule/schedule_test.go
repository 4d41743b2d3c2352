package schedule_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/schedule"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// delays are waits, the hops that they cost, and when they end: a rest of less than a second is not waited out.
var delays = []struct {
	delay time.Duration
	hops  int64
	ends  time.Duration
}{
	{-365 * 24 * time.Hour, 0, 0},
	{0, 0, 0},
	{999 * time.Millisecond, 0, 0},
	{time.Second, 1, time.Second},
	{1999 * time.Millisecond, 1, time.Second},
	{time.Minute, 1, time.Minute},
	{90 * time.Second, 4, 90 * time.Second},
	{4 * time.Hour, 4, 4 * time.Hour},
	{24 * time.Hour, 24, 24 * time.Hour},
	{24*time.Hour + 90*time.Second, 28, 24*time.Hour + 90*time.Second},
	{23*time.Hour + 59*time.Minute + 59*time.Second, 51, 24*time.Hour - time.Second},
	{100 * 24 * time.Hour, 2400, 100 * 24 * time.Hour},
}

func TestAfter(t *testing.T) {
	for _, c := range delays {
		t.Run(c.delay.String(), func(t *testing.T) {
			bubble(t, func(r *rig) {
				s, inbox := r.run(r.conn), r.watch()
				r.after(c.delay, "1")
				r.sleep(max(2*c.delay, time.Minute))
				wantList(r, "the arrivals", inbox.times(), []time.Duration{c.ends})
				r.wantCounts(s, schedule.Counts{Scheduled: 1, Delivered: 1, Hops: c.hops})
			})
		})
	}
}

func TestAt(t *testing.T) {
	for _, c := range delays {
		t.Run(c.delay.String(), func(t *testing.T) {
			bubble(t, func(r *rig) {
				s, inbox := r.run(r.conn), r.watch()
				moment := time.Now().Add(c.delay).In(time.FixedZone("elsewhere", 9*3600))
				if err := schedule.At(r.Context(), acemq.NewPublisher(r.conn, route), moment, invoice{"1"}); err != nil {
					r.Fatal(err)
				}
				r.sleep(max(2*c.delay, time.Minute))
				wantList(r, "the arrivals", inbox.times(), []time.Duration{c.ends})
				r.wantCounts(s, schedule.Counts{Scheduled: 1, Delivered: 1, Hops: c.hops})
			})
		})
	}
}

// The zero time is past, and so is due.
func TestAtZero(t *testing.T) {
	bubble(t, func(r *rig) {
		inbox := r.watch()
		if err := schedule.At(r.Context(), acemq.NewPublisher(r.conn, route), time.Time{}, invoice{"1"}); err != nil {
			r.Fatal(err)
		}
		r.sleep(time.Hour)
		wantList(r, "the arrivals", inbox.times(), []time.Duration{0})
	})
}

// A delay that no clock can hold the end of still waits.
func TestLongestDelay(t *testing.T) {
	bubble(t, func(r *rig) {
		s, inbox := r.run(r.conn), r.watch()
		r.after(1<<63-1, "1")
		r.sleep(1000 * time.Hour)
		wantEqual(r, "the number of arrivals", len(inbox.all()), 0)
		r.wantCounts(s, schedule.Counts{Scheduled: 1, Hops: 1001})
	})
}

// versions are those of RabbitMQ that differ in what they take for a cycle of dead letters.
var versions = map[string]memory.Option{
	"3.12": memory.Version(3, 12), "3.13": memory.Version(3, 13), "4.0": memory.Version(4, 0), "4.3": memory.Version(4, 3),
}

// On each version of the broker a message passes the same queues again and again, and is not taken for a cycle.
func TestDayOnEachVersion(t *testing.T) {
	for name, version := range versions {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				s, inbox := r.run(r.conn), r.watch()
				r.after(24*time.Hour+90*time.Second, "1")
				r.sleep(25 * time.Hour)
				wantList(r, "the arrivals", inbox.times(), []time.Duration{24*time.Hour + 90*time.Second})
				r.wantCounts(s, schedule.Counts{Scheduled: 1, Delivered: 1, Hops: 28})
			}, version)
		})
	}
}

// A long wait in front holds no short one up.
func TestShortBehindLong(t *testing.T) {
	bubble(t, func(r *rig) {
		r.run(r.conn)
		inbox := r.watch()
		for _, d := range []time.Duration{4 * time.Hour, time.Minute, 2 * time.Hour, 10 * time.Second, time.Second} {
			r.after(d, d.String())
		}
		r.sleep(5 * time.Hour)
		wantList(r, "the arrivals", inbox.ids(), []string{"1s", "10s", "1m0s", "2h0m0s", "4h0m0s"})
		wantList(r, "their times", inbox.times(),
			[]time.Duration{time.Second, 10 * time.Second, time.Minute, 2 * time.Hour, 4 * time.Hour})
	})
}

// While no scheduler runs, a message waits; the first one to start delivers what is due by then.
func TestSchedulerThatStartsLate(t *testing.T) {
	bubble(t, func(r *rig) {
		inbox := r.watch()
		r.after(90*time.Second, "1")
		r.sleep(time.Hour)
		wantEqual(r, "the messages that came out", r.ready("acemq.schedule.due"), 1)
		s := r.run(r.dial())
		r.sleep(0)
		wantList(r, "the arrivals", inbox.times(), []time.Duration{time.Hour})
		r.wantCounts(s, schedule.Counts{Delivered: 1})
	})
}

// Several schedulers share the work, and no message is delivered twice.
func TestSchedulersShareTheWork(t *testing.T) {
	const messages = 1000
	bubble(t, func(r *rig) {
		schedulers := []*schedule.Scheduler{r.run(r.dial()), r.run(r.dial()), r.run(r.dial())}
		inbox := r.watch()
		for i := range messages {
			r.after(90*time.Second, fmt.Sprint(i))
		}
		r.sleep(2 * time.Minute)
		wantEqual(r, "the number of arrivals", len(inbox.all()), messages)
		var all schedule.Counts
		for _, s := range schedulers {
			counts := s.Counts()
			if counts.Delivered == 0 || counts.Hops == 0 {
				r.Errorf("a scheduler has no part in the work: %+v", counts)
			}
			all.Delivered += counts.Delivered
			all.Hops += counts.Hops
		}
		wantEqual(r, "their work", all, schedule.Counts{Delivered: messages, Hops: 3 * messages})
	})
}

// The counts are those of the connection, whichever of its schedulers is asked.
func TestSchedulersOfOneConnection(t *testing.T) {
	bubble(t, func(r *rig) {
		one, other := r.run(r.conn), r.run(r.conn)
		r.after(90*time.Second, "1")
		r.sleep(2 * time.Minute)
		want := schedule.Counts{Scheduled: 1, Delivered: 1, Hops: 4}
		r.wantCounts(one, want)
		r.wantCounts(other, want)
	})
}

// The first messages of a connection, many at once, all find the queues declared.
func TestAfterConcurrently(t *testing.T) {
	const messages = 100
	bubble(t, func(r *rig) {
		var wait sync.WaitGroup
		for i := range messages {
			wait.Go(func() { r.after(time.Minute, fmt.Sprint(i)) })
		}
		wait.Wait()
		wantEqual(r, "what waits", r.ready("acemq.schedule.1m"), messages)
		inbox := r.watch()
		r.run(r.conn)
		r.sleep(time.Minute)
		wantEqual(r, "the number of arrivals", len(inbox.all()), messages)
	})
}
