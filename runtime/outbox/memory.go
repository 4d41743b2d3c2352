package outbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Memory is a [Store] for tests and for trying things out. IT IS NOT AN OUTBOX: its records are part of no transaction,
// and they are lost when the process ends, which are the two things that an outbox is there for. A service takes a
// store of the package sqlstore. A relay that is started on a Memory says so in the log.
//
// It may be used concurrently. Its clock is the process's.
type Memory struct {
	retention time.Duration

	mu   sync.Mutex
	rows []*row // in the order in which they were added
}

// row is a record with what became of it.
type row struct {
	record   Record
	added    time.Time
	attempts int
	reason   string
	token    string    // of the lease, "" for none
	due      time.Time // when it may be claimed: the end of its lease, or of its wait
	retired  time.Time // zero while it is tried
	done     time.Time // zero until it is published
}

// NewMemory returns an empty store that keeps published records for as long as retention, or, when that is 0, not at
// all.
func NewMemory(retention time.Duration) *Memory { return &Memory{retention: retention} }

// Add adds records. It refuses all of them when one fails its [Record.Check]. A record whose id is there already is
// passed over.
func (m *Memory) Add(records ...Record) error {
	for _, record := range records {
		if err := record.Check(); err != nil {
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, record := range records {
		if m.find(record.ID()) == nil {
			m.rows = append(m.rows, &row{record: record, added: time.Now()})
		}
	}
	return nil
}

func (m *Memory) find(id string) *row {
	for _, r := range m.rows {
		if r.record.ID() == id {
			return r
		}
	}
	return nil
}

// Claim implements [Store].
func (m *Memory) Claim(_ context.Context, lease Lease, limit int) ([]Claimed, error) {
	if lease.Token == "" {
		return nil, errors.New("outbox: a lease without a token proves nothing")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	held := make(map[string]bool) // the keys that have an older record which is not claimed
	var claimed []Claimed
	for _, r := range m.rows {
		key := r.record.OrderingKey
		switch {
		case !r.done.IsZero() || held[key]:
		case !r.retired.IsZero() || r.due.After(now) || len(claimed) == limit:
			if key != "" {
				held[key] = true
			}
		default:
			r.token, r.due = lease.Token, now.Add(lease.Length)
			claimed = append(claimed, Claimed{Record: r.record, Attempts: r.attempts, Age: now.Sub(r.added)})
		}
	}
	return claimed, nil
}

// leased returns the record of a lease, nil where it is not, or no longer, of the lease.
func (m *Memory) leased(token, id string) *row {
	r := m.find(id)
	if r == nil || r.token != token {
		return nil
	}
	return r
}

// Published implements [Store].
func (m *Memory) Published(_ context.Context, token string, ids []string) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, id := range ids {
		if r := m.leased(token, id); r != nil {
			r.token, r.done = "", time.Now()
			n++
		}
	}
	if m.retention == 0 {
		m.rows = slices.DeleteFunc(m.rows, func(r *row) bool { return !r.done.IsZero() })
	}
	return n, nil
}

// Postpone implements [Store].
func (m *Memory) Postpone(_ context.Context, token string, f Failure, wait time.Duration) (bool, error) {
	return m.failed(token, f, func(r *row) { r.due = time.Now().Add(wait) }), nil
}

// Retire implements [Store].
func (m *Memory) Retire(_ context.Context, token string, f Failure) (bool, error) {
	return m.failed(token, f, func(r *row) { r.retired = time.Now() }), nil
}

func (m *Memory) failed(token string, f Failure, then func(*row)) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.leased(token, f.ID)
	if r == nil {
		return false
	}
	r.token, r.reason = "", f.Reason
	r.attempts++
	then(r)
	return true
}

// GiveBack implements [Store].
func (m *Memory) GiveBack(_ context.Context, token string, ids []string) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, id := range ids {
		if r := m.leased(token, id); r != nil {
			r.token, r.due = "", time.Time{}
			n++
		}
	}
	return n, nil
}

// Purge implements [Store].
func (m *Memory) Purge(context.Context) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := len(m.rows)
	m.rows = slices.DeleteFunc(m.rows, func(r *row) bool {
		return !r.done.IsZero() && time.Since(r.done) > m.retention
	})
	return before - len(m.rows), nil
}

// Pending implements [Store].
func (m *Memory) Pending(context.Context) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, r := range m.rows {
		if r.done.IsZero() {
			n++
		}
	}
	return n, nil
}

// Retired implements [Store].
func (m *Memory) Retired(_ context.Context, limit int) ([]Retired, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []Retired
	for _, r := range m.rows {
		if !r.retired.IsZero() && len(list) < limit {
			list = append(list, Retired{Record: r.record, Attempts: r.attempts, Reason: r.reason, Since: r.retired})
		}
	}
	return list, nil
}

// Release implements [Store].
func (m *Memory) Release(_ context.Context, ids ...string) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, id := range ids {
		if r := m.find(id); r != nil && !r.retired.IsZero() {
			r.attempts, r.due, r.retired = 0, time.Time{}, time.Time{}
			n++
		}
	}
	return n, nil
}

// String names the store in logs, and what it is not.
func (m *Memory) String() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return fmt.Sprintf("an outbox in memory, which is no outbox, with %d records", len(m.rows))
}
