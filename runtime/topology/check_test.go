package topology

import (
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/wire"
)

func TestCheckReportsFaults(t *testing.T) {
	long := strings.Repeat("q", 256)
	tests := []struct {
		name  string
		built *Topology
		want  []string // a part of each line, in order
	}{
		{"bad policy", New().Queue("q", Retry(wire.Fixed(0, time.Second))), []string{`queue "q": retry: 0 attempts`}},
		{"fractional rung", New().Queue("q", Retry(wire.Fixed(2, 30500*time.Millisecond))),
			[]string{`queue "q": retry: a delay of 30.5s`}},
		{"bad policy of a consumer", SetAside("q", wire.Fixed(2, 0)), []string{`queue "q": retry: the delay is 0s`}},
		{"no TTL", New().Queue("q", TTL(0)), []string{`queue "q": a TTL of 0s`}},
		{"fractional TTL", New().Queue("q", TTL(1500*time.Microsecond)), []string{`a TTL of 1.5ms`}},
		{"long TTL", New().Queue("q", TTL(wire.MaxTTL+time.Millisecond)), []string{`a TTL of 1193h2m47.296s`}},
		{"no length", New().Queue("q", MaxLength(0)), []string{`queue "q": a maximum length of 0`}},
		{"options of an external queue", New().ExternalQueue("q", Classic()).ExternalQueue("r", TTL(time.Second)),
			[]string{`queue "q" is external`, `queue "r" is external`}},
		{"exchange of two types", New().Exchange("e", Topic).Exchange("e", Direct),
			[]string{`exchange "e" is declared twice`}},
		{"external exchange of another type", New().Exchange("e", Topic).ExternalExchange("e", Direct),
			[]string{`exchange "e" is declared twice`}},
		{"queue with two sets of arguments", New().Queue("q").Merge(New().Queue("q", Classic())),
			[]string{`queue "q" is declared twice`}},
		{"queue that is another's dead letters", New().Queue("q").Queue("q.dlq"),
			[]string{`queue "q.dlq" is declared twice`}},
		{"exchange of the contract", New().Exchange("acemq.retry", Topic),
			[]string{`exchange "acemq.retry" belongs to the contract`}},
		{"unknown type", New().Exchange("e", "x-delayed"), []string{`exchange "e" is of the type "x-delayed"`}},
		{"default exchange", New().Exchange("", Direct), []string{`the default exchange ""`}},
		{"reserved exchange", New().Exchange("amq.mine", Topic),
			[]string{`exchange "amq.mine": names with the prefix "amq."`}},
		{"reserved queue", New().Queue("amq.mine"),
			[]string{`queue "amq.mine"`, `queue "amq.mine.dlq"`, `queue "amq.mine.parked"`}},
		{"no exchange", New().Queue("q").Bind("q", "e"),
			[]string{`queue "q" is bound to exchange "e", which is not declared`}},
		{"no queue", New().Exchange("e", Topic).Bind("q", "e"),
			[]string{`exchange "e" is bound to queue "q", which is not declared`}},
		{"bound to the default exchange", New().Queue("q").Bind("q", "", "x"),
			[]string{`queue "q" is bound to the default exchange`}},
		{"no name", &Topology{Queues: []Queue{{}}}, []string{"a queue has no name"}},
		{"long exchange", New().Exchange(long, Topic), []string{"exchange has 256 bytes"}},
		{"long queue", &Topology{Queues: []Queue{{Name: long}}}, []string{"queue has 256 bytes"}},
		{"queue too long for its parked queue", New().Queue(long[:249]),
			[]string{`qqq.parked"`, `a binding key of exchange "acemq.dlx" has 256 bytes`}},
		{"long key", New().Exchange("e", Topic).Queue("q").Bind("q", "e", long),
			[]string{`a binding key of exchange "e" has 256 bytes`}},
		{"invalid name", New().Exchange("\xff", Topic), []string{"exchange is not valid UTF-8"}},
		{"several", New().Exchange("e", "x").Queue("q", TTL(-1), MaxLength(-1)).Bind("p", "e"), []string{
			"a TTL of -1ns", "a maximum length of -1", `exchange "e" is of the type "x"`, `bound to queue "p"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := test.built.Check()
			if err == nil {
				t.Fatal("no fault was found")
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(test.want) {
				t.Fatalf("got %d faults, want %d:\n%v", len(lines), len(test.want), err)
			}
			for i, want := range test.want {
				if !strings.Contains(lines[i], want) {
					t.Errorf("got %q, want %q in it", lines[i], want)
				}
			}
		})
	}
}

func TestCheckTakesWhatABrokerTakes(t *testing.T) {
	edge := strings.Repeat("q", 248)
	for name, built := range map[string]*Topology{
		"empty":             New(),
		"zero":              {},
		"longest queue":     New().Queue(edge),
		"broker's exchange": New().ExternalExchange("amq.topic", Topic).Queue("q").Bind("q", "amq.topic", "#"),
		"broker's queue":    {Queues: []Queue{{Name: "amq.gen-1", External: true}}},
		"contract exchange": New().Exchange("acemq.dlx", Direct).Queue("q"),
		"every type": New().Exchange("a", Direct).Exchange("b", Fanout).Exchange("c", Topic).
			Exchange("d", Headers),
		"two policies": New().Queue("q", Retry(wire.Fixed(2, time.Minute))).
			Queue("q", Retry(wire.Fixed(2, time.Hour))),
	} {
		if err := built.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCheckChangesNothing holds that faults are reported the same each time, and merged.
func TestCheckChangesNothing(t *testing.T) {
	bad := New().Queue("q", TTL(0))
	first := bad.Check().Error()
	if second := bad.Check().Error(); second != first {
		t.Errorf("got %q, then %q", first, second)
	}
	if merged := New().Merge(bad).Check(); merged == nil || merged.Error() != first {
		t.Errorf("merged: got %v, want %q", merged, first)
	}
}
