package wire

import (
	"maps"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// The hop choice at each edge, and on both sides of it.
func TestNextRung(t *testing.T) {
	for _, c := range []struct{ left, want time.Duration }{
		{math.MinInt64, 0}, {-time.Hour, 0}, {0, 0}, {time.Second - 1, 0},
		{time.Second, time.Second}, {10*time.Second - 1, time.Second},
		{10 * time.Second, 10 * time.Second}, {time.Minute - 1, 10 * time.Second},
		{time.Minute, time.Minute}, {10*time.Minute - 1, time.Minute},
		{10 * time.Minute, 10 * time.Minute}, {time.Hour - 1, 10 * time.Minute},
		{time.Hour, time.Hour}, {24 * time.Hour, time.Hour}, {math.MaxInt64, time.Hour},
	} {
		if got := NextRung(c.left); got != c.want {
			t.Errorf("with %v left, the rung is %v, want %v", c.left, got, c.want)
		}
	}
}

// climb returns the rungs that a message of this delay waits in, where no hop takes any time.
func climb(left time.Duration) (rungs []time.Duration, rest time.Duration) {
	for {
		rung := NextRung(left)
		if rung == 0 {
			return rungs, left
		}
		rungs = append(rungs, rung)
		left -= rung
	}
}

func TestHops(t *testing.T) {
	const s, m, h = time.Second, time.Minute, time.Hour
	for _, c := range []struct {
		delay time.Duration
		want  []time.Duration
	}{
		{0, nil},
		{999 * time.Millisecond, nil},
		{m, []time.Duration{m}},
		{90 * s, []time.Duration{m, 10 * s, 10 * s, 10 * s}},
		{4 * h, []time.Duration{h, h, h, h}},
		{h + 11*m + 11*s + 500*time.Millisecond, []time.Duration{h, 10 * m, m, 10 * s, s}},
		{59 * s, []time.Duration{10 * s, 10 * s, 10 * s, 10 * s, 10 * s, s, s, s, s, s, s, s, s, s}},
	} {
		if got, _ := climb(c.delay); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v waits in %v, want %v", c.delay, got, c.want)
		}
	}
	if day, _ := climb(24 * h); len(day) != 24 {
		t.Errorf("a day is %d hops, want 24", len(day))
	}
}

// The hops of every second of two days, counted a second way: as the digits of the delay.
func TestHopsAreTheDigitsOfTheDelay(t *testing.T) {
	for n := range 2 * 24 * 3600 {
		rungs, rest := climb(time.Duration(n) * time.Second)
		want := n/3600 + n%3600/600 + n%600/60 + n%60/10 + n%10
		if len(rungs) != want || rest != 0 {
			t.Fatalf("%d seconds are %d hops with %v left, want %d and none", n, len(rungs), rest, want)
		}
	}
}

