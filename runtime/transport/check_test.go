package transport_test

import (
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

func TestCheckNamesEveryFaultOfAMessage(t *testing.T) {
	long := strings.Repeat("x", 256)
	_, err := transport.Check(transport.Message{
		Exchange: long, Key: long, ContentType: long, ReplyTo: long, Expiration: -1, Body: make([]byte, wire.MaxBody+1),
		Headers: wire.Table{"h": struct{}{}},
	})
	refused := (*transport.RefusedError)(nil)
	if !errors.As(err, &refused) {
		t.Fatalf("the error is a %T", err)
	}
	for _, part := range []string{"exchange", "routing key", "message id", "content type", "reply-to", "expiration",
		"body", `header "h"`} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not speak of the %s: %v", part, err)
		}
	}
}

func TestCheckLeavesTheCallersMessageAlone(t *testing.T) {
	headers := wire.Table{"count": 7}
	m, err := transport.Check(transport.Message{MessageID: "m", Headers: headers, Expiration: 1500 * time.Microsecond})
	if err != nil {
		t.Fatal(err)
	}
	if m.Headers["count"] != int64(7) || m.Expiration != time.Millisecond {
		t.Errorf("the message travels as %+v", m)
	}
	if !maps.Equal(headers, wire.Table{"count": 7}) {
		t.Errorf("the caller's headers are %v", headers)
	}
}

func TestCheckHoldsCopiesToWhatBrokersTake(t *testing.T) {
	headers := func(size int) wire.Table { return wire.Table{"h": strings.Repeat("x", size)} }
	for _, test := range []struct {
		name        string
		message     transport.Message
		own, copied bool
	}{
		{"headers over our limit", transport.Message{Headers: headers(wire.MaxHeaders)}, false, true},
		{"headers over a frame", transport.Message{Headers: headers(wire.MaxCopyHeaders)}, false, false},
		{"body", transport.Message{Body: make([]byte, wire.MaxBody+1)}, false, true},
		{"content type", transport.Message{ContentType: "\xff"}, false, true},
		{"long content type", transport.Message{ContentType: strings.Repeat("c", 256)}, false, false},
		{"long reply-to", transport.Message{ReplyTo: strings.Repeat("r", 256)}, false, false},
		{"key", transport.Message{Key: strings.Repeat("k", 256)}, false, false},
	} {
		for isCopy, good := range map[bool]bool{false: test.own, true: test.copied} {
			m := test.message
			m.MessageID, m.Copy = "m", isCopy
			if _, err := transport.Check(m); (err == nil) != good {
				t.Errorf("%s, copy %v: %v", test.name, isCopy, err)
			}
		}
	}
}

func TestCheckSubscription(t *testing.T) {
	for prefetch, good := range map[int]bool{-1: false, 0: false, 1: true, 65_535: true, 65_536: false} {
		_, err := transport.CheckSubscription(transport.Subscription{Queue: "q", Prefetch: prefetch})
		if (err == nil) != good {
			t.Errorf("prefetch %d: %v", prefetch, err)
		}
	}
}

func TestCheckTopologyNamesEveryFault(t *testing.T) {
	_, err := transport.CheckTopology(&topology.Topology{
		Exchanges: []topology.Exchange{{Name: ""}, {Name: "x", Kind: "heap"}, {Name: "y", Kind: "heap", External: true}},
		Queues:    []topology.Queue{{Name: "orders", Arguments: wire.Table{"a": struct{}{}}}},
		Bindings:  []topology.Binding{{Queue: "orders", Exchange: "x", Key: strings.Repeat("k", 256)}},
	})
	for _, part := range []string{"the exchange has no name", "the exchange x is of the type", `the queue orders: header "a"`, "the key of a binding"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not say %q: %v", part, err)
		}
	}
	if strings.Contains(err.Error(), "exchange y") {
		t.Errorf("an external exchange may be of any type: %v", err)
	}
}

func TestCheckTemporarySubscription(t *testing.T) {
	for temporary, good := range map[time.Duration]bool{
		-time.Minute: false, time.Microsecond: false, time.Millisecond: true, wire.MaxTTL: true, wire.MaxTTL + time.Hour: false,
	} {
		_, err := transport.CheckSubscription(transport.Subscription{Queue: "q", Prefetch: 1, Temporary: temporary})
		if (err == nil) != good {
			t.Errorf("temporary for %v: %v", temporary, err)
		}
	}
}
