package idempotency

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"
)

// What a [Memory] holds when nothing else is said.
const (
	DefaultEntries = 100_000
	DefaultAge     = 24 * time.Hour
)

// Memory is a [Store] for one process: what it knows ends with the process, and other processes do not see it. It is for
// tests, and for services that run once and whose broker alone delivers twice. It holds a bounded number of keys for a
// bounded time. It may be used concurrently.
type Memory struct {
	entries int
	age     time.Duration

	mu      sync.Mutex
	keys    map[string]*list.Element // of claims or handled; their values are of the type *entry
	claims  *list.List               // in the order in which they were claimed
	handled *list.List               // in the order in which they were confirmed
}

var _ Store = (*Memory)(nil)

// entry is a key that a Memory knows.
type entry struct {
	key       string
	confirmed bool
	ends      time.Time // when the lease is over, or a confirmed key is forgotten
}

// MemoryOption changes the bounds of a [Memory].
type MemoryOption func(*Memory)

// Entries sets how many keys a [Memory] holds at most; the default is [DefaultEntries], and less than 1 means it. Where
// it is full, it forgets the message that was handled longest ago, and refuses a claim when all of its keys are claimed.
func Entries(n int) MemoryOption {
	return func(m *Memory) {
		if n > 0 {
			m.entries = n
		}
	}
}

// Age sets how long a [Memory] knows that a message was handled; the default is [DefaultAge], and 0 or less means it.
func Age(d time.Duration) MemoryOption {
	return func(m *Memory) {
		if d > 0 {
			m.age = d
		}
	}
}

// NewMemory returns a store that is empty.
func NewMemory(opts ...MemoryOption) *Memory {
	m := &Memory{
		entries: DefaultEntries,
		age:     DefaultAge,
		keys:    make(map[string]*list.Element),
		claims:  list.New(),
		handled: list.New(),
	}
	for _, option := range opts {
		option(m)
	}
	return m
}

// Claim implements [Store]. It returns an error when the store is full of claims.
func (m *Memory) Claim(_ context.Context, key string, lease time.Duration) (Claim, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	m.forget(now)
	if e, known := m.find(key); known {
		switch {
		case e.confirmed:
			return Duplicate, nil
		case now.Before(e.ends):
			return InProgress, nil
		}
	}
	if err := m.put(&entry{key: key, ends: now.Add(lease)}); err != nil {
		return 0, err
	}
	return Claimed, nil
}

// Confirm implements [Store]. It returns an error when the store is full of other claims.
func (m *Memory) Confirm(_ context.Context, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	m.forget(now)
	if e, known := m.find(key); known && e.confirmed {
		return nil
	}
	return m.put(&entry{key: key, confirmed: true, ends: now.Add(m.age)})
}

// Release implements [Store].
func (m *Memory) Release(_ context.Context, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, known := m.find(key); known && !e.confirmed {
		m.remove(m.keys[key])
	}
	return nil
}

func (m *Memory) find(key string) (*entry, bool) {
	element, known := m.keys[key]
	if !known {
		return nil, false
	}
	return element.Value.(*entry), true
}

// put enters a key, in place of what is known of it.
func (m *Memory) put(e *entry) error {
	if old, known := m.keys[e.key]; known {
		m.remove(old)
	}
	if err := m.makeRoom(); err != nil {
		return err
	}
	m.keys[e.key] = m.listOf(e).PushBack(e)
	return nil
}

func (m *Memory) makeRoom() error {
	if len(m.keys) < m.entries {
		return nil
	}
	oldest := m.handled.Front()
	if oldest == nil {
		return fmt.Errorf("the idempotency store is full of %d claims: let it hold more entries, or give it to fewer "+
			"consumers", m.entries)
	}
	m.remove(oldest)
	return nil
}

// forget removes what has ended, from the front of each list. A claim whose lease is shorter than that of one before it
// may stay until that has ended as well.
func (m *Memory) forget(now time.Time) {
	for _, l := range []*list.List{m.claims, m.handled} {
		for front := l.Front(); front != nil && !now.Before(front.Value.(*entry).ends); front = l.Front() {
			m.remove(front)
		}
	}
}

func (m *Memory) remove(element *list.Element) {
	e := element.Value.(*entry)
	m.listOf(e).Remove(element)
	delete(m.keys, e.key)
}

func (m *Memory) listOf(e *entry) *list.List {
	if e.confirmed {
		return m.handled
	}
	return m.claims
}
