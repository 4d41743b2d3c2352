package acemq

import (
	"strconv"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// failing is a handler that asks for a retry each time.
func failing() *script {
	s := answers()
	for range 1000 {
		s.answers = append(s.answers, Retry(errBusy))
	}
	return s
}

func TestScheduleOfAPolicy(t *testing.T) {
	for _, c := range []struct {
		name  string
		retry RetryPolicy
		want  []time.Duration // when the deliveries come, from the first
		end   string          // the reason in the dead letter
	}{
		{
			"waits in the consumer", Exponential(5, time.Second, 24*time.Hour).Jitter(0),
			[]time.Duration{0, 1 * time.Second, 3 * time.Second, 7 * time.Second, 15 * time.Second},
			"exhausted 5 attempts: payments are busy",
		},
		{
			"waits in both", Exponential(6, 10*time.Second, time.Minute).Jitter(0),
			[]time.Duration{0, 10 * time.Second, 30 * time.Second, 70 * time.Second, 130 * time.Second, 190 * time.Second},
			"exhausted 6 attempts: payments are busy",
		},
		{
			"waits for hours in the broker", Fixed(4, 2*time.Hour),
			[]time.Duration{0, 2 * time.Hour, 4 * time.Hour, 6 * time.Hour},
			"exhausted 4 attempts: payments are busy",
		},
		{
			"never waits in the broker", Fixed(3, 20*time.Minute).WaitInBrokerFrom(0),
			[]time.Duration{0, 20 * time.Minute, 40 * time.Minute},
			"exhausted 3 attempts: payments are busy",
		},
		{
			"gives up on age", Fixed(100, time.Minute).GiveUpAfter(150 * time.Second),
			[]time.Duration{0, time.Minute, 2 * time.Minute, 3 * time.Minute},
			"exceeded the maximum message age of 2m30s: payments are busy",
		},
		{
			"gives up at the very age", Fixed(100, time.Minute).GiveUpAfter(2 * time.Minute),
			[]time.Duration{0, time.Minute, 2 * time.Minute},
			"exceeded the maximum message age of 2m0s: payments are busy",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.putOrder("1")
				s := failing()
				consumer := r.consume(Queue{Retry: c.retry}, s.handle)
				r.sleep(24 * time.Hour)
				wantList(r, "the times", s.times(), c.want)
				for i, attempt := range s.attempts() {
					wantEqual(r, "the attempt", attempt, i+1)
				}
				r.wantCounts(consumer, Counts{Retried: int64(len(c.want) - 1), DeadLettered: 1})
				d := r.takeOne("work.dlq")
				wantEqual(r, "the reason", d.Headers[wire.HeaderError], any(c.end))
				wantEqual(r, "the attempt of the dead letter", d.Headers[wire.HeaderAttempt], any(int32(len(c.want))))
			})
		})
	}
}

// Jitter spreads the waits in the consumer, and leaves those in the broker alone.
func TestJitter(t *testing.T) {
	bubble(t, func(r *rig) {
		for i := range 50 {
			r.putOrder(strconv.Itoa(i))
		}
		s := failing()
		r.consume(Queue{Retry: Exponential(3, 20*time.Second, time.Hour), Prefetch: 50}, s.handle) // 20s here, 40s in a rung
		r.sleep(time.Hour)
		seconds, thirds := make(map[string]time.Duration), make(map[string]time.Duration)
		for i, at := range s.times() {
			switch m := s.seen[i]; m.Attempt() {
			case 2:
				seconds[m.Payload.ID] = at
			case 3:
				thirds[m.Payload.ID] = at
			}
		}
		wantEqual(r, "the number of third attempts", len(thirds), 50)
		different := make(map[time.Duration]bool)
		for id, at := range seconds {
			different[at] = true
			if at < 16*time.Second || at > 24*time.Second {
				r.Errorf("a wait of 20s with a jitter of 20%% took %v", at)
			}
			// A broker counts in whole milliseconds.
			if wait := thirds[id] - at; wait < 40*time.Second || wait > 40*time.Second+time.Millisecond {
				r.Errorf("a wait of 40s in the broker took %v", wait)
			}
		}
		if len(different) < 10 {
			r.Errorf("50 waits ended at %d different times", len(different))
		}
	})
}

