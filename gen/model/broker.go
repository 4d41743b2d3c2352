package model

import (
	"cmp"
	"slices"
)

// WorkQueue is a queue of a consumer, a dispatcher or a request as it is on the broker, whoever declares it.
type WorkQueue struct {
	Queue
	Settings string // the expression for its consumer's settings in generated code: "billingQueue", "quotesRequest.Queue"
}

// BrokerExchanges returns each exchange once, by its name on the broker.
func (f *Flow) BrokerExchanges() []Exchange {
	exchanges := slices.Clone(f.Exchanges)
	slices.SortStableFunc(exchanges, func(a, b Exchange) int { return cmp.Compare(a.Broker, b.Broker) })
	return slices.CompactFunc(exchanges, func(a, b Exchange) bool { return a.Broker == b.Broker })
}

// WorkQueues returns each queue of a consumer, a dispatcher or a request once, by its name on the broker, with the
// bindings of all its consumers. The queues of pipelines, slips and ordered queues are declared by those.
func (f *Flow) WorkQueues() []WorkQueue {
	var queues []WorkQueue
	for i := range f.Consumes {
		queues = append(queues, WorkQueue{f.Consumes[i].Queue, f.Consumes[i].Names().Queue})
	}
	for i := range f.Dispatches {
		queues = append(queues, WorkQueue{f.Dispatches[i].Queue, f.Dispatches[i].Names().Queue})
	}
	for i := range f.Requests {
		queues = append(queues, WorkQueue{f.Requests[i].Queue, f.Requests[i].Names().Declaration + ".Queue"})
	}
	slices.SortStableFunc(queues, func(a, b WorkQueue) int { return cmp.Compare(a.Broker, b.Broker) })
	var once []WorkQueue
	for _, q := range queues {
		bindings := q.Bindings
		if n := len(once); n == 0 || once[n-1].Broker != q.Broker {
			q.Bindings = nil
			once = append(once, q)
		}
		last := &once[len(once)-1]
		last.Bindings = distinctBindings(last.Bindings, bindings)
	}
	return once
}

// distinctBindings appends further bindings to bindings, but for those that are there.
func distinctBindings(bindings, further []Binding) []Binding {
	for _, b := range further {
		same := func(o Binding) bool {
			return o.Exchange.Name == b.Exchange.Name && slices.Equal(o.Keys, b.Keys)
		}
		if !slices.ContainsFunc(bindings, same) {
			bindings = append(bindings, b)
		}
	}
	return bindings
}
