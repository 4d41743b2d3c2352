package acemq

import (
	"crypto/rand"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/internal/brokertest"
	"github.com/acemq/acemq-gen/runtime/idempotency"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/rabbit"
)

// soon is when a lost connection is made again.
func soon(int) time.Duration { return 20 * time.Millisecond }

// awaitBroker waits until a condition holds on the broker, whose counts lag behind what was done.
func awaitBroker(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(brokerPatience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not so after %v", what, brokerPatience)
		}
	}
}

// brokerReady counts the messages that wait in a queue.
func brokerReady(t *testing.T, conn *Conn, queue string) int {
	t.Helper()
	state, err := conn.Inspect(t.Context(), queue)
	if err != nil {
		t.Fatal(err)
	}
	return state.Ready
}

// pullFrom pulls an order that must be there.
func pullFrom(t *testing.T, conn *Conn, queue string) *Pulled[order] {
	t.Helper()
	m, err := Pull[order](t.Context(), conn, queue)
	if err != nil {
		t.Fatal(err)
	}
	if m == nil {
		t.Fatalf("there is no message in %s", queue)
	}
	return m
}

// What was dead-lettered is pulled one at a time, on a quorum queue and on a classic one, and is off the queue when it
// was accepted, and back when it was not.
func TestBrokerPull(t *testing.T) {
	name := "acemq-pull-" + rand.Text()[:10]
	for kind, queue := range map[string]string{"quorum": name, "classic": name + ".dlq"} {
		t.Run(kind, func(t *testing.T) {
			faults := new(brokertest.Faults)
			conn := brokerConn(t, rabbit.Options{Dial: faults.Dial, Backoff: soon})
			brokerQueue(t, conn, Queue{Name: name})
			for i := range 3 {
				out := Outgoing{Key: queue, Body: fmt.Appendf(nil, `{"id":"%d"}`, i), Headers: Headers{"x-tenant": "acme"},
					Envelope: Envelope{ID: fmt.Sprint(i)}}
				if err := conn.Send(t.Context(), out); err != nil {
					t.Fatal(err)
				}
			}
			m := pullFrom(t, conn, queue)
			wantEqual(t, "the first", m.Payload.ID, "0")
			wantEqual(t, "the tenant", m.WireHeaders()["x-tenant"], any("acme"))
			wantEqual(t, "the origin", m.WireHeaders()["x-acemq-origin"], any(conn.Origin()))
			awaitBroker(t, "the others are there", func() bool { return brokerReady(t, conn, queue) == 2 })
			if err := m.Accept(t.Context()); err != nil {
				t.Error(err)
			}
			if err := m.Accept(t.Context()); !errors.Is(err, transport.ErrSettled) {
				t.Errorf("accepted again: %v", err)
			}

			m = pullFrom(t, conn, queue)
			wantEqual(t, "the second", m.Payload.ID, "1")
			if err := m.Release(t.Context()); err != nil {
				t.Error(err)
			}
			awaitBroker(t, "it is back", func() bool { return brokerReady(t, conn, queue) == 2 })

			m = pullFrom(t, conn, queue)
			wantEqual(t, "the one that was released", m.Payload.ID, "1")
			wantEqual(t, "redelivered", m.Redelivered, true)
			faults.Cut()
			awaitBroker(t, "the connection is lost", func() bool { return !m.pull.delivery.Live() })
			if err := m.Accept(t.Context()); !errors.Is(err, transport.ErrLost) {
				t.Errorf("accepted: %v", err)
			}
			awaitBroker(t, "it is back", func() bool { return brokerReady(t, conn, queue) == 2 })

			for _, id := range []string{"1", "2"} {
				m := pullFrom(t, conn, queue)
				wantEqual(t, "the next", m.Payload.ID, id)
				if err := m.Accept(t.Context()); err != nil {
					t.Error(err)
				}
			}
			if m, err := Pull[order](t.Context(), conn, queue); m != nil || err != nil {
				t.Errorf("from an empty queue: %v, %v", m, err)
			}
			missing := new(NotFoundError)
			if _, err := Pull[order](t.Context(), conn, name+".missing"); !errors.As(err, &missing) {
				t.Errorf("from a missing queue: %v", err)
			}
		})
	}
}

// A private consumer leaves nothing behind.
func TestBrokerPrivate(t *testing.T) {
	conn := brokerConn(t, rabbit.Options{})
	name := "acemq-private-" + rand.Text()[:10]
	if err := conn.broker.Declare(t.Context(), &topology.Topology{Queues: []topology.Queue{{Name: name}}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { deleteOnBroker(t, name) })
	s := answers(Retry(errBusy))
	c, err := Consume(t.Context(), conn, Queue{Name: name, Retry: Fixed(2, 10*time.Millisecond)}, s.handle, Private())
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Send(t.Context(), Outgoing{Key: name, Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	awaitBroker(t, "the message is accepted", func() bool { return c.Counts() == Counts{Retried: 1, Accepted: 1} })
	for _, queue := range []string{name + ".dlq", name + ".parked"} {
		missing := new(NotFoundError)
		if _, err := conn.Inspect(t.Context(), queue); !errors.As(err, &missing) {
			t.Errorf("%s: %v", queue, err)
		}
	}
}

// Connections are cut while messages that come twice are handled: each is accepted once.
func TestBrokerCutsRepeatNothing(t *testing.T) {
	const messages = 200
	faults := new(brokertest.Faults)
	conn := brokerConn(t, rabbit.Options{Dial: faults.Dial, Backoff: soon})
	queue := Queue{Name: "acemq-once-" + rand.Text()[:10], Retry: Fixed(3, 20*time.Millisecond)}
	brokerQueue(t, conn, queue)
	runs := newRuns()
	c, err := Consume(t.Context(), conn, queue, runs.handle, WithIdempotency(idempotency.NewMemory()))
	if err != nil {
		t.Fatal(err)
	}
	publisher := NewPublisher(conn, Route[order]{Key: queue.Name, Type: "order.placed"})
	for i := range messages {
		for range 2 {
			publishSurely(t, publisher, fmt.Sprint(i))
		}
		if i%20 == 10 {
			faults.Cut()
		}
	}
	awaitBroker(t, "all messages are handled and off the queue", func() bool {
		return runs.number() == messages && brokerReady(t, conn, queue.Name) == 0
	})
	if err := c.Close(t.Context()); err != nil {
		t.Error(err)
	}
	for id, n := range runs.byID {
		wantEqual(t, "the runs of "+id, n, 1)
	}
	if n := c.Counts().Duplicates; n < messages {
		t.Errorf("%d duplicates, want %d at least", n, messages)
	}
}
