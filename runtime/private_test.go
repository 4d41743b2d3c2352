package acemq

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
)

// bare runs a test in virtual time, on a rig whose only queue is work.
func bare(t *testing.T, test func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		if err := r.broker.Declare(r.Context(), &topology.Topology{Queues: []topology.Queue{{Name: work}}}); err != nil {
			r.Fatal(err)
		}
		test(r)
		synctest.Wait()
	})
}

// A private consumer leaves nothing behind on the broker but the queue that was there.
func TestPrivate(t *testing.T) {
	bare(t, func(r *rig) {
		r.putOrder("1")
		r.putOrder("2")
		s := answers(Retry(errBusy), Release())
		c := r.consume(Queue{}, s.handle, Private())
		r.sleep(time.Minute)
		r.wantCounts(c, Counts{Accepted: 2, Retried: 1, Released: 1})
		wantList(r, "the queues", r.server.Queues(), []string{work})
	})
}

// What a private consumer cannot set aside stays in its queue.
func TestPrivateSetsNothingAside(t *testing.T) {
	bare(t, func(r *rig) {
		r.putOrder("1")
		c := r.consume(Queue{}, answers(DeadLetter(errBusy)).handle, Private())
		r.sleep(firstPause)
		r.wantCounts(c, Counts{Accepted: 1, SetAsideFailed: 1})
		wantList(r, "the queues", r.server.Queues(), []string{work})
	})
}

func TestPrivateNeedsItsQueue(t *testing.T) {
	bubble(t, func(r *rig) {
		missing := new(NotFoundError)
		_, err := Consume(r.Context(), r.conn, Queue{Name: "missing"}, answers().handle, Private())
		if !errors.As(err, &missing) {
			r.Errorf("from a missing queue: %v", err)
		}
	})
}
