package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/outbox"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

func TestWhatGoesOut(t *testing.T) {
	bubble(t, func(r *rig) {
		began := time.Now()
		route := acemq.Route[order]{Exchange: events, Key: placed, Type: "order.placed", Version: 3, Priority: 4,
			Expires: time.Hour}
		record, err := outbox.NewRecord(route, order{"7"}, acemq.WithID("id"), acemq.WithCorrelation("flow"),
			acemq.WithHeader("tenant", "acme"), acemq.WithHeader("n", int64(9)), acemq.WithReplyTo("answers"))
		if err != nil {
			r.Fatal(err)
		}
		record.Message.Body = []byte("{ \"id\" :\t\"7\" }") // no encoder writes it like this
		record.Message.ContentType = "application/json; profile=x"
		if err := r.store.Add(record); err != nil {
			r.Fatal(err)
		}
		time.Sleep(time.Minute)
		r.start()
		synctest.Wait()
		messages := r.server.Peek(placed)
		if len(messages) != 1 {
			r.Fatalf("%d messages went out, want 1", len(messages))
		}
		m := messages[0]
		if string(m.Body) != string(record.Message.Body) || m.ContentType != record.Message.ContentType {
			r.Errorf("the body is %q as %q", m.Body, m.ContentType)
		}
		if m.MessageID != "id" || m.Priority != 4 || m.Expiration != time.Hour || m.ReplyTo != "answers" || m.Transient {
			r.Errorf("the properties are %+v", m)
		}
		host := m.Headers["x-acemq-origin"].(string)
		if host[:6] != "relay@" {
			r.Errorf("the origin is %q", host)
		}
		for name, want := range map[string]any{
			"x-acemq-id": "id", "x-acemq-type": "order.placed", "x-acemq-correlation": "flow", "tenant": "acme", "n": int64(9),
			"acemq-reply-to": "answers", "x-acemq-version": int32(3), "x-acemq-attempt": int32(1),
			"x-acemq-first-seen": began.UnixMilli(),
		} {
			if got := m.Headers[name]; got != want {
				r.Errorf("%s is %T %v, want %T %v", name, got, got, want, want)
			}
		}
	})
}

func TestRecordsThatAreRefused(t *testing.T) {
	for name, route := range map[string]acemq.Route[order]{
		"optional":  {Key: "k", Optional: true},
		"transient": {Key: "k", Transient: true},
		"no field":  {Key: "k.{Region}"},
	} {
		if _, err := outbox.NewRecord(route, order{}); err == nil {
			t.Errorf("%s: there is a record", name)
		}
	}
	if _, err := outbox.NewRecord(acemq.Route[order]{}, order{}, acemq.WithHeader("x-acemq-type", "t")); err == nil {
		t.Error("a reserved header: there is a record")
	}
}

func TestPollAndKick(t *testing.T) {
	bubble(t, func(r *rig) {
		relay := r.start(outbox.WithPoll(10 * time.Second))
		r.pass(time.Second)
		r.add("", "kicked")
		relay.Kick()
		relay.Kick()
		r.wantPlaced("kicked")
		r.add("", "polled")
		r.pass(9 * time.Second)
		r.wantPlaced("kicked")
		r.pass(time.Second)
		r.wantPlaced("kicked", "polled")
		r.wantPending(0)
		r.wantCounts(relay, outbox.Counts{Published: 2})
		if lag := relay.Counts().Lag; lag != 10*time.Second {
			r.Errorf("the lag is %v, want 10s", lag)
		}
	})
}

// A backlog goes out batch after batch, without a poll in between.
func TestBacklog(t *testing.T) {
	bubble(t, func(r *rig) {
		for i := range 25 {
			r.add("", fmt.Sprintf("%02d", i))
		}
		began := time.Now()
		relay := r.start(outbox.WithBatch(4))
		r.wantPending(0)
		r.wantCounts(relay, outbox.Counts{Published: 25})
		if took := time.Since(began); took != 0 {
			r.Errorf("it took %v", took)
		}
	})
}

