package plan

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/schedule"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// TestDifference reads the words of RabbitMQ 3.10, 4.0 and 4.3, which are the same.
func TestDifference(t *testing.T) {
	tests := []struct {
		reason string
		want   *Difference
	}{
		{"PRECONDITION_FAILED - inequivalent arg 'x-queue-type' for queue 'stock' in vhost '/': received the value 'quorum' " +
			"of type 'longstr' but current is none", &Difference{"x-queue-type", "quorum", "classic"}},
		{"PRECONDITION_FAILED - inequivalent arg 'x-queue-type' for queue 'stock' in vhost '/': received none but current is " +
			"the value 'quorum' of type 'longstr'", &Difference{"x-queue-type", "classic", "quorum"}},
		{"PRECONDITION_FAILED - inequivalent arg 'x-message-ttl' for queue 'a' in vhost '/': received the value '30000' of " +
			"type 'signedint' but current is the value '29000' of type 'signedint'",
			&Difference{"x-message-ttl", "30000", "29000"}},
		{"PRECONDITION_FAILED - inequivalent arg 'durable' for queue 'a' in vhost '/': received 'true' but current is 'false'",
			&Difference{"durable", "true", "false"}},
		{"PRECONDITION_FAILED - inequivalent arg 'type' for exchange 'it's' in vhost 'a: b': received 'topic' but current is " +
			"'direct'", &Difference{"type", "topic", "direct"}},
		{"PRECONDITION_FAILED - something else", nil},
		{"", nil},
	}
	for _, test := range tests {
		got := difference(test.reason)
		if (got == nil) != (test.want == nil) || got != nil && *got != *test.want {
			t.Errorf("%s\nis read as %+v, want %+v", test.reason, got, test.want)
		}
	}
}

func TestText(t *testing.T) {
	declared := topology.New().
		Exchange("events", topology.Topic).ExternalExchange("upstream", topology.Topic).
		Queue("work", topology.Classic()).
		Bind("work", "events", "a.*").Sort()
	found := Found{Broker: "localhost:5672", VHost: "shop",
		Exchanges: []Answer{{Standing: Same}, {Standing: Other, Reason: "PRECONDITION_FAILED - inequivalent arg 'type' for " +
			"exchange 'events' in vhost 'shop': received 'topic' but current is 'direct'"}, {Standing: Absent}},
		Queues:   []Answer{{Standing: Refused, Reason: "RESOURCE_LOCKED - held"}, {Standing: Missing}, {Standing: Same}},
		Bindings: []Answer{{}, {Standing: Missing}, {Standing: Same}},
	}
	const want = `keep      exchange acemq.dlx: direct exchange
conflict  exchange events: topic exchange
          the flow declares type topic, and the broker has direct; it names the first difference alone
          1. Where the broker is right, declare the exchange in flow.go as the broker has it, and generate again. That is all.
          2. Where the flow is right, give the exchange another name in flow.go and generate again: nothing that runs is touched.
          3. Deploy the services that consume. Declare binds their queues to the exchange of the other name, and leaves their bindings to events.
          4. Deploy the services that publish.
          5. When nothing publishes to events any more, delete it.
conflict  exchange upstream: external topic exchange
          it is external, and not there
          1. Let its owner declare it, before this service is deployed.
          2. Where this service is its owner, take flow.External() out of flow.go and generate again.
conflict  queue work: classic queue, x-dead-letter-exchange acemq.dlx, x-dead-letter-routing-key work.dlq
          RESOURCE_LOCKED - held
          1. Solve what the broker says: give the user the right to configure it, or end the connection that holds it.
          2. Run acemq-gen plan again.
create    queue work.dlq: classic queue
keep      queue work.parked: classic queue
unknown   binding of queue work to exchange events with key "a.*"
create    binding of queue work.dlq to exchange acemq.dlx with key "work.dlq"
keep      binding of queue work.parked to exchange acemq.dlx with key "work.parked"

2 create, 3 keep, 3 conflict, 1 unknown at localhost:5672, virtual host shop
AMQP does not show bindings, so it is unknown whether some are there. Declare binds what is not bound, and conflicts
with nothing there. To see them, say -management.
`
	var got strings.Builder
	if err := Of(declared, found).WriteText(&got); err != nil || got.String() != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, &got, want)
	}
}

// TestSteps holds that each kind of object has the steps of its own: a queue is emptied before it is deleted, and deleted
// in a way that fails where something is in it.
func TestSteps(t *testing.T) {
	declared := schedule.Topology().Merge(
		topology.New().Queue("work", topology.Retry(wire.Fixed(2, time.Minute))).Exchange("events", topology.Topic))
	tests := []struct {
		object string
		says   []string // in this order
	}{
		{"exchange events", []string{"flow.go", "consume", "publish", "delete it"}},
		{"exchange acemq.dlx", []string{"direct in every AceMQ library", "Stop the services", "empty", "Delete", "Start"}},
		{"exchange acemq.retry", []string{"Stop the services", "*.retry.*", "Delete", "Start"}},
		{"queue work", []string{"work.hold", "Remove the bindings of work,", "work.retry.* are empty",
			"delete_queue --vhost shop --if-empty --if-unused work,", "declares the queue", "replay -into work work.hold",
			"--if-empty --if-unused work.hold,"}},
		{"queue work.dlq", []string{"consumers of work,", "acemq-gen replay work.dlq", "--if-empty --if-unused work.dlq,"}},
		{"queue work.parked", []string{"consumers of work,", "acemq-gen replay work.parked", "--if-empty --if-unused work.parked,"}},
		{"queue work.retry.1m", []string{"consumers of work,", "until work.retry.1m is empty", "-into work work.retry.1m",
			"--if-empty --if-unused work.retry.1m,"}},
		{"queue acemq.schedule.due", []string{"schedulers", "--if-empty --if-unused acemq.schedule.due,"}},
		{"queue acemq.schedule.10s", []string{"schedulers", "--if-empty --if-unused acemq.schedule.10s,"}},
	}
	conflicts := Found{
		VHost:     "shop",
		Exchanges: make([]Answer, len(declared.Exchanges)),
		Queues:    make([]Answer, len(declared.Queues)),
		Bindings:  make([]Answer, len(declared.Bindings)),
	}
	for _, answers := range [][]Answer{conflicts.Exchanges, conflicts.Queues} {
		for i := range answers {
			answers[i].Standing = Other
		}
	}
	steps := map[string]string{}
	for _, o := range Of(declared, conflicts).Objects {
		steps[o.Object] = strings.Join(o.Steps, "\n")
	}
	for _, test := range tests {
		rest := steps[test.object]
		for _, words := range test.says {
			_, after, found := strings.Cut(rest, words)
			if !found {
				t.Errorf("the steps for %s do not say %q in its place:\n%s", test.object, words, steps[test.object])
				break
			}
			rest = after
		}
	}
}

// A flow may declare nothing, as one with nothing but a saga does.
func TestNothing(t *testing.T) {
	p := Of(topology.New(), Found{Broker: "localhost:5672", VHost: "/"})
	var text, object strings.Builder
	if err := errors.Join(p.WriteText(&text), p.WriteJSON(&object)); err != nil {
		t.Fatal(err)
	}
	if want := "\nnothing to declare at localhost:5672, virtual host /\n"; text.String() != want {
		t.Errorf("got %q, want %q", &text, want)
	}
	if !strings.Contains(object.String(), `"objects": []`) {
		t.Errorf("the plan is %s", &object)
	}
}
