package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// trail counts, by type, what was published on a connection and what was not taken. It sees every publish, of whatever part
// of the program, and none of them knows of it.
type trail struct {
	mu        sync.Mutex
	confirmed map[string]int
	failed    map[string]int // refused here or by the broker, unroutable, or with an unknown outcome
}

func newTrail() *trail { return &trail{confirmed: map[string]int{}, failed: map[string]int{}} }

// interceptor is what is installed on the connection.
func (t *trail) interceptor() acemq.Interceptor {
	return acemq.Interceptor{
		Name: "audit",
		AfterConfirm: func(_ context.Context, m *acemq.PublishedMessage) error {
			t.add(t.confirmed, m.Envelope.Type)
			return nil
		},
		PublishFailed: func(_ context.Context, m *acemq.PublishedMessage, _ error) error {
			t.add(t.failed, m.Envelope.Type)
			return nil
		},
	}
}

func (t *trail) add(counts map[string]int, kind string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	counts[kind]++
}

// String returns all counts in a line.
func (t *trail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return fmt.Sprintf("confirmed %s; not confirmed %s", list(t.confirmed), list(t.failed))
}

// list returns counts in the order of their names.
func list(counts map[string]int) string {
	if len(counts) == 0 {
		return "none"
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[kind], kind))
	}
	return strings.Join(parts, ", ")
}
