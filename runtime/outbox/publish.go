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
	begun bool // something was asked of the broker
	err   error
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

// publish publishes a batch, each record outside any transaction. Free records go out together, and those of one
// ordering key one after another, as far as none fails. What is not answered when three quarters of the lease are over
// is broken off, so that there is time to settle.
func (r *Relay) publish(ends time.Time, claimed []Claimed) []outcome {
	end := ends.Add(-r.settings.lease / 4)
	begin, cancel := context.WithDeadline(r.stopping, end)
	defer cancel()
	answer, cancel := context.WithDeadline(r.working, end)
	defer cancel()
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
	r.publishFreely(begin, answer, free)
	group.Wait()
	return outcomes
}

// publishFreely publishes records that wait for no others.
func (r *Relay) publishFreely(begin, answer context.Context, list []*outcome) {
	confirmations := make([]*acemq.Confirmation, len(list))
	for i, o := range list {
		if confirmations[i] = r.send(begin, o); o.err != nil && o.fault() == nil {
			break // the connection takes no more
		}
	}
	for i, confirmation := range confirmations {
		if confirmation != nil {
			list[i].err = confirmation.Wait(answer)
		}
	}
}

// publishInOrder publishes records of one key, each after the one before is published.
func (r *Relay) publishInOrder(begin, answer context.Context, list []*outcome) {
	for _, o := range list {
		if confirmation := r.send(begin, o); confirmation != nil {
			o.err = confirmation.Wait(answer)
		}
		if !o.begun || o.err != nil {
			return
		}
	}
}

// send begins a publish, or returns nil with the reason in o.
func (r *Relay) send(ctx context.Context, o *outcome) *acemq.Confirmation {
	if ctx.Err() != nil {
		return nil
	}
	o.begun = true
	message := o.Message
	message.FromData = true
	var confirmation *acemq.Confirmation
	confirmation, o.err = r.conn.SendAsync(ctx, message)
	return confirmation
}
