package outbox

import (
	"context"
	"errors"
	"sync"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// outcome is what became of a claimed record.
type outcome struct {
	*Claimed
	begun        bool // something was asked of the broker
	confirmation *acemq.Confirmation
	err          error
}

// fault returns the failure that counts against the record, nil where there is none: it was published, or the
// connection and not the record is at fault.
func (o *outcome) fault() error {
	if o.err == nil || !o.begun {
		return nil
	}
	refused, missing, intercepted := new(acemq.RefusedError), new(acemq.NotFoundError), new(acemq.InterceptorError)
	switch {
	case !errors.As(o.err, &refused), errors.As(o.err, &missing), errors.As(o.err, &intercepted), o.Check() != nil:
		return o.err
	}
	return nil
}

// publish begins to publish a batch, each record outside any transaction, and returns what waits for the answers. Free
// records go out together, and those of one ordering key one after another, as far as none fails. What is not answered
// when three quarters of the lease are over is broken off, so that there is time to settle.
func (r *Relay) publish(ends time.Time, claimed []Claimed) (answers func() []outcome) {
	end := ends.Add(-r.settings.lease / 4)
	begin, cancelBegin := context.WithDeadline(r.stopping, end)
	answer, cancelAnswer := context.WithDeadline(r.working, end)
	outcomes := make([]outcome, len(claimed))
	keyed := make(map[string][]*outcome)
	var free []*outcome
	for i := range claimed {
		o := &outcomes[i]
		o.Claimed = &claimed[i]
		if key := o.OrderingKey; key != "" {
			keyed[key] = append(keyed[key], o)
		} else {
			free = append(free, o)
		}
	}
	var group sync.WaitGroup
	for _, list := range keyed {
		group.Go(func() { r.publishInOrder(begin, answer, list) })
	}
	r.sendAll(begin, free)
	return func() []outcome {
		defer cancelBegin()
		defer cancelAnswer()
		for _, o := range free {
			o.await(answer)
		}
		group.Wait()
		return outcomes
	}
}

// sendAll begins to publish records that wait for no others, as many as the connection takes.
func (r *Relay) sendAll(ctx context.Context, list []*outcome) {
	for _, o := range list {
		if r.send(ctx, o); o.err != nil && o.fault() == nil {
			return
		}
	}
}

// publishInOrder publishes records of one key, each after the one before is published.
func (r *Relay) publishInOrder(begin, answer context.Context, list []*outcome) {
	for _, o := range list {
		r.send(begin, o)
		o.await(answer)
		if !o.begun || o.err != nil {
			return
		}
	}
}

// send begins to publish a record, unless ctx has ended.
func (r *Relay) send(ctx context.Context, o *outcome) {
	if ctx.Err() != nil {
		return
	}
	o.begun = true
	message := o.Message
	message.FromData = true
	o.confirmation, o.err = r.conn.SendAsync(ctx, message)
}

// await waits for the broker's answer, where the record was sent.
func (o *outcome) await(ctx context.Context) {
	if o.confirmation != nil {
		o.err = o.confirmation.Wait(ctx)
	}
}
