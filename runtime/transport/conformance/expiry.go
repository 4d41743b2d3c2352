package conformance

import (
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

var expiryCases = []testCase{
	{"a queue's time to live sends its messages on when it is over", queueTTL},
	{"a message's own expiration ends it", messageExpiration},
	{"the shorter of two times counts", shorterTime},
	{"a message expires at the head of its queue only", headOnly},
	{"a message that was delivered does not expire", deliveredStays},
	{"a time to live of 0 keeps only what a consumer takes", noTime},
	{"messages of a quorum queue expire too", quorumTTL},
	{"an unused queue goes after its time, and a used one stays", queueExpires},
	{"a message that came back in time expires in time", earlyReturn},
	{"declaring an unused queue again keeps it", queueKept},
	{"a message that came back late expires at once", lateReturn},
}

// onward returns the arguments of a queue whose dead letters go to another queue, and more arguments.
func onward(target string, more wire.Table) wire.Table {
	arguments := wire.Table{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": target}
	for name, value := range more {
		arguments[name] = value
	}
	return arguments
}

func queueTTL(r *rig) {
	target := r.queue("target", nil)
	rung := r.queue("rung", onward(target, wire.Table{"x-message-ttl": int64(300)}))
	c := r.consume(r.broker, target, 10)
	start := time.Now()
	r.fill(rung, "1", "2", "3")
	for _, d := range r.takeIDs(c, "1", "2", "3") {
		r.ack(d)
	}
	if waited := time.Since(start); waited < 300*time.Millisecond {
		r.Errorf("the messages came after %v, want 300ms or more", waited)
	}
	r.ready(rung, 0)
}

func messageExpiration(r *rig) {
	queue := r.queue("q", nil)
	m := to(queue, "short")
	m.Expiration = 200 * time.Millisecond
	r.publish(m)
	r.ready(queue, 0)
	r.contents(queue)
}

func shorterTime(r *rig) {
	target := r.queue("target", nil)
	rung := r.queue("rung", onward(target, wire.Table{"x-message-ttl": int64(400)}))
	c := r.consume(r.broker, target, 10)
	for id, expiration := range map[string]time.Duration{"by message": 100 * time.Millisecond, "by queue": time.Hour} {
		start := time.Now()
		m := to(rung, id)
		m.Expiration = expiration
		r.publish(m)
		d := r.takeIDs(c, id)[0]
		r.ack(d)
		if waited, want := time.Since(start), min(expiration, 400*time.Millisecond); waited < want {
			r.Errorf("%s: came after %v, want %v or more", id, waited, want)
		}
	}
}

func headOnly(r *rig) {
	target := r.queue("target", nil)
	queue := r.queue("q", onward(target, nil))
	c := r.consume(r.broker, target, 10)
	start := time.Now()
	first, second := to(queue, "first"), to(queue, "second")
	first.Expiration, second.Expiration = 600*time.Millisecond, 100*time.Millisecond
	r.publish(first, second)
	r.takeIDs(c, "first", "second")
	if waited := time.Since(start); waited < 600*time.Millisecond {
		r.Errorf("the second message expired behind the head, after %v", waited)
	}
}

func deliveredStays(r *rig) {
	queue := r.queue("q", wire.Table{"x-message-ttl": int64(200)})
	c := r.consume(r.broker, queue, 1)
	r.fill(queue, "m")
	d := r.take(c)
	time.Sleep(400 * time.Millisecond)
	if !d.Live() {
		r.Error("the delivery is lost")
	}
	r.ack(d)
}

func lateReturn(r *rig) {
	target := r.queue("target", nil)
	queue := r.queue("q", onward(target, wire.Table{"x-message-ttl": int64(200)}))
	c := r.consume(r.broker, queue, 1)
	r.fill(queue, "m")
	d := r.take(c)
	time.Sleep(300 * time.Millisecond)
	r.end(c)
	wantIs(r, d.Ack(), transport.ErrLost)
	r.contents(target, "m")
}

func noTime(r *rig) {
	queue := r.queue("q", wire.Table{"x-message-ttl": int64(0)})
	r.fill(queue, "gone")
	r.ready(queue, 0)
	c := r.consume(r.broker, queue, 1)
	r.fill(queue, "taken", "gone")
	r.ack(r.takeIDs(c, "taken")[0])
	r.none(c)
}

func quorumTTL(r *rig) {
	target := r.queue("target", nil)
	queue := r.queue("q", onward(target, wire.Table{"x-queue-type": "quorum", "x-message-ttl": int64(200)}))
	r.fill(queue, "1", "2")
	r.contents(target, "1", "2")
	r.ready(queue, 0)
}

func queueExpires(r *rig) {
	used, unused := r.queue("used", wire.Table{"x-expires": int64(400)}), r.queue("unused", wire.Table{"x-expires": int64(400)})
	r.fill(unused, "m")
	c := r.consume(r.broker, used, 1)
	time.Sleep(800 * time.Millisecond)
	_, err := r.broker.Inspect(r.within(), unused)
	wantAs[*transport.NotFoundError](r, err)
	r.fill(used, "m")
	r.ack(r.takeIDs(c, "m")[0])
}

func earlyReturn(r *rig) {
	target := r.queue("target", nil)
	queue := r.queue("q", onward(target, nil))
	first, second := to(queue, "first"), to(queue, "second")
	first.Expiration, second.Expiration = 400*time.Millisecond, time.Hour
	c := r.consume(r.broker, queue, 1)
	r.publish(first, second)
	r.takeIDs(c, "first")
	r.end(c)
	r.contents(target, "first")
	r.ready(queue, 1)
}

func queueKept(r *rig) {
	arguments := wire.Table{"x-expires": int64(500)}
	queue := r.queue("q", arguments)
	r.fill(queue, "m")
	for range 4 {
		time.Sleep(200 * time.Millisecond)
		r.queue("q", arguments)
	}
	r.contents(queue, "m")
}
