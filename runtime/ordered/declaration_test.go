package ordered

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// What an ordered queue is on a broker (contract: ordered by key, topology).
func TestTopology(t *testing.T) {
	quorum := wire.Table{"x-queue-type": "quorum"}
	alone := wire.Table{"x-queue-type": "quorum", "x-single-active-consumer": true}
	bindings := []topology.Binding{
		{Queue: "ledger.p0", Exchange: "ledger", Key: "p0"},
		{Queue: "ledger.p1", Exchange: "ledger", Key: "p1"},
	}
	for _, c := range []struct {
		name        string
		declaration Declaration
		exchange    string
		arguments   wire.Table
		queues      []string
		bindings    []topology.Binding
	}{
		{"as .NET does", Declaration{}, "", quorum, []string{"ledger.0", "ledger.1"}, nil},
		{"as Java does", Declaration{Partitioner: wire.Java}, "ledger", quorum, []string{"ledger.p0", "ledger.p1"}, bindings},
		{"as the others do", Declaration{Partitioner: wire.Unsigned}, "", quorum, []string{"ledger.0", "ledger.1"}, nil},
		{"one consumer at a time", Declaration{SingleActive: true}, "", alone, []string{"ledger.0", "ledger.1"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := c.declaration
			d.Name, d.Partitions = "ledger", 2
			got := d.Topology()
			if err := got.Check(); err != nil {
				t.Fatal(err)
			}
			want := []topology.Exchange{{Name: "acemq.dlx", Kind: topology.Direct}}
			if c.exchange != "" {
				want = append([]topology.Exchange{{Name: c.exchange, Kind: topology.Direct}}, want...)
			}
			if !reflect.DeepEqual(got.Exchanges, want) {
				t.Errorf("the exchanges are %v, want %v", got.Exchanges, want)
			}
			for i, queue := range c.queues {
				want := []topology.Queue{
					{Name: queue, Arguments: c.arguments},
					{Name: queue + ".dlq", Arguments: wire.Table{}},
					{Name: queue + ".parked", Arguments: wire.Table{}},
				}
				if i := 3 * i; !reflect.DeepEqual(got.Queues[i:i+3], want) {
					t.Errorf("the queues are %v, want %v", got.Queues[i:i+3], want)
				}
			}
			var own []topology.Binding
			for _, b := range got.Bindings {
				if b.Exchange != wire.DeadLetterExchange {
					own = append(own, b)
				}
			}
			if !reflect.DeepEqual(own, c.bindings) {
				t.Errorf("the bindings are %v, want %v", own, c.bindings)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		fault  string // part of the error; empty: there is none
		change func(*Declaration)
	}{
		{"", func(*Declaration) {}},
		{"no name", func(d *Declaration) { d.Name = "" }},
		{"0 partitions", func(d *Declaration) { d.Partitions = 0 }},
		{"1025 partitions", func(d *Declaration) { d.Partitions = 1025 }},
		{"Partitioner(3)", func(d *Declaration) { d.Partitioner = 3 }},
		{"FailureMode(-1)", func(d *Declaration) { d.OnFailure = -1 }},
		{"-1 attempts", func(d *Declaration) { d.Attempts = -1 }},
		{"delay of -1s", func(d *Declaration) { d.Delay = -time.Second }},
		{"lease of -1s", func(d *Declaration) { d.Idempotent = -time.Second }},
	} {
		d := Declaration{Name: "ledger", Partitions: 8}
		c.change(&d)
		switch err := d.Check(); {
		case c.fault == "" && err != nil, c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%+v is found to have the fault %v, want %q", d, err, c.fault)
		}
	}
}