// TestScheduleTopology is the contract's table of rungs.
func TestScheduleTopology(t *testing.T) {
	type row struct {
		queue string
		ttl   int64
	}
	want := []row{
		{"acemq.schedule.1h", 3600000}, {"acemq.schedule.10m", 600000}, {"acemq.schedule.1m", 60000},
		{"acemq.schedule.10s", 10000}, {"acemq.schedule.1s", 1000},
	}
	var got []row
	for _, rung := range ScheduleRungs() {
		arguments := ScheduleArguments(rung)
		ttl, _ := arguments["x-message-ttl"].(int64)
		got = append(got, row{ScheduleQueue(rung), ttl})
		delete(arguments, "x-message-ttl")
		home := Table{"x-dead-letter-exchange": "acemq.schedule", "x-dead-letter-routing-key": "acemq.schedule.due"}
		if !maps.Equal(arguments, home) {
			t.Errorf("beside the TTL, %s has the arguments %v, want %v", ScheduleQueue(rung), arguments, home)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the rungs are %v,\nwant %v", got, want)
	}
	ScheduleRungs()[0] = 0
	_ = append(ScheduleRungs(), time.Minute)
	if NextRung(time.Hour) != time.Hour {
		t.Error("a caller changed the rungs")
	}
}

// scheduled is a message with everything that can be said.
var scheduled = Scheduled{
	Exchange: "billing", Key: "invoice.due", Due: time.UnixMilli(1767323045678).UTC(), ContentType: "text/plain",
	Envelope: Envelope{ID: "i", Type: "invoice.due", Version: 2, Correlation: "c", Causation: "x", Origin: "o",
		Claim: "s3://c", Route: Route{Steps: "a,b", Position: 1, ID: "r"}},
	Priority: 7, Expires: 90 * time.Second,
}

func TestScheduledHeaders(t *testing.T) {
	own := Table{"x-tenant": "acme", "traceparent": "00-1", "x-death": []any{}, "x-first-death-queue": "q",
		"x-acemq-id": "posed", "x-schedule-due-at": int64(1), "x-schedule-id": "leaked", "x-schedule-later": "leaked"}
	given := maps.Clone(own)
	s := scheduled
	s.Due = s.Due.Add(-time.Microsecond) // a part of a millisecond counts as a whole one
	s.Envelope.Attempt, s.Envelope.FirstSeen, s.Envelope.Error = 3, now, "busy"
	want := Table{
		"x-schedule-exchange": "billing", "x-schedule-routing-key": "invoice.due",
		"x-schedule-due-at": int64(1767323045678), "x-schedule-content-type": "text/plain",
		"x-schedule-id": "i", "x-schedule-type": "invoice.due", "x-schedule-version": int32(2),
		"x-schedule-correlation": "c", "x-schedule-causation": "x", "x-schedule-origin": "o",
		"x-schedule-claim": "s3://c", "x-schedule-route": "a,b", "x-schedule-route-position": int32(1),
		"x-schedule-route-id": "r", "x-schedule-priority": int32(7), "x-schedule-expires": int64(90000),
		"x-tenant": "acme", "traceparent": "00-1",
	}
	got := s.Headers(own)
	if !maps.EqualFunc(got, want, func(a, b any) bool { return a == b }) {
		t.Errorf("the headers are %v,\nwant %v", got, want)
	}
	if !reflect.DeepEqual(own, given) {
		t.Errorf("the caller's headers became %v", own)
	}
	if own := ScheduledApplication(got); !maps.Equal(own, Table{"x-tenant": "acme", "traceparent": "00-1"}) {
		t.Errorf("the application's headers are %v", own)
	}
	read, err := ReadScheduled(got)
	if err != nil || !reflect.DeepEqual(read, scheduled) {
		t.Errorf("read %+v, %v,\nwant %+v", read, err, scheduled)
	}
}

// What other libraries write, in each form that their clients have for it.
func TestReadScheduledOfOtherLibraries(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	want := Scheduled{Exchange: "", Key: "orders", Due: at, ContentType: "application/json",
		Envelope: Envelope{Type: "ScheduledMessage", Version: 1}}
	for name, due := range map[string]any{
		"int64": at.UnixMilli(), "text": "1767323045000", "padded text": " 1767323045000 ", "bytes": []byte("1767323045000"),
		"double": float64(1767323045000), "timestamp": at.Local(),
	} {
		t.Run(name, func(t *testing.T) {
			headers := Table{"x-schedule-exchange": "", "x-schedule-routing-key": []byte("orders"), "x-schedule-due-at": due}
			if got, err := ReadScheduled(headers); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("read %+v, %v,\nwant %+v", got, err, want)
			}
		})
	}
}