// Without a policy a message is tried for ever.
func TestNoPolicyNeverGivesUp(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		s := failing()
		c := r.consume(Queue{}, s.handle)
		r.sleep(time.Hour + time.Second)
		wantEqual(r, "the deliveries in an hour", len(s.seen), 721)
		wantEqual(r, "the last attempt", s.seen[720].Attempt(), 721)
		wantEqual(r, "the dead letters", r.ready("work.dlq"), 0)
		wantEqual(r, "retried", c.Counts().Retried, 721-1)
	})
}

// The attempt is on the wire: a process that dies between two attempts does not start the count again.
func TestAttemptsSurviveACrash(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		first := answers(Retry(errBusy), Retry(errBusy), Retry(errBusy))
		r.consume(Queue{Retry: Fixed(5, time.Minute)}, first.handle)
		r.sleep(150 * time.Second) // three attempts; the message waits in its rung
		wantList(r, "the attempts before the crash", first.attempts(), []int{1, 2, 3})
		r.crash()
		second := failing()
		r.consume(Queue{Retry: Fixed(5, time.Minute)}, second.handle)
		r.sleep(time.Hour)
		wantList(r, "the attempts after the crash", second.attempts(), []int{4, 5})
		r.takeOne("work.dlq")
	})
}

// A crash while a message waits in the consumer repeats the attempt, and loses nothing.
func TestCrashDuringAWaitInTheConsumer(t *testing.T) {
	bubble(t, func(r *rig) {
		r.putOrder("1")
		first := answers(Retry(errBusy), Retry(errBusy))
		r.consume(Queue{Retry: Fixed(3, 10*time.Second)}, first.handle)
		r.sleep(15 * time.Second) // the second attempt failed, and waits here
		r.crash()
		second := failing()
		r.consume(Queue{Retry: Fixed(3, 10*time.Second)}, second.handle)
		r.sleep(time.Hour)
		wantList(r, "the attempts after the crash", second.attempts(), []int{2, 3})
		wantEqual(r, "redelivered", second.seen[0].Redelivered, true)
		wantEqual(r, "the dead letters", r.ready("work.dlq"), 1)
	})
}

// A waiting message holds a place in the prefetch and none among the handlers.
func TestWaitingHoldsNoHandler(t *testing.T) {
	bubble(t, func(r *rig) {
		for _, id := range []string{"1", "2", "3", "4"} {
			r.putOrder(id)
		}
		s := answers(RetryAfter(time.Minute, errBusy), RetryAfter(time.Minute, errBusy))
		r.consume(Queue{Prefetch: 3, Concurrency: 1}, s.handle)
		r.sleep(time.Second)
		wantList(r, "the deliveries in the first second", s.times(), []time.Duration{0, 0, 0, 0})
		wantEqual(r, "the messages left", r.ready(work), 0)
	})
}

func TestRungsAndSetAsideQueuesAreThereFromTheStart(t *testing.T) {
	bubble(t, func(r *rig) {
		r.consume(Queue{Retry: Exponential(6, 10*time.Second, time.Minute)}, answers().handle)
		for _, queue := range []string{"work.dlq", "work.parked", "work.retry.40s", "work.retry.1m"} {
			wantEqual(r, "the messages in "+queue, r.ready(queue), 0)
		}
		for _, queue := range []string{"work.retry.10s", "work.retry.20s"} {
			wantEqual(r, "the messages in "+queue, r.ready(queue), -1)
		}
	})
}

// A dead letter that the broker made, replayed with its death history and retried through a rung, comes home: brokers
// up to 3.13 would drop it as a cycle if the history travelled on.
func TestRetryAfterReplayOfABrokersDeadLetter(t *testing.T) {
	bubble(t, func(r *rig) {
		death := []any{Headers{"queue": work, "reason": "expired", "exchange": "", "count": int64(1), "routing-keys": []any{work}}}
		r.put(transport.Message{Key: work, MessageID: "1", Body: []byte(`{}`), Headers: Headers{"x-death": death}})
		s := answers(Retry(errBusy))
		r.consume(Queue{Retry: Fixed(3, time.Minute)}, s.handle)
		r.sleep(time.Hour)
		wantList(r, "the attempts", s.attempts(), []int{1, 2})
		for _, m := range r.broker.messages() {
			if _, there := m.Headers["x-death"]; there {
				r.Errorf("the copy to %s carries x-death", m.Key)
			}
		}
	})
}
