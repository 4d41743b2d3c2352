package conformance

import (
	"fmt"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
)

var blockedCases = []testCase{
	{"a blocked connection refuses publishes at once and goes on consuming", blocked},
}

func blocked(r *rig) {
	queue := r.queue("q", nil)
	r.fill(queue, "1", "2", "3")
	c := r.consume(r.broker, queue, 1)
	r.ack(r.takeIDs(c, "1")[0])
	unblock := r.Block(r.T)
	defer unblock()

	// A broker tells that it blocks only when it is published to.
	probes := 0
	r.eventually("the block to be seen", func() bool {
		probes++
		pending, err := r.broker.Publish(r.within(), to(queue, fmt.Sprint("probe ", probes)))
		_, _ = pending, err
		return r.broker.State().Blocked
	})
	if state := r.broker.State(); !state.Up || state.Reason == "" {
		r.Errorf("the state while blocked is %+v", state)
	}
	start := time.Now()
	_, err := r.broker.Publish(r.within(), to(queue, "refused"))
	if waited := time.Since(start); waited > time.Second {
		r.Errorf("the refusal took %v", waited)
	}
	wantAs[*transport.RefusedError](r, err)
	r.ack(r.takeIDs(c, "2")[0])
	r.ack(r.takeIDs(c, "3")[0])

	unblock()
	r.eventually("the block to be over", func() bool { return !r.broker.State().Blocked })
	r.fill(queue, "4")
	for {
		d := r.take(c)
		r.ack(d)
		if d.MessageID == "4" {
			break
		}
	}
}
