package outbox_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/acemq/acemq-gen/runtime/outbox"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// closing closes a relay in the background and returns what is read once it has.
func closing(ctx context.Context, relay *outbox.Relay) <-chan error {
	closed := make(chan error, 1)
	go func() { closed <- relay.Close(ctx) }()
	return closed
}

func (r *rig) wantClosed(closed <-chan error, want error) {
	r.Helper()
	synctest.Wait()
	select {
	case err := <-closed:
		if !errors.Is(err, want) {
			r.Errorf("close: %v, want %v", err, want)
		}
	default:
		r.Error("the relay is not closed")
	}
}

func (r *rig) wantOpen(closed <-chan error) {
	r.Helper()
	synctest.Wait()
	select {
	case err := <-closed:
		r.Errorf("the relay is closed: %v", err)
		r.FailNow()
	default:
	}
}

func TestCloseAtRest(t *testing.T) {
	bubble(t, func(r *rig) {
		relay := r.start(outbox.WithPoll(time.Hour))
		r.pass(time.Minute)
		r.wantClosed(closing(r.Context(), relay), nil)
		r.wantClosed(closing(r.Context(), relay), nil)
		r.add("", "a")
		relay.Kick()
		r.pass(2 * time.Hour)
		r.wantPlaced()
	})
}

// Close waits for the answers of what was begun, settles it, and gives the rest back.
func TestCloseInABatch(t *testing.T) {
	bubble(t, func(r *rig) {
		r.server.Inject(memory.Script{Fault: memory.LoseConfirm, Match: of("k1")})
		r.add("", "free")
		r.add("key", "k1", "k2")
		relay := r.start()
		r.pass(time.Second)
		closed := closing(context.Background(), relay)
		r.wantOpen(closed)
		r.pass(29 * time.Second) // the transport waits 30s for an answer
		r.wantClosed(closed, nil)
		r.wantPending(2)
		r.pass(time.Second) // k1 is postponed
		r.wantDue("k1", "k2")
	})
}

// When the time to close is over, what was begun is broken off.
func TestCloseThatCannotWait(t *testing.T) {
	bubble(t, func(r *rig) {
		r.server.Inject(memory.Script{Fault: memory.LoseConfirm, Match: of("a")})
		r.add("", "a", "b")
		relay := r.start()
		r.pass(time.Second)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		closed := closing(ctx, relay)
		r.pass(5 * time.Second)
		r.wantClosed(closed, context.DeadlineExceeded)
		r.pass(time.Minute)
		r.wantDue("a")
	})
}

// A relay that waits for the connection ends at once, and leaves nothing on lease.
func TestCloseWhileTheBrokerIsDown(t *testing.T) {
	bubble(t, func(r *rig) {
		r.server.Inject(memory.Script{Fault: memory.CloseBeforePublish, Match: of("a")})
		r.add("", "a", "b")
		r.add("key", "c", "d")
		relay := r.start()
		synctest.Wait()
		up := r.server.Down()
		defer up()
		r.pass(10 * time.Millisecond)
		r.wantClosed(closing(r.Context(), relay), nil)
		time.Sleep(2 * time.Second) // what was postponed is due
		claimed, err := r.store.Claim(r.Context(), outbox.Lease{Token: "look", Length: time.Hour}, 10)
		pending, pendingErr := r.store.Pending(r.Context())
		if err != nil || pendingErr != nil || len(claimed) != pending {
			r.Errorf("%d of %d pending records are due: %v, %v", len(claimed), pending, err, pendingErr)
		}
	})
}

// A relay whose store fails as it settles ends when its lease does.
func TestCloseWhileTheStoreFails(t *testing.T) {
	bubble(t, func(r *rig) {
		store := &brittle{Store: r.store}
		r.server.Inject(memory.Script{Fault: memory.LoseConfirm, Match: of("a")})
		r.add("", "a", "b")
		relay := r.startOn(store, outbox.WithLease(10*time.Second))
		r.pass(time.Second)
		store.fail(errors.New("the database is gone"))
		closed := closing(context.Background(), relay)
		r.wantOpen(closed)
		r.pass(10 * time.Second)
		r.wantClosed(closed, nil)
		if lost := relay.Counts().Lost; lost != 1 {
			r.Errorf("%d settlements were lost, want that of b", lost)
		}
		store.fail(nil)
		r.wantDue("a", "b")
	})
}
