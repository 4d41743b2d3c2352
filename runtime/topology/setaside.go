package topology

import "github.com/acemq/acemq-gen/runtime/wire"

// SetAside returns what a consumer of a queue declares when it starts, before anything has failed (contract:
// consuming, what a consumer declares): the exchange "acemq.dlx", {queue}.dlq, {queue}.parked and their bindings, and,
// where the policy waits in the broker, the exchange "acemq.retry", the rungs and the binding home. The queue itself is
// external: its type and arguments are its owner's, so a consumer verifies that it is there and never declares it.
func SetAside(queue string, retry wire.Retry) *Topology {
	return New().ExternalQueue(queue, Retry(retry))
}

// setAside adds what the contract puts around a queue of work.
func (t *Topology) setAside(queue string, retry wire.Retry) *Topology {
	t.Exchange(wire.DeadLetterExchange, Direct)
	for _, name := range []string{wire.DeadLetterQueue(queue), wire.ParkedQueue(queue)} {
		t.addQueue(Queue{Name: name, Arguments: wire.SetAsideArguments()}).Bind(name, wire.DeadLetterExchange, name)
	}
	if retry.IsZero() {
		return t
	}
	policy, err := retry.Policy()
	if err != nil {
		t.fault("queue %q: %w", queue, err)
		return t
	}
	return t.rungs(queue, policy)
}

// rungs adds the queues in which messages of a queue wait for their next attempt, and the way home.
func (t *Topology) rungs(queue string, policy wire.Policy) *Topology {
	delays := policy.RungDelays()
	if len(delays) == 0 {
		return t
	}
	for _, delay := range delays {
		t.addQueue(Queue{Name: wire.RungQueue(queue, delay), Arguments: wire.RungArguments(queue, delay)})
	}
	return t.Exchange(wire.RetryExchange, Direct).Bind(queue, wire.RetryExchange, queue)
}
