package outbox

import (
	"context"
	"strings"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// settle tells the store what became of a batch. It reports whether the batch got anywhere: there may be more to do.
func (r *Relay) settle(b *batch, outcomes []outcome) bool {
	ctx, cancel := context.WithDeadline(r.working, b.ends)
	defer cancel()
	var published, back []string
	moved := false
	for i := range outcomes {
		o := &outcomes[i]
		age := max(0, o.Age+r.settings.lease-time.Until(b.ends))
		switch fault := o.fault(); {
		case fault != nil:
			r.observe(o, acemq.OutcomeFailed, age)
			r.fail(ctx, b.token, o, fault)
			moved = true
		case o.begun && o.err == nil:
			published = append(published, o.ID())
			r.tally.lag.Store(int64(age))
			r.observe(o, acemq.OutcomePublished, age)
			moved = true
		default:
			back = append(back, o.ID())
		}
	}
	r.tally.published.Add(int64(len(published)))
	r.settleAll(ctx, "published", published, func(ctx context.Context, ids []string) (int, error) {
		return r.store.Published(ctx, b.token, ids)
	})
	r.settleAll(ctx, "given back", back, func(ctx context.Context, ids []string) (int, error) {
		return r.store.GiveBack(ctx, b.token, ids)
	})
	return moved
}

// observe tells the observers of the connection what became of a record.
func (r *Relay) observe(o *outcome, outcome string, age time.Duration) {
	m := &o.Message
	r.conn.Observe(context.Background(), acemq.Event{
		Name:        acemq.EventOutbox,
		Outcome:     outcome,
		Exchange:    m.Exchange,
		RoutingKey:  m.Key,
		Type:        m.Envelope.Type,
		ID:          m.Envelope.ID,
		Correlation: m.Envelope.Correlation,
		Attempt:     o.Attempts + 1,
		Duration:    age,
		Err:         o.err,
	})
}

// settleAll settles records that share an answer.
func (r *Relay) settleAll(ctx context.Context, what string, ids []string,
	settle func(context.Context, []string) (int, error)) {
	if len(ids) == 0 {
		return
	}
	r.insist(ctx, what, len(ids), func(ctx context.Context) (int, error) { return settle(ctx, ids) })
}

// fail counts a failed attempt: the record waits for its next one, or is retired.
func (r *Relay) fail(ctx context.Context, token string, o *outcome, fault error) {
	r.tally.failed.Add(1)
	attempt := o.Attempts + 1
	failure := Failure{ID: o.ID(), Reason: cut(fault.Error())}
	log := r.settings.logger.With("id", o.ID(), "exchange", o.Message.Exchange, "key", o.Message.Key,
		"attempt", attempt, "error", fault)
	if attempt >= r.policy.MaxAttempts() {
		r.tally.retired.Add(1)
		log.Error("acemq: a record of the outbox is retired: nobody tries it again before it is released")
		r.insist(ctx, "retired", 1, func(ctx context.Context) (int, error) {
			return one(r.store.Retire(ctx, token, failure))
		})
		return
	}
	wait := r.policy.Delay(attempt)
	log.Warn("acemq: a record of the outbox could not be published", "wait", wait)
	r.insist(ctx, "postponed", 1, func(ctx context.Context) (int, error) {
		return one(r.store.Postpone(ctx, token, failure, wait))
	})
}

func one(settled bool, err error) (int, error) {
	if settled {
		return 1, err
	}
	return 0, err
}

// insist settles records, over and over while the store fails and the lease holds: what is published and not settled
// is published again.
func (r *Relay) insist(ctx context.Context, what string, want int, settle func(context.Context) (int, error)) {
	for pause := firstPause; ; pause *= 2 {
		n, err := settle(ctx)
		if err == nil {
			if n < want {
				r.tally.lost.Add(int64(want - n))
				r.settings.logger.Warn("acemq: the lease of records of the outbox ended before they were settled",
					"as", what, "records", want-n)
			}
			return
		}
		r.settings.logger.Error("acemq: records of the outbox cannot be settled", "as", what, "records", want, "error", err)
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			r.tally.lost.Add(int64(want))
			return
		}
	}
}

// firstPause is how long a relay waits before it settles again where the store failed; each further pause is twice as
// long.
const firstPause = 200 * time.Millisecond

// maxReason is how many bytes of a failure are kept (contract: outbox, columns).
const maxReason = 1000

// cut returns a reason as stores keep it: text that every database takes, and not too much of it.
func cut(reason string) string {
	reason = strings.ToValidUTF8(strings.ReplaceAll(reason, "\x00", ""), "")
	if len(reason) <= maxReason {
		return reason
	}
	const ellipsis = "…"
	return strings.ToValidUTF8(reason[:maxReason-len(ellipsis)], "") + ellipsis
}
