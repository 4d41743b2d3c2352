package wire

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// What every scheduler of the contract shares (contract: scheduling, topology).
const (
	ScheduleExchange = "acemq.schedule"     // durable and direct; each queue below is bound under its own name
	ScheduleDueQueue = "acemq.schedule.due" // brings a message back to the schedulers: classic, without arguments
	ScheduledType    = "ScheduledMessage"   // the type of a message between rungs, and of one that names none
)

// The headers of a message between rungs (contract: scheduling, message between rungs). Their prefix is not the
// reserved one, which the libraries take off on the way in.
const (
	SchedulePrefix = "x-schedule-"

	HeaderScheduleExchange    = "x-schedule-exchange"     // string: where the message goes, may be empty
	HeaderScheduleKey         = "x-schedule-routing-key"  // string: with which key
	HeaderScheduleDue         = "x-schedule-due-at"       // int64: when, milliseconds since 1970
	HeaderScheduleContentType = "x-schedule-content-type" // string: the content type of the body

	// What this library adds. Other libraries' schedulers pass such headers on, or drop them with what they stand for.

	HeaderSchedulePriority = "x-schedule-priority" // int32: the priority of the delivery, absent for 0
	HeaderScheduleExpires  = "x-schedule-expires"  // int64: milliseconds that it may wait in a queue, absent for ever
)

// scheduleRungs are how long a message can wait in one hop, the longest first.
var scheduleRungs = [...]time.Duration{time.Hour, 10 * time.Minute, time.Minute, 10 * time.Second, time.Second}

// ScheduleRungs returns the delays of the rungs, the longest first: 1h, 10m, 1m, 10s, 1s.
func ScheduleRungs() []time.Duration { return slices.Clone(scheduleRungs[:]) }

// NextRung returns the rung that a message waits in whose delivery is due in left: the longest that is not longer. It
// returns 0 where the message is delivered: less than a second is left, or none (contract: scheduling, algorithm).
func NextRung(left time.Duration) time.Duration {
	for _, rung := range scheduleRungs {
		if rung <= left {
			return rung
		}
	}
	return 0
}

// ScheduleQueue returns the queue of a rung, acemq.schedule.{1h, 10m, 1m, 10s, 1s}.
func ScheduleQueue(rung time.Duration) string { return ScheduleExchange + "." + delayName(rung) }

// ScheduleArguments returns the arguments of the queue of a rung. There are exactly three: a fourth, x-queue-type
// among them, would make the next service's declaration fail.
func ScheduleArguments(rung time.Duration) Table {
	return Table{
		"x-message-ttl":             rung.Milliseconds(),
		"x-dead-letter-exchange":    ScheduleExchange,
		"x-dead-letter-routing-key": ScheduleDueQueue,
	}
}

// Scheduled is what a message between rungs says about its delivery.
type Scheduled struct {
	Exchange    string // may be empty: the default exchange
	Key         string
	Due         time.Time // to the millisecond
	ContentType string
	Envelope    Envelope      // of the delivery; what is empty is the deliverer's to complete
	Priority    uint8         // of the delivery
	Expires     time.Duration // how long it may wait in a queue, to the millisecond; 0 is for ever
}

// Headers returns the headers with which the message travels between rungs, and the application's own among own.
//
// The contract has no place for the envelope of the delivery: each hop has a fresh one, and the libraries take
// reserved headers off. So it travels under the names of its headers with the prefix x-schedule- in place of x-acemq-.
// Schedulers of other libraries take these for the application's. Those of Go, Python and Java pass them on from rung
// to rung; those of .NET and Ruby drop them with the application's headers, and the delivery has a fresh envelope then,
// as all deliveries of theirs have.
func (s Scheduled) Headers(own Table) Table {
	h := ScheduledApplication(own)
	for name, value := range s.Envelope.Headers(nil) {
		switch name {
		case HeaderAttempt, HeaderFirstSeen, HeaderError: // the delivery's own: it is a first attempt, and new
		default:
			h[SchedulePrefix+strings.TrimPrefix(name, ReservedPrefix)] = value
		}
	}
	h[HeaderScheduleExchange] = s.Exchange
	h[HeaderScheduleKey] = s.Key
	h[HeaderScheduleDue] = ceilMilli(s.Due)
	h[HeaderScheduleContentType] = s.ContentType
	if s.Priority > 0 {
		h[HeaderSchedulePriority] = int32(s.Priority)
	}
	if s.Expires > 0 {
		h[HeaderScheduleExpires] = s.Expires.Milliseconds()
	}
	return h
}

