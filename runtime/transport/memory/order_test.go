package memory

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestOrderAgainstASortedList adds and takes at random and compares with a list that is sorted each time.
func TestOrderAgainstASortedList(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var o order
	var list []*entry
	for n := range 20_000 {
		if len(list) > 0 && random.IntN(5) < 2 {
			if got, want := o.take(), list[0]; got != want {
				t.Fatalf("took %d of priority %d, want %d of %d", got.position, got.priority, want.position, want.priority)
			}
			list = list[1:]
			continue
		}
		e := &entry{position: uint64(n), priority: uint8(random.IntN(3))}
		if random.IntN(3) == 0 && n > 0 {
			e.position = random.Uint64N(uint64(n)) // one that comes back
		}
		if slices.ContainsFunc(list, func(o *entry) bool { return o.position == e.position && o.priority == e.priority }) {
			continue
		}
		o.add(e)
		at, _ := slices.BinarySearchFunc(list, e, func(a, b *entry) int {
			if before(a, b) {
				return -1
			}
			return 1
		})
		list = slices.Insert(list, at, e)
	}
}