// While the answer to one batch is awaited, another one goes out.
func TestTwoBatchesOfABacklog(t *testing.T) {
	bubble(t, func(r *rig) {
		r.server.Inject(memory.Script{Fault: memory.LoseConfirm, Match: of("a")})
		r.add("", "a", "b", "c", "d", "e")
		relay := r.start(outbox.WithBatch(2))
		r.pass(time.Second)
		r.wantPlaced("a", "b", "c", "d", "e")
		r.pass(2 * time.Minute)
		r.wantPending(0)
		r.wantCounts(relay, outbox.Counts{Published: 5, Failed: 1})
	})
}

func TestPoisonAmongGoodRecords(t *testing.T) {
	for name, exchange := range map[string]string{"no queue": events, "no exchange": "deleted"} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.add("", "before")
				r.addTo(acemq.Route[order]{Exchange: exchange, Key: "nowhere"}, "", "poison")
				r.add("", "after")
				relay := r.start()
				r.wantPlaced("before", "after")
				r.wantCounts(relay, outbox.Counts{Published: 2, Failed: 1})

				r.pass(time.Second + 2*time.Second)
				r.wantCounts(relay, outbox.Counts{Published: 2, Failed: 3})
				r.wantRetired()
				r.pass(time.Hour)
				r.wantCounts(relay, outbox.Counts{Published: 2, Failed: 10, Retired: 1})
				r.wantPending(1)
				list := r.wantRetired("poison")
				if list[0].Attempts != 10 || list[0].Reason == "" {
					r.Errorf("it is retired with %d attempts, because %q", list[0].Attempts, list[0].Reason)
				}

				err := r.conn.Declare(r.Context(), topology.New().Exchange(exchange, topology.Direct).
					Queue("late").Bind("late", exchange, "nowhere"))
				if err != nil {
					r.Fatal(err)
				}
				if n, err := r.store.Release(r.Context(), "poison"); n != 1 || err != nil {
					r.Fatalf("released %d, %v", n, err)
				}
				r.pass(time.Second)
				if got := messageIDs(r.server.Peek("late")); !slices.Equal(got, []string{"poison"}) {
					r.Errorf("the late queue has %v", got)
				}
				r.wantPending(0)
			})
		})
	}
}

// The waits between attempts are those of the policy.
func TestRetryPolicy(t *testing.T) {
	bubble(t, func(r *rig) {
		r.addTo(acemq.Route[order]{Exchange: events, Key: "nowhere"}, "", "poison")
		relay := r.start(outbox.WithRetry(acemq.Fixed(3, time.Minute)), outbox.WithPoll(10*time.Second))
		for _, want := range []outbox.Counts{{Failed: 1}, {Failed: 2}, {Failed: 3, Retired: 1}, {Failed: 3, Retired: 1}} {
			r.wantCounts(relay, want)
			r.pass(59 * time.Second)
			r.wantCounts(relay, want)
			r.pass(time.Second)
		}
	})
}

// A connection that is down or blocked is no fault of a record.
func TestOutage(t *testing.T) {
	for name, begin := range map[string]func(*rig) func(){
		"blocked": func(r *rig) func() { return r.server.Block("disk") },
		"down":    func(r *rig) func() { return r.server.Down() },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				end := begin(r)
				relay := r.start(outbox.WithLease(10 * time.Second))
				r.add("", "a", "b", "c")
				r.add("key", "d", "e")
				r.pass(time.Hour)
				r.wantRetired()
				if failed := relay.Counts().Failed; failed > 1 { // the first message is what a broker says it is blocked to
					r.Errorf("%d attempts were counted", failed)
				}
				end()
				r.pass(2 * time.Minute)
				r.wantPending(0)
				r.wantCounts(relay, outbox.Counts{Published: 5})
			})
		})
	}
}

