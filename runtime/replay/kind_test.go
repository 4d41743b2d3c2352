package replay_test

import (
	"testing"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/replay"
)

// Messages of other types and versions stay where they are, though they would decode.
func TestOfType(t *testing.T) {
	bubble(t, func(r *rig) {
		r.fill(dead, 3)
		for id, kind := range map[string]acemq.Headers{
			"shipped": {"x-acemq-id": "shipped", "x-acemq-type": "order.shipped", "x-acemq-version": int32(1)},
			"second":  {"x-acemq-id": "second", "x-acemq-type": "order.placed", "x-acemq-version": int32(2)},
		} {
			m := setAside(dead, 0)
			m.MessageID, m.Headers = id, kind
			r.put(m)
		}
		placed := replay.Typed[order](r.conn, dead).OfType("order.placed", 1)
		result, err := placed.Where(fromEU).All(r.Context())
		wantEqual(r, "the error", err, nil)
		wantEqual(r, "the result", result,
			replay.Result{From: dead, Into: work, Moved: 1, Skipped: 4, Stopped: replay.Drained})

		result, err = placed.All(r.Context())
		wantEqual(r, "the error", err, nil)
		wantEqual(r, "the result without a filter", result,
			replay.Result{From: dead, Into: work, Moved: 2, Skipped: 2, Stopped: replay.Drained})
		wantList(r, "the messages", r.ids(work), []string{"0", "1", "2"})
	})
}
