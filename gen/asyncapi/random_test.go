package asyncapi_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/acemq/acemq-gen/gen/asyncapi"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// odd are texts that JSON, YAML, references and names of AsyncAPI each trip over.
var odd = []string{
	"orders", "orders.new", "orders new", "orders/new", "orders~new", "orders%41", "#", "?", "ø", "\U0001f600", `"`, `\`, "'",
	"<b>&amp;</b>", "null", "true", "1.0", "0x1f", "2026-01-01", "- a", ": ", "a: b # c", "{x}", "a{x}b", "[", "~", " a ", "\u007f",
	"\u2028", "two\nlines", " \n\n  four\n lines\t\n", "&anchor", "*alias", "!tag", "%directive", "| a", "> a", "=", "<<", "y",
}

// random makes flows out of odd texts.
type random struct{ *rand.Rand }

func (r random) text() string { return odd[r.IntN(len(odd))] }

func (r random) decl(n int) model.Decl {
	at := model.Pos{File: "flow.go", Line: n}
	return model.Decl{Name: fmt.Sprintf("Name%d", r.IntN(4)), Doc: r.text(), Pos: at}
}

func (r random) take(f *model.Flow) model.Case {
	return model.Case{Message: f.Messages[r.IntN(len(f.Messages))].Go}
}

func (r random) queue() model.Queue {
	q := model.Queue{Broker: r.text(), External: r.IntN(4) == 0, Classic: r.IntN(2) == 0, RequeueOnFailure: r.IntN(4) == 0}
	for range r.IntN(3) {
		q.Bindings = append(q.Bindings, model.Binding{Exchange: r.exchange(), Keys: []string{r.text()}})
	}
	return q
}

func (r random) exchange() model.Ref { return model.Ref{Name: fmt.Sprintf("Exchange%d", r.IntN(4))} }

// key returns a key of a publication, with a field or without.
func (r random) key() string {
	key := r.text()
	if _, err := wire.KeyFields(key); err != nil {
		return "{Field}"
	}
	return key
}

func (r random) step(f *model.Flow) model.Step {
	return model.Step{Name: r.text(), In: r.take(f), Out: r.take(f), Queue: r.queue()}
}

func (r random) flow() *model.Flow {
	f := &model.Flow{Package: model.Package{Name: r.text(), Path: "p", Doc: r.text(), Module: "example.com/v3"}}
	for i := range 3 {
		f.Messages = append(f.Messages, model.Message{
			Go: model.Type{Path: "p", Package: "p", Name: fmt.Sprintf("T%d", i)}, Type: r.text(), Version: 1 + r.IntN(2),
			Pos: model.Pos{File: "m.go", Line: i},
		})
		f.Exchanges = append(f.Exchanges, model.Exchange{
			Decl:   model.Decl{Name: fmt.Sprintf("Exchange%d", i), Doc: r.text()},
			Broker: r.text(), Kind: []string{"topic", "direct", "fanout", "headers"}[r.IntN(4)], External: r.IntN(4) == 0,
		})
	}
	for n := range 4 {
		f.Publishes = append(f.Publishes, model.Publish{
			Decl: r.decl(n), Message: r.take(f).Message, Exchange: r.exchange(), Key: r.key(), Optional: r.IntN(2) == 0,
		})
		f.Consumes = append(f.Consumes, model.Consume{Decl: r.decl(n), Message: r.take(f).Message, Queue: r.queue()})
		f.Dispatches = append(f.Dispatches, model.Dispatch{
			Decl: r.decl(n), Queue: r.queue(), Cases: []model.Case{r.take(f), r.take(f)},
		})
	}
	f.Pipelines = []model.Pipeline{{Decl: r.decl(5), Broker: r.text(), Steps: []model.Step{r.step(f), r.step(f), r.step(f)}}}
	slip := model.Slip{Decl: r.decl(6), Broker: r.text()}
	for range 3 {
		slip.Stops = append(slip.Stops, model.Stop{Step: r.step(f), Exchange: r.exchange(), Key: "key"})
	}
	f.Slips = []model.Slip{slip}
	by := wire.Partitioner(r.IntN(3))
	f.Ordered = []model.Ordered{{
		Decl: r.decl(7), Broker: "ordered " + r.text(), Partitions: 1 + r.IntN(3), Message: r.take(f).Message, Partitioner: &by,
	}}
	f.Requests = []model.Request{{Decl: r.decl(8), Question: r.take(f), Answer: r.take(f), Queue: r.queue()}}
	f.Sagas = []model.Saga{{Decl: r.decl(9), Title: r.text(), Actions: []model.Action{{Name: r.text()}}}}
	return f
}

// TestRandomFlows holds the documents of flows with odd names against the published schema and the rules.
func TestRandomFlows(t *testing.T) {
	schema := published(t)
	for seed := range uint64(25) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := random{rand.New(rand.NewPCG(seed, 0))}
			document, err := asyncapi.Of([]*model.Flow{r.flow(), r.flow()}, nil)
			if err != nil {
				t.Fatal(err)
			}
			validate(t, schema, rendered(t, document))
		})
	}
}
