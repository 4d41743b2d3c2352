package wire

import (
	"maps"
	"math"
	"reflect"
	"testing"
	"time"
)

func TestSetAsideHome(t *testing.T) {
	tests := []struct {
		queue, home string
		ok          bool
	}{
		{"orders.dlq", "orders", true},
		{"orders.parked", "orders", true},
		{"orders.dead", "orders", true},
		{"billing.orders.dlq", "billing.orders", true},
		{"orders.dlq.parked", "orders.dlq", true},
		{"orders", "", false},
		{"orders.DLQ", "", false},
		{"orders.retry.1m", "", false},
		{".dlq", "", false},
		{"dlq", "", false},
		{"", "", false},
	}
	for _, test := range tests {
		home, ok := SetAsideHome(test.queue)
		if home != test.home || ok != test.ok {
			t.Errorf("%q: got %q, %v, want %q, %v", test.queue, home, ok, test.home, test.ok)
		}
	}
	for _, queue := range []string{DeadLetterQueue("q"), ParkedQueue("q")} {
		if home, ok := SetAsideHome(queue); home != "q" || !ok {
			t.Errorf("%q: got %q, %v", queue, home, ok)
		}
	}
}

// TestReadReplayed reads the stamps as each library of the family writes them.
func TestReadReplayed(t *testing.T) {
	at := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	tests := []struct {
		name    string
		headers Table
		want    Replayed
	}{
		{"never replayed", Table{"x-tenant": "acme"}, Replayed{}},
		{"Go, Ruby and .NET", Table{"acemq-replayed-from": "q.dlq", "acemq-replayed-at": "2026-02-03T04:05:06Z",
			"acemq-replay-count": int32(2)}, Replayed{"q.dlq", at, 2}},
		{"Java", Table{"acemq-replayed-at": "2026-02-03T04:05:06.789Z", "acemq-replay-count": int32(1)},
			Replayed{"", at.Add(789 * time.Millisecond), 1}},
		{"Python", Table{"acemq-replayed-at": "2026-02-03T06:05:06.000001+02:00", "acemq-replay-count": int8(3)},
			Replayed{"", at.Add(time.Microsecond), 3}},
		{"bytes", Table{"acemq-replayed-from": []byte("q.dlq"), "acemq-replay-count": []byte("4")}, Replayed{From: "q.dlq", Count: 4}},
		{"early Java", Table{"x-acemq-replayed-from": "q.dlq", "x-acemq-replayed-at": at.UnixMilli(),
			"x-acemq-replay-count": int64(5)}, Replayed{"q.dlq", at, 5}},
		{"both releases", Table{"x-acemq-replayed-from": "old", "acemq-replayed-from": "new",
			"x-acemq-replay-count": int32(1), "acemq-replay-count": int32(2)}, Replayed{From: "new", Count: 2}},
		{"unreadable", Table{"acemq-replayed-from": 7, "acemq-replayed-at": "yesterday", "acemq-replay-count": "often"}, Replayed{}},
		{"nonsense", Table{"acemq-replay-count": int32(-3)}, Replayed{}},
		{"too often", Table{"acemq-replay-count": int64(math.MaxInt64)}, Replayed{}},
	}
	for _, test := range tests {
		if got := ReadReplayed(test.headers); got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
}

// TestReplayHeaders is the "replay" part of the contract, header by header.
func TestReplayHeaders(t *testing.T) {
	now := time.Date(2026, 2, 3, 5, 5, 6, 999_999_999, time.FixedZone("", 3600))
	stamps := Table{"acemq-replayed-from": "q.dlq", "acemq-replayed-at": "2026-02-03T04:05:06Z", "acemq-replay-count": int32(1)}
	tests := []struct {
		name    string
		headers Table
		want    Table // beside the stamps
	}{
		{"no headers", nil, nil},
		{"everything else stays",
			Table{"x-acemq-id": "1", "x-acemq-attempt": int32(5), "x-acemq-error": "why", "x-acemq-first-seen": int64(7),
				"x-acemq-of-tomorrow": true, "x-tenant": "acme", "traceparent": "00-1"},
			Table{"x-acemq-id": "1", "x-acemq-attempt": int32(5), "x-acemq-error": "why", "x-acemq-first-seen": int64(7),
				"x-acemq-of-tomorrow": true, "x-tenant": "acme", "traceparent": "00-1"}},
		{"the broker's do not",
			Table{"x-death": []any{Table{"count": int64(1)}}, "x-first-death-queue": "q", "x-last-death-reason": "expired",
				"x-delivery-count": int64(3), "x-acquired-count": int64(3)}, nil},
		{"the count goes on", Table{"acemq-replayed-from": "old", "acemq-replayed-at": "then", "acemq-replay-count": int64(2)},
			Table{"acemq-replay-count": int32(3)}},
		{"early stamps go, and their count goes on",
			Table{"x-acemq-replayed-from": "old", "x-acemq-replayed-at": int64(1), "x-acemq-replay-count": "2"},
			Table{"acemq-replay-count": int32(3)}},
	}
	for _, test := range tests {
		want := maps.Clone(stamps)
		maps.Copy(want, test.want)
		before := maps.Clone(test.headers)
		if got := ReplayHeaders(test.headers, "q.dlq", now); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v,\nwant %v", test.name, got, want)
		}
		if !reflect.DeepEqual(test.headers, before) {
			t.Errorf("%s: the headers of the message were changed to %v", test.name, test.headers)
		}
	}
}

func TestRestart(t *testing.T) {
	headers := Table{"x-acemq-attempt": int64(5), "x-acemq-error": "why", "x-acemq-first-seen": int64(7)}
	Restart(headers)
	if want := (Table{"x-acemq-attempt": int32(1), "x-acemq-first-seen": int64(7)}); !reflect.DeepEqual(headers, want) {
		t.Errorf("got %v, want %v", headers, want)
	}
}
