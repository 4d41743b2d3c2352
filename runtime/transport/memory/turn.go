package memory

import "slices"

// free returns the next consumer that can take a message, and puts it at the end of the turn.
func (q *queue) free() *channel {
	if q.settings.singleActive {
		if q.active == nil && len(q.consumers) > 0 {
			q.active = q.consumers[0]
		}
		if q.active != nil && q.active.hasRoom() {
			return q.active
		}
		return nil
	}
	for i, ch := range q.consumers {
		if ch.hasRoom() {
			copy(q.consumers[i:], q.consumers[i+1:])
			q.consumers[len(q.consumers)-1] = ch
			return ch
		}
	}
	return nil
}

// remove takes a channel off the consumers of the queue.
func (q *queue) remove(ch *channel) {
	q.consumers = slices.DeleteFunc(q.consumers, func(o *channel) bool { return o == ch })
	if len(q.consumers) == 0 && !q.gone {
		q.used()
	}
}

// passOn lets the next consumer be the active one when the channel was that and is done. Up to RabbitMQ 3.13, a channel
// that was cancelled on a classic queue is done when it has settled what it holds; otherwise the next consumer follows
// at once.
func (q *queue) passOn(ch *channel) {
	if q.active != ch || slices.Contains(q.consumers, ch) {
		return
	}
	waits := !q.settings.quorum && !q.node.config.atLeast(4, 0)
	if waits && !ch.gone.Load() && len(ch.unsettled) > 0 {
		return
	}
	q.active = nil
	q.settle()
}
