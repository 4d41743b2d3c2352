package wire

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 5, 6, 7, 8, 9, 123456789, time.UTC)

// fullEnvelope has every field.
var fullEnvelope = Envelope{
	ID: "i", Type: "t", Version: 2, Correlation: "c", Causation: "x", Origin: "o", Attempt: 4, FirstSeen: now,
	Error: "e", Claim: "s3://c", Route: Route{Steps: "a", Position: 1, ID: "r"},
}

func arrival() Arrival {
	return Arrival{RoutingKey: "fx.plain", Now: now, NewID: func() string { return "fresh" }}
}

// TestEnvelopeFixtures is the four cases of the contract's envelope fixtures: the headers that the reference wrote are
// read and written again, with the same names and values.
func TestEnvelopeFixtures(t *testing.T) {
	const firstSeen = int64(1767323045678) // 2026-01-02T03:04:05.678Z
	seen := time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC)
	tests := []struct {
		name    string
		headers Table
		want    Envelope
	}{
		{"minimal", Table{
			"x-acemq-id": "0b8c2f0e-9d3b-4c55-8a51-0d5a2f1f7a10", "x-acemq-type": "fx.plain",
			"x-acemq-version":     int32(1),
			"x-acemq-correlation": "0b8c2f0e-9d3b-4c55-8a51-0d5a2f1f7a10", "x-acemq-attempt": int32(1),
			"x-acemq-first-seen": firstSeen, "x-acemq-origin": "acemq@host-7",
		}, Envelope{
			ID: "0b8c2f0e-9d3b-4c55-8a51-0d5a2f1f7a10", Type: "fx.plain", Version: 1,
			Correlation: "0b8c2f0e-9d3b-4c55-8a51-0d5a2f1f7a10", Origin: "acemq@host-7", Attempt: 1, FirstSeen: seen,
		}},
		{"populated", Table{
			"x-acemq-id": "11111111-2222-3333-4444-555555555555", "x-acemq-type": "order.placed",
			"x-acemq-version":     int32(3),
			"x-acemq-correlation": "corr-1", "x-acemq-causation": "cause-1", "x-acemq-attempt": int32(1),
			"x-acemq-first-seen": firstSeen, "x-acemq-origin": "orders@host-7", "x-tenant": "acme",
		}, Envelope{
			ID: "11111111-2222-3333-4444-555555555555", Type: "order.placed", Version: 3, Correlation: "corr-1",
			Causation: "cause-1", Origin: "orders@host-7", Attempt: 1, FirstSeen: seen,
		}},
		{"replayed", Table{
			"x-acemq-id": "99999999-8888-7777-6666-555555555555", "x-acemq-type": "order.placed",
			"x-acemq-version":     int32(1),
			"x-acemq-correlation": "corr-2", "x-acemq-attempt": int32(1), "x-acemq-first-seen": firstSeen,
			"x-acemq-origin": "orders@host-7", "acemq-replayed-from": "orders.new.dlq",
			"acemq-replayed-at": "2026-02-03T04:05:06.789Z", "acemq-replay-count": int32(2),
		}, Envelope{
			ID: "99999999-8888-7777-6666-555555555555", Type: "order.placed", Version: 1, Correlation: "corr-2",
			Origin: "orders@host-7", Attempt: 1, FirstSeen: seen,
		}},
		{"claimed", Table{
			"x-acemq-id": "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee", "x-acemq-type": "order.placed",
			"x-acemq-version":     int32(1),
			"x-acemq-correlation": "corr-3", "x-acemq-attempt": int32(1), "x-acemq-first-seen": firstSeen,
			"x-acemq-origin": "orders@host-7", "x-acemq-claim": "s3://payloads/orders/o-4",
		}, Envelope{
			ID: "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee", Type: "order.placed", Version: 1, Correlation: "corr-3",
			Origin: "orders@host-7", Attempt: 1, FirstSeen: seen, Claim: "s3://payloads/orders/o-4",
		}},
		{"declared route", Table{
			"x-acemq-id": "i", "x-acemq-type": "t", "x-acemq-version": int32(1), "x-acemq-correlation": "c",
			"x-acemq-attempt": int32(4), "x-acemq-first-seen": firstSeen, "x-acemq-error": "exhausted 4 attempts: x",
			"x-acemq-route": "validate,price", "x-acemq-route-position": int32(1), "x-acemq-route-id": "run-1",
		}, Envelope{
			ID: "i", Type: "t", Version: 1, Correlation: "c", Attempt: 4, FirstSeen: seen,
			Error: "exhausted 4 attempts: x", Route: Route{Steps: "validate,price", Position: 1, ID: "run-1"},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ReadEnvelope(test.headers, Arrival{Now: now})
			if got != test.want {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
			if again := got.Headers(Application(test.headers)); !reflect.DeepEqual(again, test.headers) {
				t.Errorf("wrote %v\nread  %v", again, test.headers)
			}
		})
	}
}

