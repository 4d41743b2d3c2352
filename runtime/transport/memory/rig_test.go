package memory_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// bench is a broker with one connection and one classic queue, "q".
type bench struct {
	testing.TB
	server *memory.Server
	broker transport.Broker
}

// inBubble runs a test on a bench, in a bubble of synctest.
func inBubble(t *testing.T, test func(b *bench), opts ...memory.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(newBench(t, opts...)) })
}

func newBench(tb testing.TB, opts ...memory.Option) *bench {
	b := &bench{tb, memory.Serve(tb.Name(), opts...), memory.Open(tb.Name())}
	tb.Cleanup(func() {
		b.must(b.broker.Close(tb.Context()))
		b.server.Close()
	})
	b.queue("q", nil)
	return b
}

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) queue(name string, arguments wire.Table) {
	b.Helper()
	b.must(b.broker.Declare(b.Context(), &topology.Topology{Queues: []topology.Queue{{Name: name, Arguments: arguments}}}))
}

// publish returns the outcome of a message to the queue q.
func (b *bench) publish(id string) error {
	b.Helper()
	pending, err := b.broker.Publish(b.Context(), message(id))
	b.must(err)
	return pending.Wait(b.Context())
}

func message(id string) transport.Message {
	return transport.Message{Key: "q", MessageID: id, Body: []byte(id)}
}

// fill publishes count messages to the queue q, with ids from 0.
func (b *bench) fill(count int) {
	b.Helper()
	for n := range count {
		b.must(b.publish(fmt.Sprint(n)))
	}
}

func (b *bench) consume(queue string, prefetch int) transport.Consumer {
	b.Helper()
	c, err := b.broker.Consume(b.Context(), transport.Subscription{Queue: queue, Prefetch: prefetch})
	b.must(err)
	return c
}

// depth compares how many messages of a queue are ready and unsettled.
func (b *bench) depth(queue string, ready, unsettled int) {
	b.Helper()
	if r, u := b.server.Depth(queue); r != ready || u != unsettled {
		b.Errorf("%s: %d ready and %d unsettled, want %d and %d", queue, r, u, ready, unsettled)
	}
}

// own returns the stacks of the goroutines that run code of this package.
func own() string {
	buffer := make([]byte, 1<<20)
	var stacks []string
	for stack := range strings.SplitSeq(string(buffer[:runtime.Stack(buffer, true)]), "\n\n") {
		if strings.Contains(stack, "transport/memory.") {
			stacks = append(stacks, stack)
		}
	}
	return strings.Join(stacks, "\n\n")
}
