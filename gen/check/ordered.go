package check

import (
	"math"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// ordered checks every ordered queue.
func (c *checker) ordered() {
	taken := map[string]consumer{}
	for _, consumer := range c.consumers {
		taken[consumer.queue.Broker] = consumer
	}
	for i := range c.flow.Ordered {
		o := &c.flow.Ordered[i]
		c.written(o.Options)
		c.brokerName(o.BrokerPos, "ordered queue", o.Broker, false)
		c.failure(o)
		if exchange := o.PartitionedBy().PartitionExchange(o.Broker); exchange != "" {
			c.ownExchange(ownExchange{o.Decl, o.BrokerPos, "the ordered queue", exchange})
		}
		c.partitions(o)
		c.partitionQueues(o, taken)
	}
}

// partitions checks the number of partitions.
func (c *checker) partitions(o *model.Ordered) {
	switch n := o.Partitions; {
	case wire.CheckPartitions(n) != nil:
		c.report(diag.OutOfRange, o.PartitionsPos, "8 is a good number for a start",
			"%s has %d partitions, and has to have from 1 to %d", o.Name, n, wire.MaxPartitions)
	case !wire.PartitionsAgree(n) && o.Partitioner == nil:
		c.report(diag.PartitionCount, o.PartitionsPos,
			"use a power of two, or say with flow.PartitionedAs whose way of counting it is",
			"with %d partitions, libraries in other languages take about half of all keys to another partition: they "+
				"agree on powers of two alone, and this flow counts as .NET does", n)
	}
}

// partitionsOf returns the partitions of an ordered queue as the queues that they are: none where they have no names, or
// where there are too many.
func partitionsOf(o *model.Ordered) []consumer {
	if o.Broker == "" || o.Broker == model.Unread || wire.CheckPartitions(o.Partitions) != nil {
		return nil
	}
	all := make([]consumer, o.Partitions)
	for i := range all {
		all[i] = consumer{Decl: o.Decl, queue: &model.Queue{Broker: o.Queue(i), BrokerPos: o.BrokerPos}}
	}
	return all
}

// partitionQueues finds partitions that are queues of something else.
func (c *checker) partitionQueues(o *model.Ordered, taken map[string]consumer) {
	clashed := false
	for _, partition := range partitionsOf(o) {
		name := partition.queue.Broker
		if other, is := taken[name]; is && !clashed {
			clashed = true
			c.report(diag.OrderedTwice, o.BrokerPos, "rename one of them",
				"the partition %q of %s is also the queue of %s: the order would be lost", name, o.Name, other.title()).
				Relate(other.queue.BrokerPos, "declared here")
		}
		taken[name] = partition
	}
}

// failure checks what is done with a message that fails.
func (c *checker) failure(o *model.Ordered) {
	f := o.Failure
	switch {
	case f.Mode == "":
	case f.Attempts < 1 || f.Attempts > math.MaxInt32:
		c.report(diag.OutOfRange, f.Pos, "",
			"flow.OnFailure has %d attempts, and has to have %s", f.Attempts, span(1, math.MaxInt32))
	case f.Delay < 0:
		c.report(diag.BadDuration, f.Pos, "write a time", "flow.OnFailure waits %v between its attempts", f.Delay)
	case f.Delay == 0 && (f.Attempts > 1 || f.Mode == "RetryInPlace"):
		c.report(diag.BadDuration, f.Pos, "write 1 ms or more",
			"flow.OnFailure waits no time between its attempts: what fails once would fail again at once")
	}
}