func TestFailuresThatCount(t *testing.T) {
	for name, fault := range map[string]memory.Fault{
		"nacked":            memory.NackPublish,
		"no answer":         memory.LoseConfirm,
		"lost on the way":   memory.CloseBeforePublish,
		"lost after it was": memory.CloseAfterPublish,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.server.Inject(memory.Script{Fault: fault, Match: of("a")})
				r.add("", "a")
				relay := r.start()
				r.pass(2 * time.Minute)
				r.wantPending(0)
				r.wantCounts(relay, outbox.Counts{Published: 1, Failed: 1})
				got := messageIDs(r.server.Peek(placed))
				stored := fault == memory.LoseConfirm || fault == memory.CloseAfterPublish
				want := []string{"a"}
				if stored {
					want = []string{"a", "a"} // the same id, which its consumers know
				}
				if !slices.Equal(got, want) {
					r.Errorf("the queue has %v, want %v", got, want)
				}
			})
		})
	}
}

// A relay that dies between the broker's answer and the mark leaves a duplicate of the same id, and nothing else.
func TestKilledBeforeTheMark(t *testing.T) {
	bubble(t, func(r *rig) {
		r.add("", "a", "b")
		r.add("key", "c", "d")
		store := &brittle{Store: r.store}
		store.failMarks(errors.New("the process is gone"))
		killed := r.startOn(store, outbox.WithLease(30*time.Second))
		r.pass(time.Second)
		ctx, cancel := context.WithCancel(r.Context())
		cancel()
		killed.Close(ctx)
		published := messageIDs(r.server.Peek(placed))

		other := r.start()
		r.pass(20 * time.Second)
		r.wantCounts(other, outbox.Counts{})
		r.pass(15 * time.Second)
		r.wantPending(0)
		count := make(map[string]int)
		for _, id := range messageIDs(r.server.Peek(placed)) {
			count[id]++
		}
		for _, id := range []string{"a", "b", "c", "d"} {
			want := 1
			if slices.Contains(published, id) {
				want = 2
			}
			if count[id] != want {
				r.Errorf("%s went out %d times, want %d", id, count[id], want)
			}
		}
		if len(published) == 0 {
			r.Error("nothing was published before the kill")
		}
	})
}

// A store that fails for less than the lease costs no duplicate.
func TestStoreThatFails(t *testing.T) {
	bubble(t, func(r *rig) {
		store := &brittle{Store: r.store}
		relay := r.startOn(store)
		r.pass(time.Second)
		store.fail(errors.New("the database restarts"))
		r.pass(20 * time.Second)
		r.add("", "a")
		store.fail(nil)
		r.pass(30 * time.Second)
		r.wantPlaced("a")

		r.server.Inject(memory.Script{Fault: memory.LoseConfirm, Match: of("slow")})
		r.add("", "slow", "b")
		relay.Kick()
		r.pass(time.Second)
		store.fail(errors.New("the database restarts"))
		r.pass(35 * time.Second) // the answer to slow does not come, and b cannot be settled yet
		store.fail(nil)
		r.pass(time.Minute)
		r.wantPending(0)
		r.wantPlaced("a", "slow", "b", "slow")
	})
}

// A batch that is not answered is broken off while there is time to settle it.
func TestLeaseThatEndsInABatch(t *testing.T) {
	bubble(t, func(r *rig) {
		r.server.Inject(memory.Script{Fault: memory.LoseConfirm, Match: of("k1")})
		r.add("", "free")
		r.add("key", "k1", "k2", "k3")
		relay := r.start(outbox.WithLease(4 * time.Second))
		r.pass(3 * time.Second)
		r.wantCounts(relay, outbox.Counts{Published: 1, Failed: 1})
		r.pass(2 * time.Second)
		r.wantPending(0)
		keyed := slices.DeleteFunc(messageIDs(r.server.Peek(placed)), func(id string) bool { return id == "free" })
		if !slices.Equal(keyed, []string{"k1", "k1", "k2", "k3"}) { // the record without a key may come before or behind
			r.Errorf("the queue has %v of the key", keyed)
		}
		r.wantCounts(relay, outbox.Counts{Published: 4, Failed: 1})
	})
}

