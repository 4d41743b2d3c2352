package memory

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// The reasons for which a message leaves its queue as a dead letter.
const (
	diedOfRejection = "rejected"
	diedOfAge       = "expired"
	diedOfLength    = "maxlen"
	diedOfLimit     = "delivery_limit"
)

// death is an entry of x-death: how often a message died in one queue for one reason, and how it had come there.
type death struct {
	queue      string
	reason     string
	count      int64
	at         time.Time
	exchange   string
	keys       []any
	expiration string // what the message had of its own, when that took it
}

// history is the deaths of a message, the latest first. It is never changed in place.
type history []death

// deadLetter sends a message that has left the queue to where its dead letters go. It is lost where they go nowhere,
// where nothing takes them, and where a queue is met again without a rejection in between.
func (q *queue) deadLetter(e *entry, reason string) {
	if !q.settings.deadLetter {
		return
	}
	m := e.message
	past := e.history.with(q.name, reason, &m)
	m.Headers = past.headers(m.Headers, q.node.config)
	m.Exchange = q.settings.dlx
	m.Expiration = 0
	if q.settings.dlKey != "" {
		m.Key = q.settings.dlKey
	}
	targets, _ := q.node.route(&m)
	for _, target := range targets {
		if past.cycles(target.name) {
			continue
		}
		if target.takes(&m) {
			target.push(m, past)
		}
	}
}

// with returns the history with one more death of m.
func (h history) with(queue, reason string, m *transport.Message) history {
	d := death{queue: queue, reason: reason, count: 1, at: time.Now(), exchange: m.Exchange, keys: []any{m.Key}}
	if m.Expiration > 0 {
		d.expiration = strconv.FormatInt(m.Expiration.Milliseconds(), 10)
	}
	earlier := slices.Clone(h)
	same := func(o death) bool { return o.queue == queue && o.reason == reason }
	if i := slices.IndexFunc(earlier, same); i >= 0 {
		again := earlier[i]
		again.count++
		d, earlier = again, slices.Delete(earlier, i, i+1)
	}
	return slices.Insert(earlier, 0, d)
}

// cycles reports whether a queue is among the deaths, and nothing was rejected since.
func (h history) cycles(queue string) bool {
	for _, d := range h {
		if d.reason == diedOfRejection {
			return false
		}
		if d.queue == queue {
			return true
		}
	}
	return false
}

// headers returns the headers of a message with its history in them.
func (h history) headers(own wire.Table, c config) wire.Table {
	headers := maps.Clone(own)
	if headers == nil {
		headers = wire.Table{}
	}
	list := make([]any, 0, len(h))
	for _, d := range h {
		entry := wire.Table{"queue": d.queue, "reason": d.reason, "count": d.count, "exchange": d.exchange,
			"routing-keys": d.keys, "time": d.at.Truncate(time.Second)}
		if d.expiration != "" {
			entry["original-expiration"] = d.expiration
		}
		list = append(list, entry)
	}
	headers["x-death"] = list
	if len(h) == 1 && h[0].count == 1 {
		h[0].header(headers, "first")
	}
	if c.atLeast(3, 13) {
		h[0].header(headers, "last")
	}
	return headers
}

// header names the queue, reason and exchange of the first or the last death.
func (d death) header(headers wire.Table, which string) {
	headers["x-"+which+"-death-queue"] = d.queue
	headers["x-"+which+"-death-reason"] = d.reason
	headers["x-"+which+"-death-exchange"] = d.exchange
}

// published returns the history that a published message brings: up to RabbitMQ 3.13, what its x-death says.
func published(m *transport.Message, c config) history {
	if c.atLeast(4, 0) {
		return nil
	}
	list, _ := m.Headers["x-death"].([]any)
	var h history
	for _, item := range list {
		table, _ := item.(wire.Table)
		d := death{}
		d.queue, _ = table["queue"].(string)
		d.reason, _ = table["reason"].(string)
		d.count, _ = wide(table["count"]).(int64)
		d.at, _ = table["time"].(time.Time)
		d.exchange, _ = table["exchange"].(string)
		d.keys, _ = table["routing-keys"].([]any)
		d.expiration, _ = table["original-expiration"].(string)
		h = append(h, d)
	}
	return h
}
