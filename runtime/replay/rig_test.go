package replay_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// order is the message of the tests.
type order struct {
	ID     string `json:"id"`
	Region string `json:"region"`
}

// The queues of the tests.
const (
	work   = "orders"
	dead   = "orders.dlq"
	parked = "orders.parked"
)

// rig is a connection to a broker of its own in memory, with the queue orders and the queues beside it.
type rig struct {
	*testing.T
	server *memory.Server
	url    string
	conn   *acemq.Conn
}

// bubble runs a test in virtual time. It fails where a goroutine does not end.
func bubble(t *testing.T, test func(r *rig), opts ...memory.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(newRig(t, opts...))
		synctest.Wait()
	})
}

var rigs atomic.Int64

func newRig(t *testing.T, opts ...memory.Option) *rig {
	name := fmt.Sprintf("replay-%d", rigs.Add(1))
	r := &rig{T: t, server: memory.Serve(name, opts...), url: "memory://" + name}
	t.Cleanup(r.server.Close)
	r.conn = r.dial()
	if err := r.conn.Declare(r.Context(), topology.New().Queue(work)); err != nil {
		t.Fatal(err)
	}
	return r
}

// dial opens a connection, which is closed at the end of the test.
func (r *rig) dial() *acemq.Conn {
	r.Helper()
	conn, err := acemq.Dial(r.Context(), r.url, acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() {
		if err := conn.Close(context.Background()); err != nil {
			r.Errorf("close: %v", err)
		}
	})
	return conn
}

// put publishes a message past everything.
func (r *rig) put(m transport.Message) {
	r.Helper()
	broker := memory.Open(r.url[len("memory://"):])
	defer broker.Close(context.Background())
	pending, err := broker.Publish(r.Context(), m)
	if err == nil {
		err = pending.Wait(r.Context())
	}
	if err != nil {
		r.Fatal(err)
	}
}

// fill sets n orders aside in a queue, "0" first. Every third is from the region eu, the first among them.
func (r *rig) fill(queue string, n int) {
	r.Helper()
	broker := memory.Open(r.url[len("memory://"):])
	defer broker.Close(context.Background())
	for i := range n {
		if _, err := broker.Publish(r.Context(), setAside(queue, i)); err != nil {
			r.Fatal(err)
		}
	}
}

func setAside(queue string, i int) transport.Message {
	region := "us"
	if i%3 == 0 {
		region = "eu"
	}
	id := fmt.Sprint(i)
	return transport.Message{
		Key:         queue,
		MessageID:   id,
		ContentType: "application/json",
		Body:        fmt.Appendf(nil, `{ "id": %q, "region": %q }`, id, region),
		Headers: acemq.Headers{
			"x-acemq-id": id, "x-acemq-type": "order.placed", "x-acemq-version": int32(1), "x-acemq-attempt": int32(5),
			"x-acemq-first-seen": time.Now().UnixMilli(), "x-acemq-correlation": id,
			"x-acemq-error": "exhausted 5 attempts: no such card", "x-region": region,
		},
	}
}

// ids returns the ids of the messages that wait in a queue, in their order.
func (r *rig) ids(queue string) []string {
	var ids []string
	for _, m := range r.server.Peek(queue) {
		ids = append(ids, m.MessageID)
	}
	return ids
}

// fromEU keeps every third order of fill.
func fromEU(m *acemq.Message[order]) bool { return m.Payload.Region == "eu" }

// numbers returns the numbers from 0 to n-1 that keep is true for, as ids.
func numbers(n int, keep func(i int) bool) []string {
	var ids []string
	for i := range n {
		if keep(i) {
			ids = append(ids, fmt.Sprint(i))
		}
	}
	return ids
}

func inEU(i int) bool    { return i%3 == 0 }
func notInEU(i int) bool { return !inEU(i) }
func all(int) bool       { return true }

func wantEqual[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %+v, want %+v", what, got, want)
	}
}

func wantList[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s are %v,\nwant %v", what, got, want)
	}
}

// wantSet compares without regard to the order.
func wantSet(t testing.TB, what string, got, want []string) {
	t.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("%s are %d, want %d: %v", what, len(got), len(want), got)
	}
}

// declareClassic declares a queue that is classic, as the queues beside a queue of work are.
func (r *rig) declareClassic(queue string) {
	r.Helper()
	if err := r.conn.Declare(r.Context(), topologyOf(queue, nil)); err != nil {
		r.Fatal(err)
	}
}

// sleep passes a time, and waits until all that it brought about is done.
func (r *rig) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func topologyOf(queue string, arguments acemq.Headers) *topology.Topology {
	return &topology.Topology{Queues: []topology.Queue{{Name: queue, Arguments: arguments}}}
}
