package replay_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/replay"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

func TestAll(t *testing.T) {
	for _, queue := range []string{dead, parked, "orders.dead"} {
		t.Run(queue, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.declareClassic("orders.dead")
				r.fill(queue, 300)
				replays := replay.New(r.conn, queue)
				n, err := replays.Pending(r.Context())
				wantEqual(r, "the error", err, nil)
				wantEqual(r, "what is pending", n, 300)
				result, err := replays.All(r.Context())
				wantEqual(r, "the error", err, nil)
				wantEqual(r, "the result", result,
					replay.Result{From: queue, Into: work, Moved: 300, Stopped: replay.Drained})
				wantList(r, "the messages", r.ids(work), numbers(300, all))
				wantEqual(r, "what is left", len(r.ids(queue)), 0)
			})
		})
	}
}

// A copy is the message, but for its stamps, attempt and error.
func TestCopy(t *testing.T) {
	const first = int64(1_700_000_000_000)
	in := transport.Message{
		Key: dead, MessageID: "1", ContentType: "application/vnd.acme", Body: []byte{0, 0xff, '{'}, ReplyTo: "answers",
		Priority: 3, Headers: acemq.Headers{
			"x-acemq-id": "1", "x-acemq-type": "order.placed", "x-acemq-attempt": int32(5), "x-acemq-error": "why",
			"x-acemq-first-seen": first, "x-acemq-origin": "shop@host", "x-acemq-of-tomorrow": "kept",
			"x-acemq-replayed-from": "old", "x-acemq-replay-count": int32(2),
			"x-tenant": "acme", "x-delivery-count": int64(3), "x-death": []any{},
		},
	}
	tests := []struct {
		name string
		opts []replay.Option
		want acemq.Headers
	}{
		{"restarted", nil, acemq.Headers{
			"x-acemq-id": "1", "x-acemq-type": "order.placed", "x-acemq-attempt": int32(1),
			"x-acemq-first-seen": first, "x-acemq-origin": "shop@host", "x-acemq-of-tomorrow": "kept",
			"acemq-replayed-from": dead, "acemq-replayed-at": "2000-01-01T00:00:00Z", "acemq-replay-count": int32(3),
			"x-tenant": "acme",
		}},
		{"keeping attempts", []replay.Option{replay.KeepingAttempts()}, acemq.Headers{
			"x-acemq-id": "1", "x-acemq-type": "order.placed", "x-acemq-attempt": int32(5), "x-acemq-error": "why",
			"x-acemq-first-seen": first, "x-acemq-origin": "shop@host", "x-acemq-of-tomorrow": "kept",
			"acemq-replayed-from": dead, "acemq-replayed-at": "2000-01-01T00:00:00Z", "acemq-replay-count": int32(3),
			"x-tenant": "acme",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.put(in)
				if _, err := replay.New(r.conn, dead, test.opts...).All(r.Context()); err != nil {
					r.Fatal(err)
				}
				copies := r.server.Peek(work)
				if len(copies) != 1 {
					r.Fatalf("there are %d copies", len(copies))
				}
				got := copies[0]
				if !reflect.DeepEqual(got.Headers, test.want) {
					r.Errorf("the headers are %v,\nwant %v", got.Headers, test.want)
				}
				wantEqual(r, "the body", string(got.Body), string(in.Body))
				wantEqual(r, "the content type", got.ContentType, in.ContentType)
				wantEqual(r, "the id", got.MessageID, in.MessageID)
				wantEqual(r, "the reply address", got.ReplyTo, in.ReplyTo)
				wantEqual(r, "the priority", got.Priority, in.Priority)
				wantEqual(r, "transient", got.Transient, false)
			})
		})
	}
}

// A message without an id gets one, for a return is matched by it.
func TestForeignMessage(t *testing.T) {
	bubble(t, func(r *rig) {
		r.put(transport.Message{Key: dead, MessageID: "-", Transient: true, Body: []byte("hello")})
		if _, err := replay.New(r.conn, dead).All(r.Context()); err != nil {
			r.Fatal(err)
		}
		got := r.server.Peek(work)[0]
		wantEqual(r, "the body", string(got.Body), "hello")
		wantEqual(r, "transient", got.Transient, false)
		wantEqual(r, "the stamp", got.Headers["acemq-replay-count"], any(int32(1)))
	})
}

