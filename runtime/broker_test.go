package acemq

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/internal/brokertest"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/rabbit"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// The tests of this file run the engine on a real RabbitMQ, in real time: what the memory broker is trusted with.

// brokerPatience bounds the wait for what must happen.
const brokerPatience = 30 * time.Second

// brokerQueue declares a queue on the run's broker, and removes it with all that belongs to it.
func brokerQueue(t *testing.T, conn *Conn, q Queue) {
	t.Helper()
	top := topology.New().Queue(q.Name, topology.Retry(q.Retry))
	if err := conn.Declare(t.Context(), top); err != nil {
		t.Fatal(err)
	}
	brokertest.RemoveAfter(t, brokertest.URL(t), top)
}

func deleteOnBroker(t *testing.T, queue string) {
	t.Helper()
	if _, err := brokertest.Admin(t, brokertest.URL(t)).QueueDelete(queue, false, false, false); err != nil {
		t.Error(err)
	}
}

// brokerConn connects to the run's broker.
func brokerConn(t *testing.T, options rabbit.Options) *Conn {
	t.Helper()
	broker, err := rabbit.Dial(t.Context(), brokertest.URL(t), options)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSettings([]DialOption{WithLogger(slog.New(slog.DiscardHandler))})
	if err != nil {
		t.Fatal(err)
	}
	conn := newConn(broker, s)
	t.Cleanup(func() {
		if err := conn.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return conn
}

// fetch takes one message off a queue, once both are there.
func fetch(t *testing.T, conn *Conn, queue string) *transport.Delivery {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), brokerPatience)
	defer cancel()
	subscription := transport.Subscription{Queue: queue, Prefetch: 1}
	sub, err := conn.broker.Consume(ctx, subscription)
	for missing := new(NotFoundError); errors.As(err, &missing) && ctx.Err() == nil; {
		time.Sleep(20 * time.Millisecond)
		sub, err = conn.broker.Consume(ctx, subscription)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close(context.Background())
	select {
	case d := <-sub.Deliveries():
		if err := d.Ack(); err != nil {
			t.Fatal(err)
		}
		return d
	case <-ctx.Done():
		t.Fatalf("nothing came to %s", queue)
		return nil
	}
}

func TestBrokerDispositions(t *testing.T) {
	second := Fixed(3, time.Second).WaitInBrokerFrom(time.Second)
	for _, c := range []struct {
		name   string
		retry  RetryPolicy
		answer Ack // for every delivery
		lands  string
		body   string
		reason string
		counts Counts
	}{
		{"waits here until attempts are used up", Fixed(3, 50*time.Millisecond), Retry(errBusy), ".dlq", `{"id":"1"}`,
			"exhausted 3 attempts: payments are busy", Counts{Retried: 2, DeadLettered: 1}},
		{"waits in the broker until attempts are used up", second, Retry(errBusy), ".dlq", `{"id":"1"}`,
			"exhausted 3 attempts: payments are busy", Counts{Retried: 2, DeadLettered: 1}},
		{"dead-lettered", second, DeadLetter(errBusy), ".dlq", `{"id":"1"}`,
			"the handler rejected it: payments are busy", Counts{Rejected: 1}},
		{"parked", second, Park(errBusy), ".parked", `{"id":"1"}`,
			"the handler parked it: payments are busy", Counts{Parked: 1}},
		{"not readable", second, Accept(), ".parked", `{`,
			"could not be decoded: unexpected end of JSON input", Counts{Parked: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			conn := brokerConn(t, rabbit.Options{})
			queue := Queue{Name: "acemq-engine-" + rand.Text()[:10], Retry: c.retry}
			brokerQueue(t, conn, queue)
			consumer, err := Consume(t.Context(), conn, queue, func(context.Context, *Message[order]) Ack { return c.answer })
			if err != nil {
				t.Fatal(err)
			}
			message := transport.Message{Key: queue.Name, MessageID: "1", Body: []byte(c.body), ReplyTo: "answers",
				Headers: Headers{"x-tenant": "acme", "x-acemq-correlation": "flow"}}
			if err := consumer.publish(t.Context(), message); err != nil {
				t.Fatal(err)
			}
			d := fetch(t, conn, queue.Name+c.lands)
			wantEqual(t, "the reason", d.Headers[wire.HeaderError], any(c.reason))
			wantEqual(t, "the tenant", d.Headers["x-tenant"], any("acme"))
			wantEqual(t, "the correlation", d.Headers[wire.HeaderCorrelation], any("flow"))
			wantEqual(t, "the reply address", d.ReplyTo, "answers")
			wantEqual(t, "the body", string(d.Body), c.body)
			if _, there := d.Headers["x-death"]; there {
				t.Error("the copy carries x-death")
			}
			if err := consumer.Close(t.Context()); err != nil {
				t.Error(err)
			}
			wantEqual(t, "the counts", consumer.Counts(), c.counts)
		})
	}
}

// The set-aside queue and the rung are deleted while the consumer runs: both are there again when they are needed.
func TestBrokerDeletedQueuesComeBack(t *testing.T) {
	conn := brokerConn(t, rabbit.Options{})
	queue := Queue{Name: "acemq-engine-" + rand.Text()[:10], Retry: Fixed(2, time.Second).WaitInBrokerFrom(time.Second)}
	brokerQueue(t, conn, queue)
	consumer, err := Consume(t.Context(), conn, queue, func(context.Context, *Message[order]) Ack { return Retry(errBusy) })
	if err != nil {
		t.Fatal(err)
	}
	deleteOnBroker(t, queue.Name+".dlq")
	deleteOnBroker(t, queue.Name+".retry.1s")
	if err := NewPublisher(conn, Route[order]{Key: queue.Name}).Publish(t.Context(), order{"1"}); err != nil {
		t.Fatal(err)
	}
	fetch(t, conn, queue.Name+".dlq")
	wantEqual(t, "the counts", consumer.Counts(), Counts{Retried: 1, DeadLettered: 1})
}

// Connections are cut again and again while messages are published, retried and dead-lettered. Whatever was confirmed
// was accepted or is in the dead-letter queue.
func TestBrokerCutsLoseNothing(t *testing.T) {
	const messages = 600
	faults := new(brokertest.Faults)
	conn := brokerConn(t, rabbit.Options{Dial: faults.Dial, Backoff: soon})
	queue := Queue{Name: "acemq-engine-" + rand.Text()[:10], Retry: Fixed(3, 20*time.Millisecond)}
	brokerQueue(t, conn, queue)

	var mu sync.Mutex
	settled := make(map[string]bool)
	settle := func(id string) {
		mu.Lock()
		defer mu.Unlock()
		settled[id] = true
	}
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(settled)
	}
	consumer, err := Consume(t.Context(), conn, queue, func(_ context.Context, m *Message[order]) Ack {
		switch n := m.Payload.ID[len(m.Payload.ID)-1]; {
		case n == '0':
			return DeadLetter(errBusy)
		case n < '4' && m.IsFirstAttempt():
			return Retry(errBusy)
		}
		settle(m.Payload.ID)
		return Accept()
	})
	if err != nil {
		t.Fatal(err)
	}

	stop := make(chan struct{})
	cutting := make(chan struct{})
	go func() {
		defer close(cutting)
		for {
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Millisecond):
				faults.Cut()
			}
		}
	}()
	publisher := NewPublisher(conn, Route[order]{Key: queue.Name, Type: "order.placed"})
	for i := range messages {
		publishSurely(t, publisher, fmt.Sprint(i))
		time.Sleep(time.Millisecond)
	}
	close(stop)
	<-cutting

	collector, err := conn.broker.Consume(t.Context(), transport.Subscription{Queue: queue.Name + ".dlq", Prefetch: 100})
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.After(brokerPatience); count() < messages; {
		select {
		case d := <-collector.Deliveries():
			settle(d.MessageID)
			d.Ack() // one that is lost comes again
		case <-time.After(20 * time.Millisecond):
		case <-deadline:
			t.Fatalf("%d of %d messages are accepted or dead-lettered", count(), messages)
		}
	}
	if n := consumer.Counts().Rejected; n < messages/10 {
		t.Errorf("%d messages were rejected, want %d at least", n, messages/10)
	}
}

// publishSurely publishes until the broker has confirmed, under one id.
func publishSurely(t *testing.T, p *Publisher[order], id string) {
	t.Helper()
	for {
		err := p.Publish(t.Context(), order{id}, WithID(id))
		var refused *RefusedError
		var unknown *UnknownError
		if err == nil {
			return
		}
		if !errors.As(err, &refused) && !errors.As(err, &unknown) {
			t.Fatalf("publish: %v", err)
		}
	}
}
