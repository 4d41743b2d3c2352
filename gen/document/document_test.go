package document

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/gen/outline"
)

func TestPagesOfPackagesOfOneName(t *testing.T) {
	flow := func(name, path string) *model.Flow {
		return &model.Flow{Package: model.Package{Name: name, Path: path}}
	}
	templates := fstest.MapFS{PageTemplate: {Data: []byte("{{.Path}}")}}
	flows := []*model.Flow{flow("orders", "a/orders"), flow("orders", "b/orders"), flow("stock", "b/stock")}
	pages, err := Pages(flows, templates)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, page := range pages {
		got = append(got, page.Name+" "+string(page.Text))
	}
	if want := []string{"a-orders.md a/orders", "b-orders.md b/orders", "stock.md b/stock"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestTemplatesThatAreWrong(t *testing.T) {
	flows := []*model.Flow{{Package: model.Package{Name: "orders"}}}
	for text, want := range map[string]string{
		"{{.Nothing}}":  "can't evaluate field Nothing",
		"{{nothing 1}}": `function "nothing" not defined`,
		"{{if}}":        "missing value for if",
	} {
		_, err := Pages(flows, fstest.MapFS{PageTemplate: {Data: []byte(text)}})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), PageTemplate) {
			t.Errorf("%s: got %v, want %q and the name of the template", text, err, want)
		}
	}
}

func TestCode(t *testing.T) {
	for text, want := range map[string]string{
		"":          "",
		"order.#":   "`order.#`",
		"a|b":       "`a\\|b`",
		"a`b":       "`` a`b ``",
		"a``b`":     "``` a``b` ```",
		"two\nline": "`two line`",
	} {
		if got := code(text); got != want {
			t.Errorf("code(%q) = %s, want %s", text, got, want)
		}
	}
}

// TestEveryNameIsAnswered holds Names against Answer.
func TestEveryNameIsAnswered(t *testing.T) {
	order := model.Type{Path: "shop", Package: "shop", Name: "Order"}
	taken := model.Case{Message: order}
	o := outline.Of(&model.Flow{
		Messages:  []model.Message{{Go: order, Type: "order", Version: 1}},
		Exchanges: []model.Exchange{{Decl: model.Decl{Name: "Events"}, Broker: "events", Kind: "topic"}},
		Publishes: []model.Publish{{
			Decl: model.Decl{Name: "Placed"}, Message: order, Exchange: model.Ref{Name: "Events"},
		}},
		Pipelines: []model.Pipeline{{Decl: model.Decl{Name: "Pack"}, Broker: "packing", Steps: []model.Step{{
			Name: "wrap", In: taken, Sink: true, Queue: model.Queue{Broker: "packing.wrap"},
		}}}},
		Ordered: []model.Ordered{{Decl: model.Decl{Name: "Ledger"}, Broker: "ledger", Partitions: 5, Message: order}},
		Sagas:   []model.Saga{{Decl: model.Decl{Name: "Buy"}, Title: "buy", Actions: []model.Action{{Name: "pay"}}}},
	})
	names := Names(o)
	for _, want := range []string{"Order", "order", "Events", "events", "Placed", "Pack", "packing", "wrap", "packing.wrap",
		"packing.wrap.dlq", "packing.wrap.parked", "Ledger", "ledger", "ledger.3", "Buy", "buy", "pay"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is missing in %v", want, names)
		}
	}
	none := func(outline.Message) []string { return nil }
	for _, name := range append(names, "", "nothing") {
		var text strings.Builder
		known, err := Answer(&text, o, name, none)
		if err != nil {
			t.Fatal(err)
		}
		if want := name != "" && name != "nothing"; known != want || (text.Len() > 0) != want {
			t.Errorf("%q: known is %v, and this is said: %s", name, known, &text)
		}
	}
}
