package outline

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

func TestMatches(t *testing.T) {
	topic := &Exchange{Kind: "topic"}
	tests := []struct {
		exchange   *Exchange
		bound, key string
		want       bool
	}{
		{topic, "order.placed", "order.placed", true},
		{topic, "order.placed", "order.billed", false},
		{topic, "order.*", "order.placed", true},
		{topic, "order.*", "order", false},
		{topic, "order.#", "order", true},
		{topic, "order.#", "order.placed.NO", true},
		{topic, "#", "order.{Country}", true},
		{topic, "#.NO", "order.placed.{Country}", true},
		{topic, "order.*.NO", "order.placed.{Country}", true},
		{topic, "order.*.NO", "order.placed.SE", false},
		{topic, "*.placed.*", "order.{Kind}", false},
		{topic, "order.#.end.#", "order.a.end", true},
		{topic, "order.placed", "", true}, // a key of each message's own
		{&Exchange{Kind: "direct"}, "NO", "{Country}", true},
		{&Exchange{Kind: "direct"}, "NO", "SE", false},
		{&Exchange{Kind: "fanout"}, "", "whatever", true},
		{&Exchange{Kind: "headers"}, "", "whatever", true},
	}
	for _, test := range tests {
		if got := matches(test.exchange, []string{"no.such.word.in.it", test.bound}, test.key); got != test.want {
			t.Errorf("%s: %q bound, %q sent: %v", test.exchange.Kind, test.bound, test.key, got)
		}
	}
}

// FuzzOverlap compares with the matching of a broker, for keys without fields.
func FuzzOverlap(f *testing.F) {
	f.Add("a.*.#", "a.b")
	f.Add("#.#.a", "b.a")
	f.Add("*.#.*", "a")
	f.Fuzz(func(t *testing.T, pattern, key string) {
		if strings.Contains(key, "*") || key == "" || pattern == "" || strings.Count(pattern, "#") > 4 || len(key) > 40 {
			return
		}
		want := topology.MatchTopic(pattern, key)
		if got := overlap(strings.Split(pattern, "."), strings.Split(key, ".")); got != want {
			t.Errorf("%q and %q: %v, want %v", pattern, key, got, want)
		}
	})
}

