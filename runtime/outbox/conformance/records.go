package conformance

import (
	"math"
	"strings"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/outbox"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// verbatim has every field and every type of AMQP go in and come out.
func verbatim(s *suite) {
	full := outbox.Record{OrderingKey: "kéy '\\\"", Message: acemq.Outgoing{
		Exchange: "exchange — 日本",
		Key:      "a.key",
		Envelope: acemq.Envelope{ID: "the id", Type: "order.placed", Version: 7, Correlation: "flow", Causation: "cause",
			Origin: "orders@host", Attempt: 3, FirstSeen: time.UnixMilli(1_700_000_000_123).UTC(), Error: "why", Claim: "s3://x",
			Route: wire.Route{Steps: "a,b", Position: 1, ID: "run"}},
		Headers: acemq.Headers{
			"text": "tëxt \"'\\ 🐇", "true": true, "nil": nil, "empty": "",
			"int8": int8(-8), "int16": int16(-16), "int32": int32(math.MinInt32), "int64": int64(math.MaxInt64),
			"uint8": uint8(8), "uint16": uint16(16), "uint32": uint32(math.MaxUint32),
			"float32": float32(0.1), "float64": 3.0, "inf": math.Inf(-1), "bytes": []byte{0, 1, 255},
			"time": time.Unix(1_700_000_000, 0).UTC(), "decimal": wire.Decimal{Scale: 2, Value: -314},
			"table": wire.Table{"int32": int32(1), "list": []any{int64(1), "two", wire.Table{}}}, "list": []any{},
		},
		Body:        []byte{0, 1, 2, 0xff, '\'', '\\', '"', 0},
		ContentType: "application/x-acemq; v=1",
		ReplyTo:     "answers",
		Priority:    200,
		Expires:     90 * time.Second,
	}}
	s.addRecord(full)
	if claimed := s.claim("t", long, 10, "the id"); len(claimed) == 1 {
		equal(s, "the record", claimed[0].Record, full)
		equal(s, "its attempts", claimed[0].Attempts, 0)
	}
	empty := record("empty", "")
	empty.Message.Body, empty.Message.Exchange, empty.Message.ContentType = []byte{}, "", ""
	s.addRecord(empty)
	if claimed := s.claim("u", long, 10, "empty"); len(claimed) == 1 {
		equal(s, "the empty record", claimed[0].Record, empty)
	}
}

func twice(s *suite) {
	first, second := record("a", ""), record("a", "")
	second.Message.Body = []byte(`"another"`)
	s.addRecord(first)
	s.addRecord(second)
	s.pending(1)
	if claimed := s.claim("t", long, 10, "a"); len(claimed) == 1 {
		equal(s, "the record", claimed[0].Record, first)
	}
	for _, id := range []string{"A", "a ", "á"} {
		s.addRecord(record(id, ""))
	}
	s.claim("t", long, 10, "A", "a ", "á")
}

func refusedRecords(s *suite) {
	tooLong := strings.Repeat("x", 256)
	for name, change := range map[string]func(*outbox.Record){
		"no id":           func(r *outbox.Record) { r.Message.Envelope.ID = "" },
		"a long id":       func(r *outbox.Record) { r.Message.Envelope.ID = tooLong },
		"a long exchange": func(r *outbox.Record) { r.Message.Exchange = tooLong },
		"a long key":      func(r *outbox.Record) { r.OrderingKey = tooLong },
		"a foreign type":  func(r *outbox.Record) { r.Message.Headers = acemq.Headers{"x": struct{}{}} },
		"a copy":          func(r *outbox.Record) { r.Message.Copy = true },
	} {
		bad := record("bad", "")
		change(&bad)
		if err := s.Add(s.Context(), record("good", ""), bad); err == nil {
			s.Errorf("%s: it was added", name)
		}
	}
	s.pending(0)
}

func oldestFirst(s *suite) {
	s.add("c", "a", "b", "d")
	s.claim("t", long, 3, "c", "a", "b")
	s.claim("u", long, 3, "d")
	s.claim("v", long, 3)
}

func aged(s *suite) {
	s.add("a")
	time.Sleep(short)
	if claimed := s.claim("t", long, 1, "a"); len(claimed) == 1 {
		if age := claimed[0].Age; age < short-20*time.Millisecond || age > 20*short {
			s.Errorf("the age is %v, want about %v", age, short)
		}
	}
}
