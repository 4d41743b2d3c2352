package memory

// order holds the messages of a queue that wait for a consumer, the head first: the highest priority, and among equal
// ones the earliest position. A message that comes back takes its old place. It is a binary heap: a message that is
// added at the end moves nothing, and taking the head costs the logarithm of the length.
type order []*entry

func (o order) Len() int { return len(o) }

// head returns the head of a queue that is not empty.
func (o order) head() *entry { return o[0] }

func before(a, b *entry) bool {
	return a.priority > b.priority || a.priority == b.priority && a.position < b.position
}

func (o *order) add(e *entry) {
	*o = append(*o, e)
	h := *o
	for at := len(h) - 1; at > 0; {
		parent := (at - 1) / 2
		if !before(h[at], h[parent]) {
			return
		}
		h[at], h[parent] = h[parent], h[at]
		at = parent
	}
}

// take removes the head and returns it.
func (o *order) take() *entry {
	h := *o
	head, last := h[0], len(h)-1
	h[0], h[last] = h[last], nil
	h = h[:last]
	*o = h
	for at := 0; ; {
		child := 2*at + 1
		if child >= last {
			break
		}
		if child+1 < last && before(h[child+1], h[child]) {
			child++
		}
		if !before(h[child], h[at]) {
			break
		}
		h[at], h[child] = h[child], h[at]
		at = child
	}
	return head
}
