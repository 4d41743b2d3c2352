package blueprint

import (
	"strings"
	"testing"

	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/schedule"
	"github.com/acemq/acemq-gen/runtime/topology"
)

func consuming(queue string) *model.Flow {
	return &model.Flow{Consumes: []model.Consume{{
		Decl: model.Decl{Name: "Work"}, Queue: model.Queue{Broker: queue},
	}}}
}

// What schedulers share is declared where something is scheduled, by its publisher and not by Declare.
func TestSchedule(t *testing.T) {
	flow := consuming("work")
	plain, err := Of(flow)
	if err != nil {
		t.Fatal(err)
	}
	if differences := topology.Compare(plain, Declared(flow)); differences != nil {
		t.Errorf("without a schedule there is more than is declared: %v", differences)
	}
	flow.Publishes = []model.Publish{{Schedulable: true}}
	scheduled, err := Of(flow)
	if err != nil {
		t.Fatal(err)
	}
	if differences := topology.Compare(scheduled, plain.Merge(schedule.Topology())); differences != nil {
		t.Errorf("with a schedule: %v", differences)
	}
}

// Two flows may share a queue that both declare alike, and that one declares and the other says is external.
func TestTogether(t *testing.T) {
	external, classic := consuming("work"), consuming("work")
	external.Consumes[0].Queue.External = true
	classic.Consumes[0].Queue.Classic = true
	for _, flows := range [][]*model.Flow{
		{consuming("work"), consuming("work")},
		{consuming("work"), external},
		{external, classic},
	} {
		if _, err := Of(flows...); err != nil {
			t.Error(err)
		}
	}
	_, err := Of(consuming("work"), external, classic)
	if err == nil || !strings.Contains(err.Error(), `queue "work" is declared twice`) {
		t.Errorf("a quorum queue and a classic one of the same name: %v", err)
	}
}