// ceilMilli returns milliseconds since 1970, a part of one counted as whole: a part cut off would leave less than a
// rung where exactly a rung is meant.
func ceilMilli(t time.Time) int64 {
	ms := t.UnixMilli()
	if t.Nanosecond()%int(time.Millisecond) != 0 {
		ms++
	}
	return ms
}

// ScheduledApplication returns the application's headers of a message between rungs: those that belong neither to the
// contract, nor to the broker, nor to a schedule. The result is a table of its own.
func ScheduledApplication(headers Table) Table {
	own := Application(headers)
	for name := range own {
		if strings.HasPrefix(name, SchedulePrefix) {
			delete(own, name)
		}
	}
	return own
}

// ReadScheduled reads the headers of a message that came out of a rung. An error says which header makes it none of a
// scheduler's: it names no exchange, key or moment, or one that no broker takes. What other libraries do not write is
// read leniently, and is absent where it makes no sense.
func ReadScheduled(headers Table) (Scheduled, error) {
	s := Scheduled{
		ContentType: scheduledContentType(headers[HeaderScheduleContentType]),
		Envelope:    scheduledEnvelope(headers),
		Priority:    priority(headers[HeaderSchedulePriority]),
		Expires:     expiry(headers[HeaderScheduleExpires]),
	}
	var errs [3]error
	s.Exchange, errs[0] = address(headers, HeaderScheduleExchange)
	s.Key, errs[1] = address(headers, HeaderScheduleKey)
	s.Due, errs[2] = due(headers)
	return s, errors.Join(errs[:]...)
}

// address reads the name of an exchange or a routing key, which may be empty and must be there.
func address(headers Table, name string) (string, error) {
	switch value := headers[name].(type) {
	case string, []byte:
		return text(value), CheckShort("the header "+name, text(value))
	default:
		return "", unreadable(name, "text", value)
	}
}

func unreadable(header, want string, value any) error {
	if value == nil {
		return fmt.Errorf("the header %s is missing", header)
	}
	return fmt.Errorf("the header %s is no %s but of the type %T", header, want, value)
}

func due(headers Table) (time.Time, error) {
	value := headers[HeaderScheduleDue]
	if t, ok := value.(time.Time); ok {
		return t.UTC(), nil
	}
	if ms, ok := integer(value); ok {
		return time.UnixMilli(ms).UTC(), nil
	}
	return time.Time{}, unreadable(HeaderScheduleDue, "number of milliseconds", value)
}

// scheduledContentType reads the content type of the delivery, JSON where none can be read.
func scheduledContentType(value any) string {
	contentType := text(value)
	if contentType == "" || CheckShort("", contentType) != nil {
		return "application/json"
	}
	return contentType
}

// scheduledEnvelope reads the envelope of the delivery. A message that another library scheduled has none.
func scheduledEnvelope(headers Table) Envelope {
	reserved := make(Table, len(headers))
	for name, value := range headers {
		if rest, ok := strings.CutPrefix(name, SchedulePrefix); ok {
			reserved[ReservedPrefix+rest] = value
		}
	}
	e := readEnvelope(reserved)
	e.Version = max(e.Version, 1)
	e.Attempt, e.FirstSeen, e.Error = 0, time.Time{}, ""
	if e.Type == "" {
		e.Type = ScheduledType
	}
	return e
}

func priority(value any) uint8 {
	n, ok := integer(value)
	if !ok || n < 0 || n > math.MaxUint8 {
		return 0
	}
	return uint8(n)
}

func expiry(value any) time.Duration {
	ms, ok := integer(value)
	if !ok || ms < 0 || ms > MaxTTL.Milliseconds() {
		return 0
	}
	return time.Duration(ms) * time.Millisecond
}
