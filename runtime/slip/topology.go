package slip

import "github.com/acemq/acemq-gen/runtime/topology"

// Topology returns the queue of each stop with what belongs to it, and the binding that its address needs. The
// exchanges are declared elsewhere: merge it with the topology that has them.
func (d *Declaration) Topology() *topology.Topology {
	t := topology.New()
	for _, stop := range d.Stops {
		queue := d.QueueFor(stop.Name)
		t.Queue(queue, topology.Retry(stop.Queue.Retry))
		if stop.Exchange != "" {
			t.Bind(queue, stop.Exchange, stop.Key)
		}
	}
	return t
}
