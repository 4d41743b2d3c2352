package outline

import (
	"fmt"

	"github.com/acemq/acemq-gen/gen/model"
)

// manner tells what is special about how a publication sends.
func manner(p *model.Publish) []string {
	var all []string
	add := func(declared bool, words string) {
		if declared {
			all = append(all, words)
		}
	}
	add(p.Outbox, "outbox")
	add(p.Schedulable, "schedulable")
	add(p.Optional, "may be routed nowhere")
	add(p.Transient, "transient")
	add(p.Expires != 0, "expires after "+model.Spoken(p.Expires))
	add(p.Priority != 0, fmt.Sprintf("priority %d", p.Priority))
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