// What is declined is back where it was, however much of it there is.
func TestWhere(t *testing.T) {
	for _, n := range []int{1, 199, 200, 201, 1000, 10_000} {
		bubble(t, func(r *rig) {
			r.fill(dead, n)
			result, err := replay.Typed[order](r.conn, dead).Where(fromEU).All(r.Context())
			wantEqual(r, "the error", err, nil)
			moved, stay := numbers(n, inEU), numbers(n, notInEU)
			wantEqual(r, "the result", result, replay.Result{From: dead, Into: work, Moved: len(moved),
				Skipped: len(stay), Stopped: replay.Drained})
			wantList(r, "the messages", r.ids(work), moved)
			wantList(r, "what is left", r.ids(dead), stay)
		})
	}
}

// The messages that do not decode are declined, or judged by their bytes.
func TestUnreadable(t *testing.T) {
	bubble(t, func(r *rig) {
		r.fill(parked, 1)
		r.put(transport.Message{Key: parked, MessageID: "broken", Body: []byte("{")})
		r.put(transport.Message{Key: parked, MessageID: "foreign", ContentType: "text/csv", Body: []byte("1;eu")})
		r.put(transport.Message{Key: parked, MessageID: "other", ContentType: "text/csv", Body: []byte("2;us")})
		typed := replay.Typed[order](r.conn, parked).Where(fromEU)
		result, err := typed.All(r.Context())
		wantEqual(r, "the error", err, nil)
		wantEqual(r, "the result", result, replay.Result{From: parked, Into: work, Moved: 1, Skipped: 3, Unreadable: 3,
			Stopped: replay.Drained})

		csv := func(m *acemq.Message[[]byte]) bool { return strings.HasSuffix(string(m.Payload), ";eu") }
		result, err = typed.WhereUnreadable(csv).All(r.Context())
		wantEqual(r, "the error", err, nil)
		wantEqual(r, "the result", result, replay.Result{From: parked, Into: work, Moved: 1, Skipped: 2, Unreadable: 2,
			Stopped: replay.Drained})
		wantList(r, "what is left", r.ids(parked), []string{"broken", "other"})

		result, err = replay.New(r.conn, parked).Where(func(m *acemq.Message[[]byte]) bool {
			return string(m.Payload) == "{"
		}).All(r.Context())
		wantEqual(r, "the error", err, nil)
		wantEqual(r, "the number moved", result.Moved, 1)
		result, err = replay.Typed[order](r.conn, parked).All(r.Context()) // without a filter, nothing is decoded
		wantEqual(r, "the error", err, nil)
		wantEqual(r, "the number moved", result.Moved, 1)
	})
}

func TestDecodeWith(t *testing.T) {
	bubble(t, func(r *rig) {
		r.put(transport.Message{Key: dead, MessageID: "1", ContentType: "text/plain", Body: []byte("eu")})
		result, err := replay.Typed[string](r.conn, dead, replay.DecodeWith(acemq.Text)).
			Where(func(m *acemq.Message[string]) bool { return m.Payload == "eu" }).All(r.Context())
		wantEqual(r, "the error", err, nil)
		wantEqual(r, "the number moved", result.Moved, 1)
	})
}

