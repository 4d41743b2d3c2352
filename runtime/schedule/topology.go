package schedule

import (
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Topology returns what all schedulers share: the exchange acemq.schedule, the rungs and the queue acemq.schedule.due
// (contract: scheduling, topology). [Run] declares it, and so do [After] and [At] before their first message on a
// connection.
func Topology() *topology.Topology {
	t := topology.New().Exchange(wire.ScheduleExchange, topology.Direct)
	add := func(queue string, arguments wire.Table) {
		t.Queues = append(t.Queues, topology.Queue{Name: queue, Arguments: arguments})
		t.Bind(queue, wire.ScheduleExchange, queue)
	}
	add(wire.ScheduleDueQueue, wire.Table{})
	for _, rung := range wire.ScheduleRungs() {
		add(wire.ScheduleQueue(rung), wire.ScheduleArguments(rung))
	}
	return t
}
