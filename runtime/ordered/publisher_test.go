package ordered

import (
	"errors"
	"fmt"
	"testing"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

func TestPublish(t *testing.T) {
	for _, p := range []wire.Partitioner{wire.DotNet, wire.Java, wire.Unsigned} {
		t.Run(p.String(), func(t *testing.T) {
			ledger := Declaration{Name: "ledger", Partitions: 3, Partitioner: p}
			bubble(t, ledger, func(r *rig) {
				sent := make(map[int]int) // by partition
				for i := range 30 {
					account := fmt.Sprintf("acct-%d", i)
					partition := r.send(account, 1, 2)
					if want := ledger.Partition(account); partition != want {
						r.Errorf("%s went to partition %d, want %d", account, partition, want)
					}
					sent[partition] += 2
				}
				for i := range ledger.Partitions {
					r.depth(ledger.Queue(i), sent[i], 0)
				}
				m := r.server.Peek(ledger.Queue(0))[0]
				if m.Headers[wire.HeaderType] != "ledger.entry" {
					r.Errorf("the type is %v", m.Headers[wire.HeaderType])
				}
			})
		})
	}
}

func TestPublishTypeIsTheQueueWhereNoneIsSaid(t *testing.T) {
	bubble(t, one, func(r *rig) {
		p := NewPublisher(r.conn, Route[entry]{Declaration: one, Key: entry.key})
		if _, err := p.Publish(r.Context(), entry{"acct-7", 1}); err != nil {
			r.Fatal(err)
		}
		if kind := r.server.Peek("ledger.0")[0].Headers[wire.HeaderType]; kind != "ledger.0" {
			r.Errorf("the type is %v", kind)
		}
	})
}

func TestPublishOutcomes(t *testing.T) {
	bubble(t, one, func(r *rig) {
		for name, route := range map[string]Route[entry]{
			"no partitions": {Declaration: Declaration{Name: "ledger"}, Key: entry.key},
			"no key":        {Declaration: one},
		} {
			_, err := NewPublisher(r.conn, route).Publish(r.Context(), entry{})
			if refused := new(acemq.RefusedError); !errors.As(err, &refused) {
				r.Errorf("%s: %v, want it refused", name, err)
			}
		}
		missing := route(Declaration{Name: "missing", Partitions: 8})
		partition, err := NewPublisher(r.conn, missing).Publish(r.Context(), entry{"acct-7", 1})
		if unroutable := new(acemq.UnroutableError); !errors.As(err, &unroutable) || partition != 6 {
			r.Errorf("partition %d of a queue that is not there: %v", partition, err)
		}
	})
}
