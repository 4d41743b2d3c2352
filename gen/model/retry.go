package model

import "github.com/acemq/acemq-gen/runtime/wire"

// Wire returns the policy as the runtime knows it, unchecked.
func (r *Retry) Wire() wire.Retry {
	var policy wire.Retry
	switch r.Constructor {
	case "Fixed":
		policy = wire.Fixed(r.Attempts, r.Initial)
	case "Exponential":
		policy = wire.Exponential(r.Attempts, r.Initial, r.Limit)
	default:
		policy = wire.NoRetry()
	}
	if r.GiveUpAfter != nil {
		policy = policy.GiveUpAfter(*r.GiveUpAfter)
	}
	if r.BrokerFrom != nil {
		policy = policy.WaitInBrokerFrom(*r.BrokerFrom)
	}
	if r.Jitter != nil {
		policy = policy.Jitter(*r.Jitter)
	}
	return policy
}
