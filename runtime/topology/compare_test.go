package topology

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/wire"
)

func TestCompare(t *testing.T) {
	base := func() *Topology { return New().Exchange("e", Topic).Queue("q").Bind("q", "e", "a.*") }
	tests := []struct {
		name     string
		from, to *Topology
		want     []string
	}{
		{"equal", base(), base(), nil},
		{"another order", New().Queue("q").Exchange("e", Topic).Bind("q", "e", "a.*"), base(), nil},
		{"added binding", base(), base().Bind("q", "e", "b.*"),
			[]string{`binding of queue q to exchange e with key "b.*": + bound`}},
		{"removed exchange", base().Exchange("f", Fanout), base(), []string{"exchange f: - fanout exchange"}},
		{"another type", New().Exchange("e", Topic), New().Exchange("e", Direct),
			[]string{"exchange e: topic exchange -> direct exchange"}},
		{"another owner", New().ExternalExchange("e", Topic), New().Exchange("e", Topic),
			[]string{"exchange e: external topic exchange -> topic exchange"}},
		{"another limit", New().Queue("q", Classic()), New().Queue("q", Classic(), MaxLength(5)), []string{
			"queue q: classic queue, x-dead-letter-exchange acemq.dlx, x-dead-letter-routing-key q.dlq -> " +
				"classic queue, x-dead-letter-exchange acemq.dlx, x-dead-letter-routing-key q.dlq, x-max-length 5"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, difference := range Compare(test.from, test.to) {
				got = append(got, difference.String())
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// TestSortForgetsTheOrder holds that sorted topologies are equal where Compare finds no difference.
func TestSortForgetsTheOrder(t *testing.T) {
	retry := Retry(wire.Fixed(2, time.Minute))
	a := New().
		Exchange("b", Topic).Exchange("a", Fanout).
		Queue("q", retry).Queue("p").
		Bind("q", "b", "y", "x").Bind("p", "a")
	b := New().
		Queue("p").Bind("p", "a").
		Queue("q", retry).Bind("q", "b", "x").Bind("q", "b", "y").
		Exchange("a", Fanout).Exchange("b", Topic)
	if diff := Compare(a, b); diff != nil {
		t.Fatal(diff)
	}
	if reflect.DeepEqual(a, b) {
		t.Fatal("both were built in the same order, so the test shows nothing")
	}
	if !reflect.DeepEqual(a.Sort(), b.Sort()) {
		t.Errorf("got %+v\nand %+v", a, b)
	}
	if first := a.Bindings[0]; first.Queue != "p" || first.Exchange != "a" {
		t.Errorf("the first binding is %+v", first)
	}
}
