package schedule_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/internal/brokertest"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/schedule"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// patience bounds the wait for what must happen.
const patience = time.Minute

// bench is a scheduler on a RabbitMQ of its own, in real time: the queues of a schedule have the same names for
// everybody on a broker, and the broker is killed.
type bench struct {
	node      *brokertest.Server
	conn      *acemq.Conn
	scheduler *schedule.Scheduler
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{node: brokertest.Node(t)}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var err error
	b.conn, err = acemq.Dial(ctx, b.node.URL(), acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.conn.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	if b.scheduler, err = schedule.Run(ctx, b.conn); err != nil {
		t.Fatal(err)
	}
	return b
}

// declare declares where invoices go.
func (b *bench) declare(t *testing.T) {
	t.Helper()
	top := topology.New().Exchange(billing, topology.Topic).Queue(inbox).Bind(inbox, billing, due)
	if err := b.conn.Declare(t.Context(), top); err != nil {
		t.Fatal(err)
	}
}

func (b *bench) after(t *testing.T, d time.Duration, id string, opts ...acemq.PublishOption) {
	t.Helper()
	publisher := acemq.NewPublisher(b.conn, route)
	if err := schedule.After(t.Context(), publisher, d, invoice{id}, opts...); err != nil {
		t.Error(err)
	}
}

// register is a consumer that keeps what it saw, by id.
type register struct {
	mu   sync.Mutex
	seen map[string][]*acemq.Message[invoice]
}

// register consumes the invoices until the end of the test.
func (b *bench) register(t *testing.T) *register {
	t.Helper()
	g := &register{seen: make(map[string][]*acemq.Message[invoice])}
	consumer, err := acemq.Consume(t.Context(), b.conn, acemq.Queue{Name: inbox}, g.handle)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := consumer.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return g
}

func (g *register) handle(_ context.Context, m *acemq.Message[invoice]) acemq.Ack {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen[m.Payload.ID] = append(g.seen[m.Payload.ID], m)
	return acemq.Accept()
}

func (g *register) of(id string) []*acemq.Message[invoice] {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.seen[id]
}

// await waits until each of these invoices arrived. Others are copies of an earlier test's.
func (g *register) await(t *testing.T, ids []string) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for _, id := range ids {
		for len(g.of(id)) == 0 {
			if time.Now().After(deadline) {
				t.Fatalf("%s did not arrive", id)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// numbered returns n ids.
func numbered(what string, n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint(what, " ", i)
	}
	return ids
}

func TestBroker(t *testing.T) {
	b := newBench(t)
	t.Run("kept until there is a queue", b.kept) // nothing is declared for the invoices before
	t.Run("accurate and whole", b.accurate)
	t.Run("connections closed", b.connectionsClosed)
	t.Run("killed", b.killed)
	for _, queue := range []string{wire.ScheduleDueQueue + ".dlq", wire.ScheduleDueQueue + ".parked"} {
		if _, err := b.conn.Inspect(t.Context(), queue); !errors.As(err, new(*acemq.NotFoundError)) {
			t.Errorf("%s: %v, want that it does not exist", queue, err)
		}
	}
}

func (b *bench) kept(t *testing.T) {
	start := time.Now()
	b.after(t, time.Second, "kept")
	for b.scheduler.Counts().Kept == 0 {
		if time.Since(start) > patience {
			t.Fatal("no try failed")
		}
		time.Sleep(20 * time.Millisecond)
	}
	b.declare(t)
	b.register(t).await(t, []string{"kept"})
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v, and is tried every 5 seconds", took)
	}
}

func (b *bench) accurate(t *testing.T) {
	g := b.register(t)
	start := time.Now()
	waits := map[string]time.Duration{"3.5s": 3500 * time.Millisecond, "1s": time.Second, "2s": 2 * time.Second, "now": 0}
	for id, d := range waits {
		b.after(t, d, id, acemq.WithHeader("x-tenant", "acme"), acemq.WithID("id-"+id),
			acemq.CausedBy(acemq.Envelope{ID: "order-1", Correlation: "flow-1"}))
	}
	g.await(t, slices.Collect(maps.Keys(waits)))
	for id, d := range waits {
		arrived := g.of(id)
		if len(arrived) != 1 {
			t.Fatalf("%s arrived %d times", id, len(arrived))
		}
		m := arrived[0]
		if late := m.ReceivedAt.Sub(start) - d; late < -time.Second || late > 2*time.Second {
			t.Errorf("%s is %v late", id, late)
		}
		wantEqual(t, "the id", m.Envelope.ID, "id-"+id)
		wantEqual(t, "the type", m.Envelope.Type, "invoice.due")
		wantEqual(t, "the version", m.Envelope.Version, 2)
		wantEqual(t, "the correlation", m.Envelope.Correlation, "flow-1")
		wantEqual(t, "the causation", m.Envelope.Causation, "order-1")
		wantEqual(t, "the number of headers", len(m.Headers), 1)
		wantEqual(t, "the tenant", m.Header("x-tenant"), "acme")
	}
}

// connectionsClosed closes all connections again and again while messages hop: each arrives.
func (b *bench) connectionsClosed(t *testing.T) {
	g, ids := b.register(t), numbered("closed", 300)
	for i, id := range ids {
		b.after(t, time.Duration(1000+20*i)*time.Millisecond, id) // 1 to 7 seconds
	}
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		if out, err := b.node.Ctl(ctx, "close_all_connections", "test"); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		cancel()
		time.Sleep(500 * time.Millisecond)
	}
	g.await(t, ids)
}

// killed kills the broker while messages lie in a rung, and restarts it: all arrive, and none before its time. It is
// killed between two hops: RabbitMQ itself loses what comes out of a rung at such a moment.
func (b *bench) killed(t *testing.T) {
	g, ids := b.register(t), numbered("killed", 200)
	wait := func(i int) time.Duration { return 10*time.Second + time.Duration(10*i)*time.Millisecond }
	start := time.Now()
	var scheduling sync.WaitGroup
	for i, id := range ids {
		scheduling.Go(func() { b.after(t, wait(i), id) })
	}
	scheduling.Wait()
	if took := time.Since(start); took > 8*time.Second {
		t.Fatalf("it took %v to schedule the messages, and some are about to hop", took)
	}
	if err := b.node.Kill(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := b.node.Restart(ctx); err != nil {
		t.Fatal(err)
	}
	g.await(t, ids)
	for i, id := range ids {
		if early := wait(i) - g.of(id)[0].ReceivedAt.Sub(start); early > time.Second {
			t.Errorf("%s arrived %v early", id, early)
		}
	}
}