func TestFirst(t *testing.T) {
	tests := []struct {
		n       int
		filter  func(*acemq.Message[order]) bool
		moved   []string
		stopped replay.Reason
	}{
		{1, nil, numbers(1, all), replay.Limit},
		{100, nil, numbers(100, all), replay.Limit},
		{300, nil, numbers(300, all), replay.Limit},
		{301, nil, numbers(300, all), replay.Drained},
		{10, fromEU, numbers(30, inEU), replay.Limit},
		{101, fromEU, numbers(300, inEU), replay.Drained},
	}
	for _, test := range tests {
		bubble(t, func(r *rig) {
			r.fill(dead, 300)
			replays := replay.Typed[order](r.conn, dead)
			if test.filter != nil {
				replays = replays.Where(test.filter)
			}
			result, err := replays.First(r.Context(), test.n)
			wantEqual(r, "the error", err, nil)
			wantEqual(r, "the number moved", result.Moved, len(test.moved))
			wantEqual(r, "the reason", result.Stopped, test.stopped)
			wantList(r, "the messages", r.ids(work), test.moved)
			wantEqual(r, "the number left", len(r.ids(dead)), 300-len(test.moved))
		})
	}
}

func TestMatching(t *testing.T) {
	bubble(t, func(r *rig) {
		r.fill(dead, 1000)
		replays := replay.Typed[order](r.conn, dead).Where(fromEU)
		var ids []string
		for m, err := range replays.Matching(r.Context()) {
			if err != nil {
				r.Fatal(err)
			}
			ids = append(ids, m.Envelope.ID)
			wantEqual(r, "the reason", m.Envelope.Error, "exhausted 5 attempts: no such card")
			wantEqual(r, "the region", m.WireHeaders()["x-region"], any("eu"))
		}
		wantList(r, "the messages", ids, numbers(1000, inEU))
		wantList(r, "what is left", r.ids(dead), numbers(1000, all))
		for m := range replays.Matching(r.Context()) {
			wantEqual(r, "the first", m.Envelope.ID, "0")
			break
		}
		wantList(r, "what is left", r.ids(dead), numbers(1000, all))
		wantEqual(r, "the number moved", len(r.ids(work)), 0)
	})
}

func TestMatchingFails(t *testing.T) {
	bubble(t, func(r *rig) {
		n := 0
		for m, err := range replay.New(r.conn, "missing.dlq").Matching(r.Context()) {
			n++
			if m != nil || !errors.As(err, new(*acemq.NotFoundError)) {
				r.Errorf("got %v, %v", m, err)
			}
		}
		wantEqual(r, "the number of errors", n, 1)
	})
}

func TestInto(t *testing.T) {
	bubble(t, func(r *rig) {
		r.declareClassic("elsewhere")
		r.fill(work, 3)
		result, err := replay.New(r.conn, work, replay.Into("elsewhere")).All(r.Context())
		wantEqual(r, "the error", err, nil)
		wantEqual(r, "the result", result, replay.Result{From: work, Into: "elsewhere", Moved: 3, Stopped: replay.Drained})
		wantList(r, "the messages", r.ids("elsewhere"), numbers(3, all))
	})
}

// Wrong names are the error of every method, and nothing is touched.
func TestWrongNames(t *testing.T) {
	long := strings.Repeat("x", 256)
	tests := []struct{ from, into, want string }{
		{work, "", "say the queue to move them into"},
		{"", "", "say the queue to move them into"},
		{dead, dead, "for ever"},
		{work, work, "for ever"},
		{dead, long, "255"},
		{long + ".dlq", "", "255"},
	}
	bubble(t, func(r *rig) {
		r.fill(dead, 1)
		r.fill(work, 1)
		for _, test := range tests {
			replays := replay.New(r.conn, test.from, replay.Into(test.into))
			check := func(err error) {
				r.Helper()
				if err == nil || !strings.Contains(err.Error(), test.want) {
					r.Errorf("from %q into %q: got %v, want %q", test.from, test.into, err, test.want)
				}
			}
			result, err := replays.All(r.Context())
			check(err)
			wantEqual(r, "the reason", result.Stopped, replay.Failed)
			_, err = replays.First(r.Context(), 1)
			check(err)
			_, err = replays.Pending(r.Context())
			check(err)
		}
		for _, n := range []int{0, -1} {
			if _, err := replay.New(r.conn, dead).First(r.Context(), n); err == nil {
				r.Errorf("the first %d: no error", n)
			}
		}
		wantEqual(r, "the messages left", len(r.ids(dead)), 1)
	})
}

