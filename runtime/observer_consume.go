package acemq

import "context"

// watch begins to follow a delivery, where anybody watches. What a private consumer takes is the library's own, and only
// observers see it.
func (c *Consumer) watch(in *incoming) {
	chain := c.conn.chain.Load()
	switch {
	case chain == nil:
		return
	case c.setAside == nil:
		chain = chain.bare()
	}
	in.watched = &watched{chain: chain, ctx: context.WithoutCancel(c.handling)}
	c.observe(in, Event{Name: EventReceive})
}

// observe tells the observers of an event about a delivery.
func (c *Consumer) observe(in *incoming, e Event) {
	if in.watched == nil {
		return
	}
	e.Queue = c.queue.Name
	e.Type = in.envelope.Type
	e.ID = in.envelope.ID
	e.Correlation = in.envelope.Correlation
	e.Attempt = in.envelope.Attempt
	c.conn.Observe(in.watched.ctx, e)
}

// observeOutcome tells the observers what became of a delivery.
func (c *Consumer) observeOutcome(in *incoming, d disposition) {
	if w := in.watched; w != nil {
		c.observe(in, Event{Name: EventConsume, Outcome: d.outcome.word(), Target: d.target, Duration: w.took,
			Delay: d.wait + d.rung, Err: w.err})
	}
}

// observeLoss tells the observers that a delivery was not settled.
func (c *Consumer) observeLoss(in *incoming) {
	if w := in.watched; w != nil {
		c.observe(in, Event{Name: EventConsume, Outcome: OutcomeLost, Duration: w.took, Err: w.err})
	}
}

// word returns the outcome as it is counted. Giving back is somebody's decision, as rejecting is.
func (o outcome) word() string {
	if o == outcomeReleased || o == outcomeRequeued {
		return OutcomeRejected
	}
	return o.String()
}
