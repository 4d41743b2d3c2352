package replay_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/replay"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// copies matches the copies that a replay publishes.
func copies(m transport.Message) bool { return m.Headers["acemq-replayed-from"] != nil }

// deadLetters matches the messages that a replay acknowledges.
func deadLetters(m transport.Message) bool { return m.Headers["acemq-replayed-from"] == nil }

// What goes wrong between the publish of a copy and the ack of its message loses nothing, and the run goes on. The
// messages that were declined are where they were, and each of the others is in the queue of work at least once.
func TestFaults(t *testing.T) {
	const messages = 1000
	tests := []struct {
		name   string
		script memory.Script
		twice  int // how many messages may be there twice
	}{
		{"the connection is lost before a publish", memory.Script{Fault: memory.CloseBeforePublish, Match: copies}, 64},
		{"the connection is lost before a confirm", memory.Script{Fault: memory.CloseAfterPublish, Match: copies}, 64},
		{"the connection is lost again and again", memory.Script{Fault: memory.CloseAfterPublish, Match: copies, Times: 3}, 3 * 64},
		{"a confirm is lost", memory.Script{Fault: memory.LoseConfirm, Match: copies}, 1},
		{"an ack is lost with the connection", memory.Script{Fault: memory.CloseBeforeAck, Match: deadLetters}, 0},
		{"acks are lost again and again", memory.Script{Fault: memory.CloseBeforeAck, Match: deadLetters, Times: 5}, 0},
	}
	for _, test := range tests {
		for _, skip := range []int{0, 100, messages/3 - 1} {
			t.Run(test.name, func(t *testing.T) {
				bubble(t, func(r *rig) {
					r.fill(dead, messages)
					script := test.script
					script.Skip = skip
					r.server.Inject(script)
					result, err := replay.Typed[order](r.conn, dead).Where(fromEU).All(r.Context())
					wantEqual(r, "the error", err, nil)
					moved, stay := numbers(messages, inEU), numbers(messages, notInEU)
					wantEqual(r, "the result", result, replay.Result{From: dead, Into: work, Moved: len(moved),
						Skipped: len(stay), Stopped: replay.Drained})
					wantList(r, "what is left", r.ids(dead), stay)
					r.wantAtLeastOnce(moved, test.twice)
				})
			})
		}
	}
}

// wantAtLeastOnce checks that each message is in the queue of work, and at most so many of them twice.
func (r *rig) wantAtLeastOnce(want []string, twice int) {
	r.Helper()
	counts := make(map[string]int)
	for _, id := range r.ids(work) {
		counts[id]++
	}
	wantEqual(r, "the number of messages", len(counts), len(want))
	for _, id := range want {
		if counts[id] == 0 {
			r.Errorf("message %s is lost", id)
		}
		if counts[id] > 1 {
			twice -= counts[id] - 1
		}
	}
	if twice < 0 {
		r.Errorf("%d messages more than allowed are there twice", -twice)
	}
}

// A refusal of the broker ends the run, with the message where it was.
func TestRefusedCopy(t *testing.T) {
	for name, script := range map[string]memory.Script{
		"once":   {Fault: memory.NackPublish, Match: copies, Skip: 10},
		"always": {Fault: memory.NackPublish, Match: copies, Times: 1 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.fill(dead, 300)
				r.server.Inject(script)
				result, err := replay.New(r.conn, dead).All(r.Context())
				if !errors.As(err, new(*acemq.NackedError)) {
					r.Errorf("got %v", err)
				}
				wantEqual(r, "the reason", result.Stopped, replay.Failed)
				wantEqual(r, "the number moved", len(r.ids(work)), result.Moved)
				wantSet(r, "all messages", append(r.ids(work), r.ids(dead)...), numbers(300, all))
			})
		})
	}
}

// Wherever a run is cancelled, each message is in one place.
func TestCancel(t *testing.T) {
	for _, at := range []int{1, 63, 64, 65, 199, 200, 201, 500} {
		bubble(t, func(r *rig) {
			r.fill(dead, 600)
			ctx, cancel := context.WithCancel(r.Context())
			seen := 0
			result, err := replay.Typed[order](r.conn, dead).Where(func(m *acemq.Message[order]) bool {
				if seen++; seen == at {
					cancel()
				}
				return fromEU(m)
			}).All(ctx)
			if !errors.Is(err, context.Canceled) {
				r.Errorf("got %v", err)
			}
			wantEqual(r, "the reason", result.Stopped, replay.Cancelled)
			wantEqual(r, "the number moved", len(r.ids(work)), result.Moved)
			wantEqual(r, "the number left", len(r.ids(dead)), 600-result.Moved)
			wantSet(r, "all messages", append(r.ids(work), r.ids(dead)...), numbers(600, all))
		})
	}
}

func TestContextsThatHaveEnded(t *testing.T) {
	bubble(t, func(r *rig) {
		r.fill(dead, 1)
		cause := errors.New("the shift is over")
		cancelled, cancel := context.WithCancelCause(r.Context())
		cancel(cause)
		result, err := replay.New(r.conn, dead).All(cancelled)
		wantEqual(r, "the reason", result.Stopped, replay.Cancelled)
		wantEqual(r, "the cause is found", errors.Is(err, cause), true)

		late, cancelLate := context.WithDeadline(r.Context(), time.Now())
		defer cancelLate()
		result, err = replay.New(r.conn, dead).All(late)
		wantEqual(r, "the reason", result.Stopped, replay.Deadline)
		wantEqual(r, "the cause is found", errors.Is(err, context.DeadlineExceeded), true)
		wantEqual(r, "the number left", len(r.ids(dead)), 1)
	})
}

