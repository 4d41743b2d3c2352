package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// The broker changes no object that is there, and what deletes one loses what is in it or on its way. So the steps empty
// a queue before they delete it, and they delete it in a way that fails where something is in it.

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
	switch e.Name {
	case wire.DeadLetterExchange, wire.RetryExchange, wire.ScheduleExchange:
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

// roles says what queues of a topology are for.
type roles map[string]string // a .dlq or .parked queue, by its name: the queue that it belongs to

func rolesOf(t *topology.Topology) roles {
	r := make(roles)
	for _, q := range t.Queues {
		r[wire.DeadLetterQueue(q.Name)] = q.Name
		r[wire.ParkedQueue(q.Name)] = q.Name
	}
	return r
}

// queueSteps are for a queue that is there with other settings.
func (r roles) queueSteps(q topology.Queue) []string {
	owner, setAside := r[q.Name]
	switch target := q.Arguments["x-dead-letter-exchange"]; {
	case target == wire.ScheduleExchange || q.Name == wire.ScheduleDueQueue:
		return scheduleSteps(q.Name)
	case target == wire.RetryExchange:
		return rungSteps(q)
	case setAside:
		return setAsideSteps(q.Name, owner)
	}
	return workSteps(q.Name)
}

// workSteps are for a queue of work.
func workSteps(queue string) []string {
	hold := queue + ".hold"
	return slices.Concat([]string{
		"Where the broker is right and an option of flow.go says so (Classic, TTL, MaxLength, SingleActive, or External where " +
			"another service declares the queue), take that option and generate again. That is all.",
		fmt.Sprintf("Where the flow is right, declare a durable queue %s and bind it as %s is bound, so that nothing that is "+
			"published meanwhile is lost.", hold, queue),
		fmt.Sprintf("Remove the bindings of %s, those to %s left out, and stop what publishes to it by its name.", queue,
			wire.RetryExchange),
		fmt.Sprintf("Let its consumers work until %s and the queues %s.retry.* are empty. Then stop them.", queue, queue),
	}, replaceSteps(queue), []string{
		fmt.Sprintf("Remove the bindings of %s, then move what it holds: acemq-gen replay -into %s %s. A message that came "+
			"between steps 2 and 3 is in both, under one id.", hold, queue, hold),
		"Delete it: rabbitmqctl delete_queue --if-empty " + hold,
	})
}

// replaceSteps are how an empty queue is declared in another way.
func replaceSteps(queue string) []string {
	return []string{
		"Delete it: rabbitmqctl delete_queue --if-empty --if-unused " + queue + " (it fails where something is in it).",
		"Deploy the service: it declares the queue as the flow says.",
	}
}

// setAsideSteps are for a .dlq or .parked queue, whose arguments the contract gives.
func setAsideSteps(queue, owner string) []string {
	return slices.Concat([]string{
		"Find out what declared it in another way: every AceMQ library declares it without arguments.",
		fmt.Sprintf("Put its messages back with acemq-gen replay %s, or, to keep them as they are, move them into a queue of "+
			"yours: acemq-gen replay -keep-attempts -into QUEUE %s.", queue, queue),
		fmt.Sprintf("Stop the consumers of %s, so that nothing more comes, and see that %s is empty.", owner, queue),
	}, replaceSteps(queue))
}

// rungSteps are for a queue in which messages wait for their next attempt.
func rungSteps(q topology.Queue) []string {
	owner, _, _ := strings.Cut(q.Name, ".retry.")
	return slices.Concat([]string{
		"Find out what declared it in another way: its name says its delay, in every AceMQ library.",
		fmt.Sprintf("Stop the consumers of %s, so that nothing more comes.", owner),
		fmt.Sprintf("Wait until %s is empty: its messages go home to %s when their delay is over. Where they do not, move "+
			"them: acemq-gen replay -keep-attempts -into %s %s", q.Name, owner, owner, q.Name),
	}, replaceSteps(q.Name))
}

// scheduleSteps are for a queue of the scheduler.
func scheduleSteps(queue string) []string {
	return slices.Concat([]string{
		"Find out what declared it in another way: all services of a virtual host share it.",
		"Stop what publishes with a delay, and let the schedulers run until the queues " + wire.ScheduleExchange +
			".* are empty. Then stop the schedulers.",
	}, replaceSteps(queue))
}
