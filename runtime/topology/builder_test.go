package topology

import (
	"reflect"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// TestContractTopology is the "topology" part of the contract's fixtures.
func TestContractTopology(t *testing.T) {
	got := New().
		Exchange("orders", Topic).
		Queue("orders.new", Retry(wire.Exponential(6, 10*time.Second, 5*time.Minute))).
		Bind("orders.new", "orders", "order.*")
	rung := func(name string, ms int64) Queue {
		return Queue{Name: name, Arguments: wire.Table{
			"x-message-ttl": ms, "x-dead-letter-exchange": "acemq.retry", "x-dead-letter-routing-key": "orders.new",
		}}
	}
	want := &Topology{
		Exchanges: []Exchange{
			{Name: "orders", Kind: Topic},
			{Name: "acemq.dlx", Kind: Direct},
			{Name: "acemq.retry", Kind: Direct},
		},
		Queues: []Queue{
			{Name: "orders.new", Arguments: wire.Table{
				"x-queue-type":              "quorum",
				"x-dead-letter-exchange":    "acemq.dlx",
				"x-dead-letter-routing-key": "orders.new.dlq",
			}},
			{Name: "orders.new.dlq", Arguments: wire.Table{}},
			{Name: "orders.new.parked", Arguments: wire.Table{}},
			rung("orders.new.retry.40s", 40_000),
			rung("orders.new.retry.80s", 80_000),
			rung("orders.new.retry.160s", 160_000),
		},
		Bindings: []Binding{
			{Queue: "orders.new.dlq", Exchange: "acemq.dlx", Key: "orders.new.dlq"},
			{Queue: "orders.new.parked", Exchange: "acemq.dlx", Key: "orders.new.parked"},
			{Queue: "orders.new", Exchange: "acemq.retry", Key: "orders.new"},
			{Queue: "orders.new", Exchange: "orders", Key: "order.*"},
		},
	}
	expect(t, got, want)
}

// TestSetAside holds that a consumer declares all of the contract's topology but the source queue, the exchange it is
// bound to, and that binding.
func TestSetAside(t *testing.T) {
	long := wire.Exponential(6, 10*time.Second, 5*time.Minute)
	tests := []struct {
		name  string
		retry wire.Retry
		want  *Topology
	}{
		{"without a policy", wire.Retry{}, New().ExternalQueue("q")},
		{"without retries", wire.NoRetry(), New().ExternalQueue("q")},
		{"with waits in the consumer", wire.Exponential(5, time.Second, time.Minute), New().ExternalQueue("q")},
		{"with waits in the broker", long, New().ExternalQueue("q").Merge(&Topology{
			Exchanges: []Exchange{{Name: "acemq.retry", Kind: Direct}},
			Queues: []Queue{
				{Name: "q.retry.40s", Arguments: wire.RungArguments("q", 40*time.Second)},
				{Name: "q.retry.80s", Arguments: wire.RungArguments("q", 80*time.Second)},
				{Name: "q.retry.160s", Arguments: wire.RungArguments("q", 160*time.Second)},
			},
			Bindings: []Binding{{Queue: "q", Exchange: "acemq.retry", Key: "q"}},
		})},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { expect(t, SetAside("q", test.retry), test.want) })
	}
	expect(t, SetAside("q", wire.NoRetry()), &Topology{
		Exchanges: []Exchange{{Name: "acemq.dlx", Kind: Direct}},
		Queues: []Queue{
			{Name: "q", External: true},
			{Name: "q.dlq", Arguments: wire.Table{}},
			{Name: "q.parked", Arguments: wire.Table{}},
		},
		Bindings: []Binding{
			{Queue: "q.dlq", Exchange: "acemq.dlx", Key: "q.dlq"},
			{Queue: "q.parked", Exchange: "acemq.dlx", Key: "q.parked"},
		},
	})
}