// What makes no sense beside the three headers that a message needs is absent.
func TestReadScheduledDropsNonsense(t *testing.T) {
	headers := scheduled.Headers(nil)
	long := strings.Repeat("x", 256)
	maps.Copy(headers, Table{"x-schedule-content-type": long, "x-schedule-id": long, "x-schedule-type": true,
		"x-schedule-version": "two", "x-schedule-priority": int32(256), "x-schedule-expires": int64(math.MaxInt64)})
	got, err := ReadScheduled(headers)
	if err != nil {
		t.Fatal(err)
	}
	want := scheduled
	want.ContentType, want.Envelope.ID, want.Envelope.Type, want.Envelope.Version = "application/json", "", ScheduledType, 1
	want.Priority, want.Expires = 0, 0
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v,\nwant %+v", got, want)
	}
	for name, nonsense := range map[string]any{"x-schedule-priority": int32(-1), "x-schedule-expires": int64(-1)} {
		headers[name] = nonsense
	}
	if got, _ := ReadScheduled(headers); got.Priority != 0 || got.Expires != 0 {
		t.Errorf("negative numbers read as priority %d, expires %v", got.Priority, got.Expires)
	}
}

func TestForeignMessages(t *testing.T) {
	for _, c := range []struct {
		name   string
		header string
		value  any // nil: missing
		says   string
	}{
		{"no exchange", "x-schedule-exchange", nil, "the header x-schedule-exchange is missing"},
		{"no key", "x-schedule-routing-key", nil, "the header x-schedule-routing-key is missing"},
		{"no moment", "x-schedule-due-at", nil, "the header x-schedule-due-at is missing"},
		{"a numeric exchange", "x-schedule-exchange", int32(3), "is no text but of the type int32"},
		{"a key that no broker takes", "x-schedule-routing-key", strings.Repeat("k", 256), "256 bytes"},
		{"an exchange that is no text", "x-schedule-exchange", "\xff", "not valid UTF-8"},
		{"a moment in words", "x-schedule-due-at", "tomorrow", "is no number of milliseconds but of the type string"},
		{"a moment that is no number", "x-schedule-due-at", math.NaN(), "is no number of milliseconds but of the type float64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			headers := scheduled.Headers(nil)
			if headers[c.header] = c.value; c.value == nil {
				delete(headers, c.header)
			}
			if _, err := ReadScheduled(headers); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("the error is %v, want one that says %q", err, c.says)
			}
		})
	}
	_, err := ReadScheduled(nil)
	if n := strings.Count(err.Error(), "missing"); n != 3 {
		t.Errorf("with no headers the error names %d headers, want 3: %v", n, err)
	}
}

// FuzzReadScheduled reads headers of any content. Whatever is taken for a scheduled message can be published, and stays
// the same however often it goes through a rung.
func FuzzReadScheduled(f *testing.F) {
	f.Add("billing", "invoice.due", "1767323045678", int64(0), "text/plain", "i", "invoice.due", int64(90000), "a,b")
	f.Add("", "orders", "", int64(1), "", "", "", int64(0), "")
	f.Add(strings.Repeat("x", 256), "\xff", "tomorrow", int64(math.MinInt64), "\xff", "\xff", "\x00", int64(-1), ",")
	f.Fuzz(func(t *testing.T, exchange, key, dueText string, dueNumber int64, contentType, id, kind string, n int64, route string) {
		var due any = dueNumber
		if dueText != "" {
			due = dueText
		}
		first, err := ReadScheduled(Table{
			"x-schedule-exchange": exchange, "x-schedule-routing-key": []byte(key), "x-schedule-due-at": due,
			"x-schedule-content-type": contentType, "x-schedule-id": id, "x-schedule-type": kind, "x-schedule-version": n,
			"x-schedule-priority": n, "x-schedule-expires": n, "x-schedule-route": route, "x-schedule-route-position": n,
		})
		if err != nil {
			return
		}
		for what, value := range map[string]string{"exchange": first.Exchange, "key": first.Key,
			"content type": first.ContentType, "id": first.Envelope.ID} {
			if err := CheckShort(what, value); err != nil {
				t.Errorf("read what cannot be published: %v", err)
			}
		}
		if first.Expires < 0 || first.Expires > MaxTTL {
			t.Errorf("read an expiration that no broker takes: %v", first.Expires)
		}
		second, err := ReadScheduled(first.Headers(Table{"x-tenant": "acme"}))
		if err != nil || !reflect.DeepEqual(second, first) {
			t.Errorf("after a hop it is %+v, %v,\nwant %+v", second, err, first)
		}
	})
}