// TestReadForeignMessages holds what stands in for a header that is missing or unreadable.
func TestReadForeignMessages(t *testing.T) {
	bare := Envelope{ID: "fresh", Type: "fx.plain", Version: 1, Correlation: "fresh", Attempt: 1,
		FirstSeen: now.Truncate(time.Millisecond)}
	with := func(change func(*Envelope)) Envelope {
		e := bare
		change(&e)
		return e
	}
	long := strings.Repeat("i", 256)
	tests := []struct {
		name    string
		headers Table
		arrival func(*Arrival)
		want    Envelope
	}{
		{"no header at all", nil, nil, bare},
		{"message id", nil, func(a *Arrival) { a.MessageID = "m" },
			with(func(e *Envelope) { e.ID, e.Correlation = "m", "m" })},
		{"id before message id", Table{HeaderID: "i"}, func(a *Arrival) { a.MessageID = "m" },
			with(func(e *Envelope) { e.ID, e.Correlation = "i", "i" })},
		{"id that no property holds", Table{HeaderID: long}, func(a *Arrival) { a.MessageID = "m" },
			with(func(e *Envelope) { e.ID, e.Correlation = "m", "m" })},
		{"ids that are no text", Table{HeaderID: "\xff"}, func(a *Arrival) { a.MessageID = "\xff" }, bare},
		{"no routing key", nil, func(a *Arrival) { a.RoutingKey = "" }, with(func(e *Envelope) { e.Type = "message" })},
		{"empty texts", Table{HeaderID: "", HeaderType: "", HeaderCorrelation: "", HeaderCausation: "",
			HeaderOrigin: "", HeaderError: "", HeaderClaim: "", HeaderRoute: "", HeaderRouteID: "r"}, nil, bare},
		{"texts as bytes", Table{HeaderID: []byte("i"), HeaderType: []byte("t"), HeaderClaim: []byte("c")}, nil,
			with(func(e *Envelope) { e.ID, e.Type, e.Correlation, e.Claim = "i", "t", "i", "c" })},
		{"texts of other types",
			Table{HeaderID: 7, HeaderType: true, HeaderCausation: []any{"x"}, HeaderOrigin: Table{}}, nil, bare},
		{"counters below their start", Table{HeaderVersion: int32(0), HeaderAttempt: int32(-4)}, nil, bare},
		{"counters that are no numbers", Table{HeaderVersion: "v2", HeaderAttempt: nil, HeaderFirstSeen: "yesterday"},
			nil, bare},
		{"counters beyond 32 bits", Table{HeaderVersion: int64(1) << 31, HeaderAttempt: int64(1) << 40}, nil, bare},
		{"first seen in 1970", Table{HeaderFirstSeen: int64(0)}, nil, bare},
		{"first seen before 1970", Table{HeaderFirstSeen: int64(-1)}, nil, bare},
		{"first seen as text", Table{HeaderFirstSeen: "1767323045678"}, nil,
			with(func(e *Envelope) { e.FirstSeen = time.UnixMilli(1767323045678).UTC() })},
		{"first seen as a timestamp", Table{HeaderFirstSeen: time.Unix(1767323045, 0)}, nil,
			with(func(e *Envelope) { e.FirstSeen = time.Unix(1767323045, 0).UTC() })},
		{"position missing", Table{HeaderRoute: "a,b"}, nil, with(func(e *Envelope) { e.Route = Route{Steps: "a,b"} })},
		{"position unreadable", Table{HeaderRoute: "a,b", HeaderRoutePosition: "one"}, nil,
			with(func(e *Envelope) { e.Route = Route{Steps: "a,b"} })},
		{"position negative", Table{HeaderRoute: "a,b", HeaderRoutePosition: int32(-1)}, nil,
			with(func(e *Envelope) { e.Route = Route{Steps: "a,b"} })},
		{"reserved header of a later release", Table{"x-acemq-future": "f"}, nil, bare},
		{"names are case sensitive", Table{"X-Acemq-Id": "i"}, nil, bare},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := arrival()
			if test.arrival != nil {
				test.arrival(&a)
			}
			if got := ReadEnvelope(test.headers, a); got != test.want {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

// TestIntegersOfEveryWidth holds that a counter is read whatever width a client library chose for it.
func TestIntegersOfEveryWidth(t *testing.T) {
	for _, value := range []any{
		int(7), int8(7), int16(7), int32(7), int64(7), uint(7), uint8(7), uint16(7), uint32(7), uint64(7),
		float32(7), float64(7), 7.9, "7", " 7 ", "+7", []byte("7"),
	} {
		t.Run(fmt.Sprintf("%T", value), func(t *testing.T) {
			headers := Table{HeaderAttempt: value, HeaderVersion: value, HeaderRoute: "r", HeaderRoutePosition: value}
			e := ReadEnvelope(headers, arrival())
			if e.Attempt != 7 || e.Version != 7 || e.Route.Position != 7 {
				t.Errorf("%v reads as attempt %d, version %d, position %d",
					value, e.Attempt, e.Version, e.Route.Position)
			}
		})
	}
}

func TestComplete(t *testing.T) {
	got := Envelope{Type: "order.placed", Version: 3, Origin: "orders@host-7"}.Complete(arrival())
	want := Envelope{ID: "fresh", Type: "order.placed", Version: 3, Correlation: "fresh", Origin: "orders@host-7",
		Attempt: 1, FirstSeen: time.Date(2026, 5, 6, 7, 8, 9, 123_000_000, time.UTC)}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if again := got.Complete(Arrival{}); again != got {
		t.Errorf("completed again: %+v", again)
	}
}

func TestCaused(t *testing.T) {
	if got, want := fullEnvelope.Caused(), (Envelope{Correlation: "c", Causation: "i", Origin: "o"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestHeadersAreTheContractsTypes holds the type of each header on the wire, and that what is absent is not written.
func TestHeadersAreTheContractsTypes(t *testing.T) {
	want := Table{
		"x-acemq-id": "i", "x-acemq-type": "t", "x-acemq-version": int32(2), "x-acemq-correlation": "c",
		"x-acemq-causation": "x", "x-acemq-origin": "o", "x-acemq-attempt": int32(4),
		"x-acemq-first-seen": now.UnixMilli(), "x-acemq-error": "e",
		"x-acemq-claim": "s3://c", "x-acemq-route": "a", "x-acemq-route-position": int32(1), "x-acemq-route-id": "r",
	}
	if got := fullEnvelope.Headers(nil); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	least := Envelope{ID: "i", Type: "t", Version: 1, Correlation: "c", Attempt: 1, FirstSeen: now,
		Route: Route{Position: 1, ID: "r"}}
	names := slices.Sorted(maps.Keys(least.Headers(nil)))
	if want := []string{"x-acemq-attempt", "x-acemq-correlation", "x-acemq-first-seen", "x-acemq-id", "x-acemq-type",
		"x-acemq-version"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

// TestHeadersKeepTheApplications holds what travels onwards beside the envelope: not what is reserved, and not what the
// broker wrote.
func TestHeadersKeepTheApplications(t *testing.T) {
	own := Table{"x-tenant": "acme", "acemq-replay-count": int32(2), "traceparent": "00-1",
		"x-acemq-id": "theirs", "x-acemq-future": "f"}
	for _, name := range []string{"x-death", "x-first-death-queue", "x-first-death-reason", "x-first-death-exchange",
		"x-last-death-queue", "x-last-death-reason", "x-last-death-exchange", "x-delivery-count", "x-acquired-count"} {
		own[name] = "the broker's"
	}
	before := maps.Clone(own)
	got := Envelope{ID: "ours"}.Headers(own)
	for name := range got {
		if IsReserved(name) {
			delete(got, name)
		}
	}
	want := Table{"x-tenant": "acme", "acemq-replay-count": int32(2), "traceparent": "00-1"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if application := Application(own); !reflect.DeepEqual(application, want) {
		t.Errorf("Application: got %v, want %v", application, want)
	}
	if !reflect.DeepEqual(own, before) {
		t.Error("the caller's table was changed")
	}
}

func TestAge(t *testing.T) {
	e := Envelope{FirstSeen: now}
	if got := e.Age(now.Add(time.Hour)); got != time.Hour {
		t.Errorf("got %v", got)
	}
	if got := e.Age(now.Add(-time.Hour)); got != -time.Hour {
		t.Errorf("clocks that disagree: got %v", got)
	}
}

// FuzzReadEnvelope reads headers of any content, and holds that what was read and written is read as the same again,
// and can be sent, and that it is the same whether the application's headers are read with it or not.
func FuzzReadEnvelope(f *testing.F) {
	f.Add("i", "t", "1", int64(1), "c", int64(1), 1767323045678.0, "a,b", []byte("1"), "m", "k", byte(0))
	f.Add("", "", "", int64(0), "", int64(-1), 0.0, "", []byte(nil), "", "", byte(1))
	f.Add("\xff", "é", "x", int64(1)<<40, "\x00", int64(1)<<31, 1e300, ",", []byte("-1"),
		strings.Repeat("m", 256), ".", byte(2))
	f.Fuzz(func(t *testing.T, id, typ, version string, attempt int64, correlation string, position int64, seen float64,
		route string, claim []byte, messageID, key string, kind byte) {
		headers := Table{
			HeaderID: shaped(kind, id), HeaderType: shaped(kind>>1, typ), HeaderVersion: version,
			HeaderAttempt: attempt, HeaderCorrelation: shaped(kind>>2, correlation), HeaderFirstSeen: seen,
			HeaderRoute: shaped(kind>>3, route), HeaderRoutePosition: position, HeaderRouteID: typ,
			HeaderClaim: claim, HeaderError: shaped(kind>>4, id), HeaderOrigin: attempt,
			HeaderCausation: shaped(kind>>5, key), "x-tenant": id, "x-death": []any{typ}, typ: version,
		}
		a := Arrival{MessageID: messageID, RoutingKey: key, Now: now, NewID: func() string { return "fresh" }}
		e := ReadEnvelope(headers, a)
		if e.ID == "" || e.Type == "" || e.Correlation == "" || e.Version < 1 || e.Attempt < 1 || e.FirstSeen.IsZero() {
			t.Errorf("incomplete: %+v", e)
		}
		if err := CheckShort("the message id", e.ID); err != nil {
			t.Errorf("a copy cannot be sent: %v", err)
		}
		if again := ReadEnvelope(e.Headers(nil), Arrival{}); again != e {
			t.Errorf("read  %+v\nagain %+v", e, again)
		}
		both, own := ReadHeaders(headers, a)
		if want := Application(headers); both != e || !reflect.DeepEqual(own, want) {
			t.Errorf("read together %+v and %v,\nread apart    %+v and %v", both, own, e, want)
		}
	})
}

// shaped gives a text as one of the types that it may arrive as.
func shaped(kind byte, text string) any {
	if kind&1 == 1 {
		return []byte(text)
	}
	return text
}