// Records of a key keep their order where one of them fails, and hold up no others.
func TestOrderOfAKey(t *testing.T) {
	bubble(t, func(r *rig) {
		r.server.Inject(memory.Script{Fault: memory.NackPublish, Match: of("a2"), Times: 3})
		r.add("a", "a1", "a2", "a3")
		r.add("b", "b1", "b2")
		r.start()
		r.pass(time.Minute)
		var a, b []string
		for _, id := range messageIDs(r.server.Peek(placed)) {
			if id[0] == 'a' {
				a = append(a, id)
			} else {
				b = append(b, id)
			}
		}
		if !slices.Equal(a, []string{"a1", "a2", "a3"}) || !slices.Equal(b, []string{"b1", "b2"}) {
			r.Errorf("the keys went out as %v and %v", a, b)
		}
		r.wantPending(0)
	})
}

func TestRetiredHeadHoldsItsKey(t *testing.T) {
	bubble(t, func(r *rig) {
		r.server.Inject(memory.Script{Fault: memory.NackPublish, Match: of("a1"), Times: 10})
		r.add("a", "a1", "a2")
		r.add("b", "b1")
		r.start()
		r.pass(time.Hour)
		r.wantPlaced("b1")
		r.wantRetired("a1")
		r.wantPending(2)
		if n, err := r.store.Release(r.Context(), "a1"); n != 1 || err != nil {
			r.Fatalf("released %d, %v", n, err)
		}
		r.pass(time.Second)
		r.wantPlaced("b1", "a1", "a2")
	})
}

func TestTwoRelays(t *testing.T) {
	bubble(t, func(r *rig) {
		const keys, each = 3, 1000
		for n := range each {
			for key := range keys {
				r.add(fmt.Sprint("key", key), fmt.Sprintf("%d-%04d", key, n))
			}
		}
		a, b := r.start(), r.start()
		r.pass(time.Minute)
		r.wantPending(0)
		published := a.Counts().Published + b.Counts().Published
		if published != keys*each {
			r.Errorf("%d records were published, want %d", published, keys*each)
		}
		byKey := make(map[byte][]string)
		for _, id := range messageIDs(r.server.Peek(placed)) {
			byKey[id[0]] = append(byKey[id[0]], id)
		}
		for key, ids := range byKey {
			if len(ids) != each || !slices.IsSorted(ids) {
				r.Errorf("%d messages of the key %c, sorted: %v", len(ids), key, slices.IsSorted(ids))
			}
		}
	})
}

func TestRetention(t *testing.T) {
	bubble(t, func(r *rig) {
		r.store = outbox.NewMemory(time.Hour)
		r.add("", "a")
		r.start()
		r.pass(time.Minute)
		r.add("", "a") // known, and published
		r.pass(30 * time.Minute)
		r.wantPlaced("a")
		r.pass(31 * time.Minute)
		r.add("", "a") // forgotten
		r.pass(time.Minute)
		r.wantPlaced("a", "a")
	})
}

func TestOptionsThatAreRefused(t *testing.T) {
	bubble(t, func(r *rig) {
		for name, option := range map[string]outbox.Option{
			"batch":  outbox.WithBatch(0),
			"poll":   outbox.WithPoll(0),
			"lease":  outbox.WithLease(time.Millisecond),
			"retry":  outbox.WithRetry(acemq.RetryPolicy{}),
			"logger": outbox.WithLogger(nil),
		} {
			if _, err := outbox.Start(r.conn, r.store, option); err == nil {
				r.Errorf("%s: the relay started", name)
			}
		}
	})
}
