package outbox_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/outbox"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

type order struct {
	ID string `json:"id"`
}

const (
	events = "events" // the exchange of the tests, direct
	placed = "placed" // the queue bound to it, with its own name as the key
)

// rig is a store in memory and a connection to a broker of its own, in virtual time.
type rig struct {
	*testing.T
	server *memory.Server
	url    string
	conn   *acemq.Conn
	store  *outbox.Memory
}

var rigs atomic.Int64

func bubble(t *testing.T, test func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		name := fmt.Sprintf("outbox-%d", rigs.Add(1))
		r := &rig{T: t, server: memory.Serve(name), url: "memory://" + name, store: outbox.NewMemory(0)}
		defer r.server.Close()
		r.conn = r.dial(name)
		err := r.conn.Declare(t.Context(), topology.New().Exchange(events, topology.Direct).
			Queue(placed).Bind(placed, events, placed))
		if err != nil {
			t.Fatal(err)
		}
		test(r)
		synctest.Wait()
	})
}

func (r *rig) dial(name string) *acemq.Conn {
	r.Helper()
	conn, err := acemq.Dial(r.Context(), "memory://"+name, acemq.WithService("relay"),
		acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() {
		if err := conn.Close(context.Background()); err != nil {
			r.Error(err)
		}
	})
	return conn
}

// start starts a relay on the rig's store, which is closed at the end of the test.
func (r *rig) start(opts ...outbox.Option) *outbox.Relay {
	r.Helper()
	return r.startOn(r.store, opts...)
}

func (r *rig) startOn(store outbox.Store, opts ...outbox.Option) *outbox.Relay {
	r.Helper()
	relay, err := outbox.Start(r.conn, store, opts...)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { r.close(relay) })
	return relay
}

func (r *rig) close(relay *outbox.Relay) {
	r.Helper()
	if err := relay.Close(context.Background()); err != nil {
		r.Errorf("close: %v", err)
	}
}

// add adds records to the queue placed, in order, of one ordering key or none.
func (r *rig) add(orderingKey string, ids ...string) {
	r.Helper()
	for _, id := range ids {
		r.addTo(acemq.Route[order]{Exchange: events, Key: placed, Type: "order.placed"}, orderingKey, id)
	}
}

// addTo adds a record along a route.
func (r *rig) addTo(route acemq.Route[order], orderingKey, id string) {
	r.Helper()
	record, err := outbox.NewRecord(route, order{id}, acemq.WithID(id))
	if err == nil {
		err = r.store.Add(record.OrderedBy(orderingKey))
	}
	if err != nil {
		r.Fatal(err)
	}
}

// pass passes a time, and waits until all that it brought about is done.
func (r *rig) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// wantPlaced compares the ids of the messages in the queue.
func (r *rig) wantPlaced(ids ...string) {
	r.Helper()
	synctest.Wait()
	if got := messageIDs(r.server.Peek(placed)); !slices.Equal(got, ids) {
		r.Errorf("the queue has %v, want %v", got, ids)
	}
}

func messageIDs(messages []transport.Message) []string {
	var ids []string
	for _, m := range messages {
		ids = append(ids, m.MessageID)
	}
	return ids
}

func (r *rig) wantPending(want int) {
	r.Helper()
	synctest.Wait()
	if got, err := r.store.Pending(r.Context()); err != nil || got != want {
		r.Errorf("pending: %d, %v, want %d", got, err, want)
	}
}

// wantRetired compares the ids of the retired records, and returns the records.
func (r *rig) wantRetired(ids ...string) []outbox.Retired {
	r.Helper()
	synctest.Wait()
	list, err := r.store.Retired(r.Context(), 100)
	if err != nil {
		r.Fatal(err)
	}
	var got []string
	for _, record := range list {
		got = append(got, record.ID())
	}
	if !slices.Equal(got, ids) {
		r.Errorf("retired: %v, want %v", got, ids)
	}
	return list
}

// wantDue compares the ids of what can be claimed at once: nothing else is left on lease or postponed.
func (r *rig) wantDue(ids ...string) {
	r.Helper()
	claimed, err := r.store.Claim(r.Context(), outbox.Lease{Token: "look", Length: time.Hour}, 1000)
	if err != nil {
		r.Fatal(err)
	}
	var got []string
	for _, c := range claimed {
		got = append(got, c.ID())
	}
	if !slices.Equal(got, ids) {
		r.Errorf("due: %v, want %v", got, ids)
	}
}

func (r *rig) wantCounts(relay *outbox.Relay, want outbox.Counts) {
	r.Helper()
	synctest.Wait()
	got := relay.Counts()
	got.Lag = want.Lag
	if got != want {
		r.Errorf("counted %+v,\nwant %+v", got, want)
	}
}

// of matches the messages of an id.
func of(id string) func(transport.Message) bool {
	return func(m transport.Message) bool { return m.MessageID == id }
}

// brittle is a store whose claims and marks can be made to fail.
type brittle struct {
	outbox.Store
	mu            sync.Mutex
	claims, marks error
}

// fail makes both fail, until fail(nil).
func (b *brittle) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.claims, b.marks = err, err
}

// failMarks makes marks fail alone.
func (b *brittle) failMarks(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.marks = err
}

func (b *brittle) failures() (claims, marks error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.claims, b.marks
}

func (b *brittle) Claim(ctx context.Context, lease outbox.Lease, limit int) ([]outbox.Claimed, error) {
	if err, _ := b.failures(); err != nil {
		return nil, err
	}
	return b.Store.Claim(ctx, lease, limit)
}

func (b *brittle) Published(ctx context.Context, token string, ids []string) (int, error) {
	if _, err := b.failures(); err != nil {
		return 0, err
	}
	return b.Store.Published(ctx, token, ids)
}
