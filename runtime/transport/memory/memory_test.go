package memory_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/conformance"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
)

// harness runs each case of the suite on a broker of its own, named after the test.
func harness(major, minor int) conformance.Harness {
	serve := func(t *testing.T) *memory.Server {
		s := memory.Serve(t.Name(), memory.Version(major, minor))
		t.Cleanup(s.Close)
		return s
	}
	return conformance.Harness{
		Open:           func(t *testing.T) transport.Broker { serve(t); return memory.Open(t.Name()) },
		DeleteQueue:    func(t *testing.T, queue string) { serve(t).DeleteQueue(queue) },
		DeleteExchange: func(t *testing.T, exchange string) { serve(t).DeleteExchange(exchange) },
		Cut:            func(t *testing.T, b transport.Broker) { serve(t).CutConnection(b) },
		Block:          func(t *testing.T) func() { return serve(t).Block("low on memory") },
		Version:        conformance.Version{Major: major, Minor: minor},
	}
}

func TestConformanceInABubble(t *testing.T) {
	for name, version := range map[string][2]int{"3.10": {3, 10}, "4.2": {4, 2}, "4.3": {4, 3}} {
		t.Run(name, func(t *testing.T) {
			h := harness(version[0], version[1])
			h.Around = synctest.Test
			conformance.Run(t, h)
		})
	}
}

func TestConformance(t *testing.T) {
	h := harness(4, 2)
	open := h.Open
	h.Open = func(t *testing.T) transport.Broker {
		s := memory.Serve(t.Name(), memory.Reconnect(200*time.Millisecond, time.Second))
		t.Cleanup(s.Close)
		return open(t)
	}
	conformance.Run(t, h)
}
