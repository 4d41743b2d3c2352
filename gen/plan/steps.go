package plan

import (
	"fmt"
	"slices"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// The broker changes no object that is there, and what deletes one loses what is in it or on its way. So the steps empty
// a queue before they delete it, and where the broker can, they delete it in a way that fails while something is in it.

// absentSteps are for something external that is not there.
var absentSteps = []string{
	"Let its owner declare it, before this service is deployed.",
	"Where this service is its owner, take flow.External() out of flow.go and generate again.",
}

// refusedSteps are for what the broker refuses without comparing settings.
var refusedSteps = []string{
	"Solve what the broker says: give the user the right to configure it, or end the connection that holds it.",
	"Run acemq-gen plan again.",
}

// exchangeSteps are for an exchange that is there with other settings.
func exchangeSteps(e topology.Exchange) []string {
	if wire.IsShared(e.Name) {
		return sharedExchangeSteps(e.Name)
	}
	return []string{
		"Where the broker is right, declare the exchange in flow.go as the broker has it, and generate again. " +
			"That is all.",
		"Where the flow is right, give the exchange another name in flow.go and generate again: nothing that runs is touched.",
		"Deploy the services that consume. Declare binds their queues to the exchange of the other name, and leaves their " +
			"bindings to " + e.Name + ".",
		"Deploy the services that publish.",
		"When nothing publishes to " + e.Name + " any more, delete it.",
	}
}

// sharedExchangeSteps are for an exchange whose name and type the contract gives.
func sharedExchangeSteps(name string) []string {
	return []string{
		fmt.Sprintf("The exchange %s is direct in every AceMQ library, so find out what declared it in another way, and stop "+
			"that.", name),
		"Stop the services that use this virtual host.",
		"Wait until the queues that dead-letter to " + name + " are empty: what expires while it is away is lost. They are " +
			"those named *.retry.* and " + wire.ScheduleExchange + ".*.",
		"Delete the exchange. The queues stay, with what is in them; their bindings to it go.",
		"Start the services: they declare the exchange and the bindings.",
	}
}

// guide knows the steps for the queues of a topology in a virtual host.
type guide struct {
	vhost  string
	owners map[string]string // of each .dlq and .parked queue, the queue that it belongs to
}

func guideTo(vhost string, t *topology.Topology) guide {
	g := guide{vhost, make(map[string]string)}
	for _, q := range t.Queues {
		g.owners[wire.DeadLetterQueue(q.Name)] = q.Name
		g.owners[wire.ParkedQueue(q.Name)] = q.Name
	}
	return g
}

// steps are for a queue that is there with other settings.
func (g guide) steps(q topology.Queue) []string {
	owner, setAside := g.owners[q.Name]
	switch target := q.Arguments["x-dead-letter-exchange"]; {
	case target == wire.ScheduleExchange || q.Name == wire.ScheduleDueQueue:
		return g.schedule(q.Name)
	case target == wire.RetryExchange:
		return g.rung(q)
	case setAside:
		return g.setAside(q.Name, owner)
	}
	return g.work(q.Name)
}

// work is for a queue of work.
func (g guide) work(queue string) []string {
	hold := queue + ".hold"
	return slices.Concat([]string{
		"Where the broker is right and an option of flow.go says so (Classic, TTL, MaxLength, SingleActive, or External where " +
			"another service declares the queue), take that option and generate again. That is all.",
		fmt.Sprintf("Where the flow is right, declare a durable queue %s and bind it as %s is bound, so that nothing that is "+
			"published meanwhile is lost.", hold, queue),
		fmt.Sprintf("Remove the bindings of %s, those to %s left out, and stop what publishes to it by its name.", queue,
			wire.RetryExchange),
		fmt.Sprintf("Let its consumers work until %s and the queues %s.retry.* are empty. Then stop them.", queue, queue),
	}, g.replace(queue), []string{
		fmt.Sprintf("Remove the bindings of %s, then move what it holds: acemq-gen replay -into %s %s. A message that came "+
			"while both were bound is in both, under one id.", hold, queue, hold),
		g.delete(hold),
	})
}

// replace is for an empty queue that is to be declared in another way.
func (g guide) replace(queue string) []string {
	return []string{g.delete(queue), "Deploy the service: it declares the queue as the flow says."}
}

// delete is for an empty queue.
func (g guide) delete(queue string) string {
	return fmt.Sprintf("Delete %s: rabbitmqctl delete_queue --vhost %s --if-empty --if-unused %s, which fails where something is "+
		"in it. A quorum queue takes neither flag: see with list_queues that it has no messages, and leave them out.", queue,
		g.vhost, queue)
}

// setAside is for a .dlq or .parked queue, whose arguments the contract gives.
func (g guide) setAside(queue, owner string) []string {
	return slices.Concat([]string{
		"Find out what declared it in another way: every AceMQ library declares it without arguments.",
		fmt.Sprintf("Stop the consumers of %s, so that nothing more comes.", owner),
		fmt.Sprintf("Put its messages back with acemq-gen replay %s, or, to keep them as they are, move them into a queue of "+
			"yours: acemq-gen replay -keep-attempts -into QUEUE %s.", queue, queue),
	}, g.replace(queue))
}

// rung is for a queue in which messages wait for their next attempt.
func (g guide) rung(q topology.Queue) []string {
	owner := q.Arguments["x-dead-letter-routing-key"]
	return slices.Concat([]string{
		"Find out what declared it in another way: its name says its delay, in every AceMQ library.",
		fmt.Sprintf("Stop the consumers of %s, so that nothing more comes.", owner),
		fmt.Sprintf("Wait until %s is empty: its messages go home to %s when their delay is over. Where they do not, move "+
			"them: acemq-gen replay -keep-attempts -into %s %s", q.Name, owner, owner, q.Name),
	}, g.replace(q.Name))
}

// schedule is for a queue of the scheduler.
func (g guide) schedule(queue string) []string {
	return slices.Concat([]string{
		"Find out what declared it in another way: all services of a virtual host share it.",
		"Stop what publishes with a delay, and let the schedulers run until the queues " + wire.ScheduleExchange +
			".* are empty. Then stop the schedulers.",
	}, g.replace(queue))
}