// TestConsumerAddsNothing holds that a topology has already what its consumer declares when it starts, argument for
// argument, so that both may be declared in any order.
func TestConsumerAddsNothing(t *testing.T) {
	retry := wire.Fixed(3, 30*time.Second)
	for name, owner := range map[string]*Topology{
		"quorum":  New().Queue("q", Retry(retry)),
		"bare":    New().Queue("q", Retry(retry), Bare()),
		"classic": New().Queue("q", Retry(retry), Classic(), TTL(time.Second), MaxLength(9), SingleActive()),
	} {
		t.Run(name, func(t *testing.T) {
			expect(t, New().Merge(owner, SetAside("q", retry)), owner)
			if diff := Compare(New().Merge(SetAside("q", retry), owner), owner); diff != nil {
				t.Errorf("in the other order: %v", diff)
			}
		})
	}
}

// TestQueueTypes is the "queueTypeDefaults" part of the contract's fixtures.
func TestQueueTypes(t *testing.T) {
	retry := Retry(wire.Fixed(2, time.Minute))
	quorum, classic := New().Queue("q", retry), New().Queue("q", retry, Classic())
	tests := []struct {
		of    string
		queue Queue
		want  string
	}{
		{"source queue with dead letters", quorum.Queues[0], "quorum"},
		{"explicitly classic queue with dead letters", classic.Queues[0], "classic"},
		{"dead letter queue", quorum.Queues[1], "classic"},
		{"parked queue", quorum.Queues[2], "classic"},
		{"rung", quorum.Queues[3], "classic"},
	}
	for _, test := range tests {
		if got := test.queue.Type(); got != test.want {
			t.Errorf("the %s is %s, want %s", test.of, got, test.want)
		}
		if _, said := test.queue.Arguments["x-queue-type"]; said != (test.want == "quorum") {
			t.Errorf("the %s says its type: %v", test.of, said)
		}
	}
}

func TestQueueOptions(t *testing.T) {
	deadLetter := func(more wire.Table) wire.Table {
		more["x-dead-letter-exchange"] = "acemq.dlx"
		more["x-dead-letter-routing-key"] = "q.dlq"
		return more
	}
	tests := []struct {
		name    string
		options []QueueOption
		want    wire.Table
	}{
		{"none", nil, deadLetter(wire.Table{"x-queue-type": "quorum"})},
		{"classic", []QueueOption{Classic()}, deadLetter(wire.Table{})},
		{"bare", []QueueOption{Bare()}, wire.Table{"x-queue-type": "quorum"}},
		{"bare and single", []QueueOption{Bare(), SingleActive()},
			wire.Table{"x-queue-type": "quorum", "x-single-active-consumer": true}},
		{"ttl", []QueueOption{Classic(), TTL(90 * time.Second)},
			deadLetter(wire.Table{"x-message-ttl": int64(90_000)})},
		{"longest ttl", []QueueOption{Classic(), TTL(wire.MaxTTL)},
			deadLetter(wire.Table{"x-message-ttl": int64(1<<32 - 1)})},
		{"length", []QueueOption{Classic(), MaxLength(7)}, deadLetter(wire.Table{"x-max-length": int64(7)})},
		{"single", []QueueOption{Classic(), SingleActive()}, deadLetter(wire.Table{"x-single-active-consumer": true})},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			built := New().Queue("q", test.options...)
			if err := built.Check(); err != nil {
				t.Fatal(err)
			}
			if got := built.Queues[0].Arguments; !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestRepeatsAreKeptOnce(t *testing.T) {
	once := func() *Topology {
		return New().Exchange("e", Fanout).Queue("q").Bind("q", "e").ExternalExchange("amq.topic", Topic)
	}
	expect(t, once().Merge(once(), once()), once())
	expect(t, once().Exchange("e", Fanout).Queue("q").Bind("q", "e", "", ""), once())
}

// TestDeclaredWinsOverExternal holds that what one part of a service owns may be external in another.
func TestDeclaredWinsOverExternal(t *testing.T) {
	owner := func() *Topology { return New().Exchange("e", Topic).Queue("q") }
	user := func() *Topology { return New().ExternalExchange("e", Topic).ExternalQueue("q") }
	expect(t, owner().Merge(user()), owner())
	if diff := Compare(user().Merge(owner()), owner()); diff != nil {
		t.Error(diff)
	}
}

// expect compares two topologies, order and all, and holds that the first can be declared.
func expect(t *testing.T, got, want *Topology) {
	t.Helper()
	if err := got.Check(); err != nil {
		t.Errorf("Check: %v", err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