func TestEmptyAndMissingQueues(t *testing.T) {
	bubble(t, func(r *rig) {
		start := time.Now()
		result, err := replay.New(r.conn, dead).All(r.Context())
		wantEqual(r, "the error", err, nil)
		wantEqual(r, "the result", result, replay.Result{From: dead, Into: work, Stopped: replay.Drained})
		wantEqual(r, "the time", time.Since(start), 0)

		if _, err := replay.New(r.conn, "missing.dlq").All(r.Context()); !errors.As(err, new(*acemq.NotFoundError)) {
			r.Errorf("got %v", err)
		}
		r.fill(dead, 100)
		result, err = replay.New(r.conn, dead, replay.Into("missing")).All(r.Context())
		if !errors.As(err, new(*acemq.UnroutableError)) {
			r.Errorf("got %v", err)
		}
		wantEqual(r, "the reason", result.Stopped, replay.Failed)
		wantEqual(r, "the number moved", result.Moved, 0)
		wantList(r, "what is left", r.ids(dead), numbers(100, all))
	})
}

// A replay sees what waited when it began, and moves nothing in circles.
func TestMessagesThatFailAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		r.fill(dead, 500)
		queue := acemq.Queue{Name: work, Retry: acemq.NoRetry()}
		consumer, err := acemq.Consume(r.Context(), r.conn, queue, func(context.Context, *acemq.Message[order]) acemq.Ack {
			return acemq.DeadLetter(errors.New("still broken"))
		})
		if err != nil {
			r.Fatal(err)
		}
		result, err := replay.New(r.conn, dead).All(r.Context())
		wantEqual(r, "the error", err, nil)
		wantEqual(r, "the number moved", result.Moved, 500)
		synctest.Wait()
		wantEqual(r, "the number of failures", consumer.Counts().Rejected, 500)
		wantEqual(r, "the number that is back", len(r.ids(dead)), 500)
		wantEqual(r, "the stamp", r.server.Peek(dead)[0].Headers["acemq-replay-count"], any(int32(1)))
	})
}

// Two replays share the messages of a queue.
func TestTwoAtOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		r.fill(dead, 2000)
		results := make(chan replay.Result)
		for range 2 {
			conn := r.dial()
			go func() {
				result, err := replay.Typed[order](conn, dead).Where(fromEU).All(r.Context())
				if err != nil {
					r.Error(err)
				}
				results <- result
			}()
		}
		moved := (<-results).Moved + (<-results).Moved
		synctest.Wait()
		have := r.ids(work)
		wantEqual(r, "the number moved", moved, len(have))
		wantSet(r, "the messages", have, numbers(2000, inEU))
		wantSet(r, "what is left", r.ids(dead), numbers(2000, notInEU))
	})
}

func TestProgress(t *testing.T) {
	bubble(t, func(r *rig) {
		r.fill(dead, 9)
		var last replay.Result
		steps := 0
		result, err := replay.Typed[order](r.conn, dead, replay.OnProgress(func(so replay.Result) {
			steps++
			wantEqual(r, "the steps so far", so.Moved+so.Skipped, steps)
			last = so
		})).Where(fromEU).All(r.Context())
		wantEqual(r, "the error", err, nil)
		last.Stopped = replay.Drained
		wantEqual(r, "the last progress", last, result)
	})
}

// A quorum queue with a limit drops what was handed out too often: the replay says so before.
func TestWornOut(t *testing.T) {
	bubble(t, func(r *rig) {
		r.fill(work, 2)
		replays := replay.Typed[order](r.conn, work, replay.Into(dead)).Where(func(*acemq.Message[order]) bool { return false })
		var err error
		for range 30 {
			if _, err = replays.All(r.Context()); err != nil {
				break
			}
		}
		if err == nil || !strings.Contains(err.Error(), "handed out") {
			r.Errorf("got %v", err)
		}
		wantEqual(r, "the number left", len(r.ids(work)), 2)
	}, memory.Version(4, 2))
}
