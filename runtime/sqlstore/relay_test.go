package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/internal/brokertest"
	"github.com/acemq/acemq-gen/internal/dbtest"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/outbox"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// patience bounds the wait for what must happen.
const patience = time.Minute

// eventually waits until done.
func eventually(t *testing.T, what string, done func() (bool, error)) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		ok, err := done()
		switch {
		case ok:
			return
		case time.Now().After(deadline):
			t.Fatalf("%s did not happen in %v: %v", what, patience, err)
		}
	}
}

// drained waits until the store has a number of records left.
func drained(t *testing.T, store *Outbox, left int) {
	t.Helper()
	eventually(t, fmt.Sprintf("that %d records are left", left), func() (bool, error) {
		n, err := store.Pending(t.Context())
		return err == nil && n == left, err
	})
}

func startRelay(t *testing.T, conn *acemq.Conn, store outbox.Store, opts ...outbox.Option) *outbox.Relay {
	t.Helper()
	quick := []outbox.Option{outbox.WithPoll(20 * time.Millisecond), outbox.WithLogger(slog.New(slog.DiscardHandler))}
	relay, err := outbox.Start(conn, store, append(quick, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := relay.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return relay
}

// toQueue returns a record for a queue by the default exchange.
func toQueue(queue, id, orderingKey string) outbox.Record {
	r := placed(id)
	r.Message.Exchange, r.Message.Key = "", queue
	return r.OrderedBy(orderingKey)
}

// Two relays on one database share a thousand records a key: each record goes out once, in the order of its key.
func TestTwoRelaysOnADatabase(t *testing.T) {
	onEach(t, func(t *testing.T, kind dbtest.Kind) {
		const keys, each = 3, 1000
		db := dbtest.Open(t, kind)
		store := newOutbox(t, db, kind)
		var records []outbox.Record
		for n := range each {
			for key := range keys {
				records = append(records, toQueue("work", fmt.Sprintf("%d-%04d", key, n), fmt.Sprint("key-", key)))
			}
		}
		if err := add(t.Context(), db, store, records...); err != nil {
			t.Fatal(err)
		}
		name := "sqlstore-" + acemq.NewID()
		server := memory.Serve(name)
		defer server.Close()
		relays := make([]*outbox.Relay, 2)
		for i := range relays {
			conn := dial(t, "memory://"+name)
			if err := conn.Declare(t.Context(), topology.New().Queue("work")); err != nil {
				t.Fatal(err)
			}
			relays[i] = startRelay(t, conn, store, outbox.WithBatch(50))
		}
		drained(t, store, 0)
		byKey := make(map[byte][]string)
		for _, m := range server.Peek("work") {
			byKey[m.MessageID[0]] = append(byKey[m.MessageID[0]], m.MessageID)
		}
		for key, ids := range byKey {
			if len(ids) != each || !slices.IsSorted(ids) {
				t.Errorf("%d messages of the key %c, in order: %v", len(ids), key, slices.IsSorted(ids))
			}
		}
		if n := relays[0].Counts().Published + relays[1].Counts().Published; n != keys*each {
			t.Errorf("%d records were published, want %d", n, keys*each)
		}
	})
}

// A database that is killed while a relay works loses no record. What went out twice did so under one id.
func TestDatabaseRestarted(t *testing.T) {
	for _, kind := range []dbtest.Kind{dbtest.PostgreSQL, dbtest.MariaDB} {
		t.Run(kind.String(), func(t *testing.T) {
			const records = 600
			server := dbtest.Node(t, kind)
			db := server.Open(t)
			store := newOutbox(t, db, kind)
			for n := range records {
				if err := add(t.Context(), db, store, toQueue("work", fmt.Sprint(n), "")); err != nil {
					t.Fatal(err)
				}
			}
			name := "sqlstore-" + acemq.NewID()
			broker := memory.Serve(name)
			defer broker.Close()
			conn := dial(t, "memory://"+name)
			if err := conn.Declare(t.Context(), topology.New().Queue("work")); err != nil {
				t.Fatal(err)
			}
			startRelay(t, conn, store, outbox.WithBatch(5), outbox.WithLease(3*time.Second))
			eventually(t, "that the relay is at work", func() (bool, error) {
				ready, _ := broker.Depth("work")
				return ready > 20, nil
			})
			if err := server.Kill(); err != nil {
				t.Fatal(err)
			}
			if ready, _ := broker.Depth("work"); ready >= records {
				t.Fatal("the relay was done before the kill: the test shows nothing")
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if err := server.Restart(ctx); err != nil {
				t.Fatal(err)
			}
			drained(t, store, 0)
			out := make(map[string]bool)
			for _, m := range broker.Peek("work") {
				out[m.MessageID] = true
			}
			if len(out) != records {
				t.Errorf("%d of %d records went out", len(out), records)
			}
		})
	}
}

// What arrives on a real broker is what was added, the numbers as numbers; and a record for an exchange that nobody has
// declared is retired with its row kept, while its neighbours go out.
func TestRealBroker(t *testing.T) {
	url := brokertest.URL(t)
	onEach(t, func(t *testing.T, kind dbtest.Kind) {
		db := dbtest.Open(t, kind)
		store := newOutbox(t, db, kind)
		conn := dial(t, url)
		queue := "sqlstore-" + acemq.NewID()
		if err := conn.Declare(t.Context(), topology.New().Queue(queue)); err != nil {
			t.Fatal(err)
		}
		sound := toQueue(queue, "sound", "")
		sound.Message.Body = []byte("{ \"n\" : 1 }")
		sound.Message.Headers = acemq.Headers{"n": int64(7), "f": 3.0}
		sound.Message.Envelope.Version = 3
		lost := toQueue(queue, "lost", "")
		lost.Message.Exchange = queue + "-missing"
		unbound := toQueue(queue+"-missing", "unbound", "")
		if err := add(t.Context(), db, store, lost, unbound, sound); err != nil {
			t.Fatal(err)
		}
		startRelay(t, conn, store, outbox.WithRetry(acemq.Fixed(10, time.Millisecond)))
		drained(t, store, 2)
		eventually(t, "that two records are retired", func() (bool, error) {
			list, err := store.Retired(t.Context(), 10)
			return len(list) == 2, err
		})
		list, err := store.Retired(t.Context(), 10)
		if err != nil || list[0].Attempts != 10 || list[1].Attempts != 10 || list[0].Reason == "" || list[1].Reason == "" {
			t.Errorf("retired: %+v, %v", list, err)
		}
		m := fetch(t, url, queue)
		if string(m.Body) != "{ \"n\" : 1 }" || m.ContentType != "application/json" || m.MessageId != "sound" ||
			m.DeliveryMode != amqp.Persistent {
			t.Errorf("%+v arrived", m)
		}
		for name, want := range map[string]any{"n": int64(7), "f": 3.0, "x-acemq-version": int32(3), "x-acemq-attempt": int32(1)} {
			if got := m.Headers[name]; got != want {
				t.Errorf("%s is %T %v, want %T %v", name, got, got, want, want)
			}
		}
	})
}

// fetch takes the one message of a queue with the client library alone.
func fetch(t *testing.T, url, queue string) amqp.Delivery {
	t.Helper()
	ch := brokertest.Admin(t, url)
	m, ok, err := ch.Get(queue, true)
	_, more, moreErr := ch.Get(queue, true)
	if err := errors.Join(err, moreErr); err != nil || !ok || more {
		t.Fatalf("the queue has no message, or more than one: %v, %v, %v", ok, more, err)
	}
	return m
}

// A broker that is down for a while costs no record and no attempt.
func TestBrokerRestarted(t *testing.T) {
	broker := brokertest.Node(t)
	db := dbtest.Open(t, dbtest.SQLite)
	store := newOutbox(t, db, dbtest.SQLite)
	conn := dial(t, broker.URL())
	if err := conn.Declare(t.Context(), topology.New().Queue("work", topology.Classic())); err != nil {
		t.Fatal(err)
	}
	relay := startRelay(t, conn, store)
	for round := range 2 {
		for n := range 50 {
			if err := add(t.Context(), db, store, toQueue("work", fmt.Sprint(round, "-", n), "")); err != nil {
				t.Fatal(err)
			}
		}
		if round > 0 {
			break
		}
		drained(t, store, 0)
		if err := broker.Kill(); err != nil {
			t.Fatal(err)
		}
		eventually(t, "that the loss is noticed", func() (bool, error) { return !conn.State().Up, nil })
	}
	time.Sleep(time.Second) // many polls
	if n, err := store.Pending(t.Context()); n != 50 || err != nil {
		t.Errorf("pending: %d, %v, want 50", n, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := broker.Restart(ctx); err != nil {
		t.Fatal(err)
	}
	drained(t, store, 0)
	if counts := relay.Counts(); counts.Failed != 0 || counts.Published != 100 {
		t.Errorf("counted %+v", counts)
	}
}
