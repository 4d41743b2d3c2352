package outline

import (
	"fmt"

	"github.com/acemq/acemq-gen/gen/model"
)

// options returns how a publication sends.
func options(p *model.Publish) Options {
	return Options{
		Outbox: p.Outbox, Schedulable: p.Schedulable, Optional: p.Optional, Transient: p.Transient,
		Expires: p.Expires, Priority: p.Priority,
	}
}

// Manner tells what is special about how a publisher sends: "outbox", "priority 3".
func (p *Publisher) Manner() []string {
	o := p.Options
	var all []string
	add := func(declared bool, words string) {
		if declared {
			all = append(all, words)
		}
	}
	add(o.Outbox, "outbox")
	add(o.Schedulable, "schedulable")
	add(o.Optional, "may be routed nowhere")
	add(o.Transient, "transient")
	add(o.Expires != 0, "expires after "+model.Spoken(o.Expires))
	add(o.Priority != 0, fmt.Sprintf("priority %d", o.Priority))
	return all
}

// properties tells what is special about a queue.
func properties(q *model.Queue) []string {
	var all []string
	if q.Classic {
		all = append(all, "classic")
	}
	if q.TTL != 0 {
		all = append(all, "messages expire after "+model.Spoken(q.TTL))
	}
	if q.MaxLength != 0 {
		all = append(all, fmt.Sprintf("%d messages at most", q.MaxLength))
	}
	if q.SingleActive {
		all = append(all, "one active consumer")
	}
	return all
}

// load tells how much a consumer has in hand.
func load(q *model.Queue) []string {
	var all []string
	if q.Prefetch != 0 {
		all = append(all, fmt.Sprintf("prefetch %d", q.Prefetch))
	}
	if q.Concurrency != 0 {
		all = append(all, fmt.Sprintf("concurrency %d", q.Concurrency))
	}
	if q.Idempotent != 0 {
		all = append(all, "idempotent, lease "+model.Spoken(q.Idempotent))
	}
	return all
}
