package memory

import "time"

// deadline returns when a message that arrives at once is over: after the shorter of its own time and the queue's. The
// zero time is never.
func (q *queue) deadline(own time.Duration) time.Time {
	ttl := q.settings.ttl
	if own > 0 && (ttl < 0 || own < ttl) {
		ttl = own
	}
	if ttl < 0 {
		return time.Time{}
	}
	return time.Now().Add(ttl)
}

// expired reports whether the head is over its time. Nothing behind it ends before it.
func (q *queue) expired() bool {
	expires := q.ready.head().expires
	return !expires.IsZero() && !time.Now().Before(expires)
}

// watchHead makes the queue wake when its head is over its time. A timer that is set for an earlier head stays.
func (q *queue) watchHead() {
	if q.ready.Len() == 0 || q.gone {
		return
	}
	expires := q.ready.head().expires
	if expires.IsZero() || !q.wakes.IsZero() && !expires.Before(q.wakes) {
		return
	}
	stop(q.expiry)
	q.wakes = expires
	q.expiry = time.AfterFunc(time.Until(expires), q.wake)
}

// wake ends the heads that are over their time.
func (q *queue) wake() {
	q.node.mu.Lock()
	defer q.node.mu.Unlock()
	q.wakes = time.Time{}
	q.settle()
}

// used says that the queue was used. One that goes when it is unused begins to wait again.
func (q *queue) used() {
	if q.settings.expires == 0 {
		return
	}
	stop(q.idle)
	q.idle = time.AfterFunc(q.settings.expires, q.leave)
}

// leave removes a queue that was unused for long enough. One that has consumers is in use, and waits for them to go.
func (q *queue) leave() {
	q.node.mu.Lock()
	defer q.node.mu.Unlock()
	if !q.gone && len(q.consumers) == 0 {
		q.node.deleteQueue(q)
	}
}

func (q *queue) stopTimers() {
	stop(q.expiry)
	stop(q.idle)
}
