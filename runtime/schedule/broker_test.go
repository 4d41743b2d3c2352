package schedule_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/internal/brokertest"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/schedule"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// The tests of this file run on a RabbitMQ of their own, in real time: the queues of a schedule have the same names
// for everybody on a broker, and the broker is killed.

// patience bounds the wait for what must happen.
const patience = time.Minute

func brokerConn(t *testing.T, node *brokertest.Server) *acemq.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, err := acemq.Dial(ctx, node.URL(), acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return conn
}

// register counts the invoices that arrived, by id.
type register struct {
	mu   sync.Mutex
	seen map[string][]time.Time
	all  []*acemq.Message[invoice]
}

func (g *register) handle(_ context.Context, m *acemq.Message[invoice]) acemq.Ack {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen[m.Payload.ID] = append(g.seen[m.Payload.ID], m.ReceivedAt)
	g.all = append(g.all, m)
	return acemq.Accept()
}

func (g *register) arrivals(id string) []time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.seen[id]
}

// await waits until so many different invoices arrived.
func (g *register) await(t *testing.T, n int) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		g.mu.Lock()
		have := len(g.seen)
		g.mu.Unlock()
		if have >= n {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d invoices arrived", have, n)
		}
	}
}

func (g *register) consume(t *testing.T, conn *acemq.Conn) {
	t.Helper()
	if _, err := acemq.Consume(t.Context(), conn, acemq.Queue{Name: inbox}, g.handle); err != nil {
		t.Fatal(err)
	}
}

func declareInbox(t *testing.T, conn *acemq.Conn) {
	t.Helper()
	top := topology.New().Exchange(billing, topology.Topic).Queue(inbox).Bind(inbox, billing, due)
	if err := conn.Declare(t.Context(), top); err != nil {
		t.Fatal(err)
	}
}

func TestBroker(t *testing.T) {
	t.Parallel()
	node := brokertest.Node(t)
	conn := brokerConn(t, node)
	publisher := acemq.NewPublisher(conn, route)
	after := func(t *testing.T, d time.Duration, id string, opts ...acemq.PublishOption) {
		t.Helper()
		if err := schedule.After(t.Context(), publisher, d, invoice{id}, opts...); err != nil {
			t.Fatal(err)
		}
	}
	scheduler, err := schedule.Run(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}

	// Nothing is declared for the invoices yet.
	t.Run("kept until there is a queue", func(t *testing.T) {
		start := time.Now()
		after(t, time.Second, "kept")
		for scheduler.Counts().Kept == 0 {
			if time.Since(start) > patience {
				t.Fatal("no try failed")
			}
			time.Sleep(20 * time.Millisecond)
		}
		declareInbox(t, conn)
		g := &register{seen: make(map[string][]time.Time)}
		consumer, err := acemq.Consume(t.Context(), conn, acemq.Queue{Name: inbox}, g.handle)
		if err != nil {
			t.Fatal(err)
		}
		g.await(t, 1)
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("it took %v, and is tried every 5 seconds", took)
		}
		if err := consumer.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})

	t.Run("accurate, complete and in order", func(t *testing.T) {
		g := &register{seen: make(map[string][]time.Time)}
		g.consume(t, brokerConn(t, node))
		start := time.Now()
		waits := map[string]time.Duration{"3.5s": 3500 * time.Millisecond, "1s": time.Second, "2s": 2 * time.Second,
			"10s": 10 * time.Second, "now": 0}
		after(t, waits["10s"], "10s", acemq.WithHeader("x-tenant", "acme"), acemq.WithID("ten"),
			acemq.CausedBy(acemq.Envelope{ID: "order-1", Correlation: "flow-1"}))
		for id, d := range waits {
			if id != "10s" {
				after(t, d, id)
			}
		}
		g.await(t, len(waits))
		for id, d := range waits {
			arrived := g.arrivals(id)
			if len(arrived) != 1 {
				t.Fatalf("%s arrived %d times", id, len(arrived))
			}
			if late := arrived[0].Sub(start) - d; late < -time.Second || late > 2*time.Second {
				t.Errorf("%s is %v late", id, late)
			}
		}
		last := g.all[len(g.all)-1]
		wantEqual(t, "the last id", last.Envelope.ID, "ten")
		wantEqual(t, "the type", last.Envelope.Type, "invoice.due")
		wantEqual(t, "the version", last.Envelope.Version, 2)
		wantEqual(t, "the correlation", last.Envelope.Correlation, "flow-1")
		wantEqual(t, "the causation", last.Envelope.Causation, "order-1")
		wantEqual(t, "the number of headers", len(last.Headers), 1)
		wantEqual(t, "the tenant", last.Header("x-tenant"), "acme")
	})

	for _, queue := range []string{wire.ScheduleDueQueue + ".dlq", wire.ScheduleDueQueue + ".parked"} {
		if _, err := conn.Inspect(t.Context(), queue); !errors.As(err, new(*acemq.NotFoundError)) {
			t.Errorf("%s: %v, want that it does not exist", queue, err)
		}
	}
}

// The broker is killed with messages in its rungs, and restarted after some of them were due: all arrive.
func TestBrokerThatIsKilled(t *testing.T) {
	t.Parallel()
	const messages = 200
	node := brokertest.Node(t)
	conn := brokerConn(t, node)
	declareInbox(t, conn)
	publisher := acemq.NewPublisher(conn, route)
	if _, err := schedule.Run(t.Context(), conn); err != nil {
		t.Fatal(err)
	}
	g := &register{seen: make(map[string][]time.Time)}
	g.consume(t, conn)
	start := time.Now()
	wait := func(i int) time.Duration { return time.Duration(3+i%20) * time.Second } // 3 to 22 seconds
	for i := range messages {
		id := fmt.Sprint(i)
		if err := schedule.After(t.Context(), publisher, wait(i), invoice{id}, acemq.WithID(id)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		time.Sleep(2 * time.Second)
		if err := node.Kill(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		err := node.Restart(ctx)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
	}
	g.await(t, messages)
	for i := range messages {
		if early := wait(i) - g.arrivals(fmt.Sprint(i))[0].Sub(start); early > time.Second {
			t.Errorf("message %d arrived %v early", i, early)
		}
	}
}