// Closing the connection ends a run in good order.
func TestCloseTheConnection(t *testing.T) {
	bubble(t, func(r *rig) {
		r.fill(dead, 600)
		conn := r.dial()
		closed := make(chan error, 1)
		seen := 0
		result, err := replay.Typed[order](conn, dead).Where(func(m *acemq.Message[order]) bool {
			if seen++; seen == 100 {
				go func() { closed <- conn.Close(context.Background()) }()
				synctest.Wait()
			}
			return fromEU(m)
		}).All(r.Context())
		if !errors.Is(err, transport.ErrClosed) {
			r.Errorf("got %v", err)
		}
		wantEqual(r, "the error of Close", <-closed, nil)
		wantEqual(r, "the reason", result.Stopped, replay.Cancelled)
		wantEqual(r, "the number moved", len(r.ids(work)), result.Moved)
		wantSet(r, "all messages", append(r.ids(work), r.ids(dead)...), numbers(600, all))

		_, err = replay.New(conn, dead).All(r.Context())
		wantEqual(r, "after Close, the cause is found", errors.Is(err, transport.ErrClosed), true)
	})
}

// A filter that panics takes nothing with it.
func TestFilterPanics(t *testing.T) {
	bubble(t, func(r *rig) {
		r.fill(dead, 300)
		func() {
			defer func() { wantEqual(r, "the panic", recover(), any("no such region")) }()
			seen := 0
			replay.Typed[order](r.conn, dead).Where(func(*acemq.Message[order]) bool {
				if seen++; seen == 100 {
					panic("no such region")
				}
				return true
			}).All(r.Context())
		}()
		wantSet(r, "all messages", append(r.ids(work), r.ids(dead)...), numbers(300, all))
		wantEqual(r, "the number moved", len(r.ids(work)), 99)
	})
}

// A broker that takes back what was held for too long ends no run.
func TestConsumerTimeout(t *testing.T) {
	bubble(t, func(r *rig) {
		r.fill(dead, 1000)
		seen := 0
		result, err := replay.Typed[order](r.conn, dead).Where(func(m *acemq.Message[order]) bool {
			if seen++; seen == 500 {
				r.sleep(40 * time.Minute)
			}
			return fromEU(m)
		}).All(r.Context())
		wantEqual(r, "the error", err, nil)
		wantEqual(r, "the number moved", result.Moved, 334)
		wantEqual(r, "the number declined", result.Skipped, 666)
		wantList(r, "what is left", r.ids(dead), numbers(1000, notInEU))
		wantSet(r, "the messages", r.ids(work), numbers(1000, inEU))
	})
}

// A broker that is away for a while is waited for, and one that stays away is not.
func TestBrokerAway(t *testing.T) {
	for _, test := range []struct {
		away time.Duration
		want replay.Reason
	}{{10 * time.Second, replay.Drained}, {time.Hour, replay.Failed}} {
		t.Run(test.away.String(), func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.fill(dead, 1000)
				seen := 0
				result, err := replay.Typed[order](r.conn, dead).Where(func(m *acemq.Message[order]) bool {
					if seen++; seen == 500 {
						up := r.server.Down()
						time.AfterFunc(test.away, up)
					}
					return fromEU(m)
				}).All(r.Context())
				wantEqual(r, "the reason", result.Stopped, test.want)
				wantEqual(r, "there is an error", err != nil, test.want == replay.Failed)
				r.sleep(2 * time.Hour)
				if test.want == replay.Drained {
					wantEqual(r, "the result", result, replay.Result{From: dead, Into: work, Moved: 334, Skipped: 666,
						Stopped: replay.Drained})
					wantList(r, "what is left", r.ids(dead), numbers(1000, notInEU))
				}
				have := make(map[string]bool)
				for _, id := range append(r.ids(work), r.ids(dead)...) {
					have[id] = true
				}
				wantEqual(r, "the number of messages", len(have), 1000)
			})
		})
	}
}

// Where somebody else takes the messages that were there, the run ends, and where they wait and never come, it says so.
func TestMessagesThatNeverCome(t *testing.T) {
	bubble(t, func(r *rig) {
		r.fill(dead, 10)
		sub, err := r.dial().Subscribe(r.Context(), transport.Subscription{Queue: dead, Prefetch: 10})
		if err != nil {
			r.Fatal(err)
		}
		defer sub.Close(r.Context())
		seen := 0
		result, err := replay.New(r.conn, dead).Where(func(*acemq.Message[[]byte]) bool { seen++; return true }).All(r.Context())
		wantEqual(r, "the error", err, nil)
		wantEqual(r, "the reason", result.Stopped, replay.Drained)
		wantEqual(r, "the number seen", seen, 0)
	})
	bubble(t, func(r *rig) {
		err := r.conn.Declare(r.Context(), topologyOf("single", map[string]any{"x-queue-type": "quorum", "x-single-active-consumer": true}))
		if err != nil {
			r.Fatal(err)
		}
		sub, err := r.dial().Subscribe(r.Context(), transport.Subscription{Queue: "single", Prefetch: 1})
		if err != nil {
			r.Fatal(err)
		}
		defer sub.Close(r.Context())
		r.fill("single", 3)
		result, err := replay.New(r.conn, "single", replay.Into(work)).All(r.Context())
		if err == nil || !strings.Contains(err.Error(), "another consumer") {
			r.Errorf("got %v", err)
		}
		wantEqual(r, "the reason", result.Stopped, replay.Failed)
		wantEqual(r, "the number moved", result.Moved, 0)
	})
}