func TestFailureWords(t *testing.T) {
	policies := map[string]wire.Retry{
		"is tried once":                                                 wire.NoRetry(),
		"is tried 2 times: after 1s":                                    wire.Fixed(2, time.Second),
		"is tried 4 times, 30s apart":                                   wire.Fixed(4, 30*time.Second),
		"is tried 5 times: after 1s, 2s, 4s and 8s":                     wire.Exponential(5, time.Second, time.Minute),
		"is tried 5 times: after 1s and then 2s each time":              wire.Exponential(5, time.Second, 2*time.Second),
		"is tried 12 times: after 1ms, 2ms, 4ms and so on up to 1.024s": wire.Exponential(12, time.Millisecond, time.Hour),
		"is tried 2 times: after 1s, but not once it is 1h old":         wire.Fixed(2, time.Second).GiveUpAfter(time.Hour),
	}
	for want, retry := range policies {
		policy, err := retry.Policy()
		if err != nil {
			t.Fatal(err)
		}
		if got := policyWords(policy); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestFailureOfAQueue(t *testing.T) {
	f := failure(&model.Queue{Broker: "q", Retry: &model.Retry{
		Constructor: "Exponential", Attempts: 4, Initial: 20 * time.Second, Limit: time.Minute,
	}})
	tries := []Try{{2, "20s", ""}, {3, "40s", "q.retry.40s"}, {4, "1m", "q.retry.1m"}}
	rungs := []Rung{{"q.retry.40s", "40s"}, {"q.retry.1m", "1m"}}
	if !slices.Equal(f.Tries, tries) || !slices.Equal(f.Rungs, rungs) {
		t.Errorf("got %v and %v", f.Tries, f.Rungs)
	}
	if f.DeadLetter[0] != "q.dlq" || f.Parked[0] != "q.parked" {
		t.Errorf("set aside in %v and %v", f.DeadLetter, f.Parked)
	}
	for want, q := range map[string]model.Queue{
		"goes back to the queue at once, for ever": {RequeueOnFailure: true},
		"is tried again every 5s, for ever":        {},
		"is tried again every 1m30s, for ever":     {RetryDelay: 90 * time.Second},
		"is tried once":                            {Retry: &model.Retry{Constructor: "NoRetry"}},
	} {
		if got := failure(&q); got.Words != want || got.Tries != nil {
			t.Errorf("got %q and %v, want %q", got.Words, got.Tries, want)
		}
	}
}

// shop is two flows that share an exchange and a queue.
func shop() (*model.Flow, *model.Flow) {
	message := model.Type{Path: "shop", Package: "shop", Name: "Order"}
	events := func(external bool) []model.Exchange {
		return []model.Exchange{{Decl: model.Decl{Name: "Events"}, Broker: "events", Kind: "topic", External: external}}
	}
	queue := func(external bool, keys ...string) model.Queue {
		return model.Queue{Broker: "orders", External: external, Bindings: []model.Binding{
			{Exchange: model.Ref{Name: "Events"}, Keys: keys},
		}}
	}
	seller := &model.Flow{
		Exchanges: events(false),
		Publishes: []model.Publish{{
			Decl: model.Decl{Name: "Placed"}, Message: message, Exchange: model.Ref{Name: "Events"}, Key: "placed",
		}},
		Consumes: []model.Consume{{Decl: model.Decl{Name: "Book"}, Message: message, Queue: queue(false, "placed")}},
	}
	biller := &model.Flow{
		Exchanges: events(true),
		Consumes: []model.Consume{
			{Decl: model.Decl{Name: "Bill"}, Message: message, Queue: queue(true, "placed")},
			{Decl: model.Decl{Name: "Remind"}, Message: message, Queue: queue(true, "due")},
		},
	}
	return seller, biller
}

func TestFlowsAreJoined(t *testing.T) {
	seller, biller := shop()
	for _, flows := range [][]*model.Flow{{seller, biller}, {biller, seller}} {
		o := Of(flows...)
		if len(o.Exchanges) != 1 || o.Exchanges[0].External || len(o.Exchanges[0].Places) != 2 {
			t.Errorf("the exchanges are %+v", o.Exchanges)
		}
		if len(o.Queues) != 1 || o.Queues[0].External || len(o.Queues[0].Consumers) != 3 || len(o.Queues[0].Bindings) != 2 {
			t.Errorf("the queues are %+v", o.Queues)
		}
		if reaching := o.Reaching(&o.Queues[0]); len(reaching) != 1 || reaching[0].Name != "Placed" {
			t.Errorf("%v reach the queue", reaching)
		}
	}
	if o := Of(biller); !o.Queues[0].External || !o.Exchanges[0].External {
		t.Error("alone, the biller owns neither the queue nor the exchange")
	}
}

func TestSlipsFollowTheDeclaration(t *testing.T) {
	stop := func(name string, in, out string) model.Stop {
		return model.Stop{Step: model.Step{
			Name: name, In: model.Case{Message: model.Type{Name: in}}, Out: model.Case{Message: model.Type{Name: out}},
			Queue: model.Queue{Broker: "s." + name},
		}}
	}
	o := Of(&model.Flow{Slips: []model.Slip{{Broker: "s", Stops: []model.Stop{
		stop("price", "Cart", "Order"), stop("greet", "Guest", "Guest"),
		stop("fraud", "Order", "Order"), stop("ship", "Order", "Parcel"),
	}}}})
	want := map[string]string{"price": "s.fraud", "greet": "", "fraud": "s.ship", "ship": ""}
	for _, q := range o.Queues {
		c := q.Consumers[0]
		if c.Next != want[c.Title] {
			t.Errorf("%s is followed by %q, want %q", c.Title, c.Next, want[c.Title])
		}
		if c.Onward != (Address{Key: want[c.Title]}) {
			t.Errorf("%s sends to %+v, want the queue %q", c.Title, c.Onward, want[c.Title])
		}
	}
	var entries []string
	for _, p := range o.Publishers {
		entries = append(entries, p.Key)
	}
	if !slices.Equal(entries, []string{"s.price", "s.greet"}) {
		t.Errorf("messages set out at %v", entries)
	}
}

// TestRoutesGoOnByTheirExchanges holds where steps and stops send against the topology.
func TestRoutesGoOnByTheirExchanges(t *testing.T) {
	step := func(name string) model.Step {
		return model.Step{Name: name, Queue: model.Queue{Broker: "queue." + name}}
	}
	stop := func(name, key string) model.Stop {
		s := model.Stop{Step: step(name), Exchange: model.Ref{Name: "Events"}, Key: key}
		s.Queue.Bindings = []model.Binding{{Exchange: s.Exchange, Keys: []string{key}}}
		return s
	}
	o := Of(&model.Flow{
		Exchanges: []model.Exchange{{Decl: model.Decl{Name: "Events"}, Broker: "events", Kind: "topic"}},
		Pipelines: []model.Pipeline{{Broker: "packing", Steps: []model.Step{step("wrap"), step("label"), step("ship")}}},
		Slips:     []model.Slip{{Broker: "checkout", Stops: []model.Stop{stop("price", "to.price"), stop("pay", "to.pay")}}},
	})
	passed := 0
	for _, q := range o.Queues {
		c := q.Consumers[0]
		if c.Next == "" {
			continue
		}
		passed++
		next, _ := o.Queue(c.Next)
		if !o.reaches(&Publisher{Address: c.Onward}, next) {
			t.Errorf("%s sends to %+v, which does not reach %s", c.Title, c.Onward, c.Next)
		}
	}
	if passed != 3 {
		t.Errorf("%d steps and stops pass messages on, want 3", passed)
	}
}
