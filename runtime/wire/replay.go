package wire

import (
	"strings"
	"time"
)

// The headers that early releases of some libraries stamped a replay with. They are read and taken off, and never
// written: the libraries drop reserved headers on the way in, so that no handler ever saw these.
const (
	legacyReplayedFrom = "x-acemq-replayed-from"
	legacyReplayedAt   = "x-acemq-replayed-at"
	legacyReplayCount  = "x-acemq-replay-count"
)

// SetAsideHome returns the queue that a queue of set-aside messages is named after: "billing.orders" for
// "billing.orders.dlq", "billing.orders.parked" and "billing.orders.dead". It reports false for any other name
// (contract: patterns, replay).
func SetAsideHome(queue string) (home string, ok bool) {
	for _, suffix := range []string{".dlq", ".parked", ".dead"} {
		if home, ok := strings.CutSuffix(queue, suffix); ok && home != "" {
			return home, true
		}
	}
	return "", false
}

// Replayed is what the stamps of a message say about its replays. The zero Replayed is that of a message which was never
// replayed.
type Replayed struct {
	From  string    // the queue that the last replay took it from
	At    time.Time // when, in UTC; zero where that cannot be read
	Count int       // how often it was replayed
}

// ReadReplayed reads the stamps of a message, of every library and release (contract: envelope, headers that are not
// reserved). What cannot be read is absent.
func ReadReplayed(headers Table) Replayed {
	return Replayed{
		From:  text(either(headers, HeaderReplayedFrom, legacyReplayedFrom)),
		At:    replayedAt(either(headers, HeaderReplayedAt, legacyReplayedAt)),
		Count: counter(either(headers, HeaderReplayCount, legacyReplayCount), 0),
	}
}

// either returns the header called name, or, where there is none, the one called legacy.
func either(headers Table, name, legacy string) any {
	if value, ok := headers[name]; ok {
		return value
	}
	return headers[legacy]
}

// replayedAt reads a time in RFC 3339, to any fraction and in any zone, or milliseconds since 1970.
func replayedAt(value any) time.Time {
	if t, err := time.Parse(time.RFC3339, text(value)); err == nil {
		return t.UTC()
	}
	return instant(value)
}

// ReplayHeaders returns the headers of the copy of a message that is replayed out of a queue at a time: its own, stamped,
// without the broker's and without the stamps of early releases. Everything else is left as it is, reserved headers of
// later releases too. The result is a table of its own.
func ReplayHeaders(headers Table, from string, at time.Time) Table {
	stamped := make(Table, len(headers)+3)
	for name, value := range headers {
		switch name {
		case legacyReplayedFrom, legacyReplayedAt, legacyReplayCount:
		default:
			if !IsBroker(name) {
				stamped[name] = value
			}
		}
	}
	stamped[HeaderReplayedFrom] = from
	stamped[HeaderReplayedAt] = at.UTC().Format("2006-01-02T15:04:05Z")
	stamped[HeaderReplayCount] = int32(ReadReplayed(headers).Count + 1)
	return stamped
}

// Restart makes headers those of a first attempt that has not failed: attempt 1, and no error. A message that was given
// up at its last attempt would be given up again on the first failure.
func Restart(headers Table) {
	headers[HeaderAttempt] = int32(1)
	delete(headers, HeaderError)
}
