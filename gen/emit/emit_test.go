package emit

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

var update = flag.Bool("update", false, "write the golden files")

func local(name string) model.Type {
	return model.Type{Path: "example.com/shop/orders", Package: "orders", Name: name}
}

func ptr[T any](v T) *T { return &v }

// orders is the flow of the documentation.
func orders() *model.Flow {
	placed, shipped := local("OrderPlaced"), local("OrderShipped")
	return &model.Flow{
		Package: model.Package{Name: "orders", Path: "example.com/shop/orders"},
		Messages: []model.Message{
			{Go: placed, Type: "order.placed", Version: 1},
			{Go: shipped, Type: "order.shipped", Version: 2},
		},
		Exchanges: []model.Exchange{{
			Decl:   model.Decl{Name: "Events", Doc: "Events carries what happens to an order."},
			Broker: "orders-events", Kind: "topic",
		}},
		Publishes: []model.Publish{{
			Decl:    model.Decl{Name: "Placed", Doc: "Placed announces an order that was accepted.\n"},
			Message: placed, Exchange: model.Ref{Name: "Events"},
			Key: "order.placed.{Region}", Fields: []model.KeyField{{Name: "Region", Kind: model.StringField}},
		}},
		Consumes: []model.Consume{{
			Decl:    model.Decl{Name: "Billing", Doc: "Billing charges every order that was placed."},
			Message: placed,
			Queue: model.Queue{
				Broker:   "billing.orders",
				Bindings: []model.Binding{{Exchange: model.Ref{Name: "Events"}, Keys: []string{"order.placed.*"}}},
				Retry:    &model.Retry{Constructor: "Exponential", Attempts: 5, Initial: time.Second, Limit: time.Minute},
				Prefetch: 50,
			},
		}},
		Dispatches: []model.Dispatch{{
			Decl: model.Decl{Name: "Audit", Doc: "Audit keeps every order event, whatever its type."},
			Queue: model.Queue{
				Broker:   "audit.orders",
				Bindings: []model.Binding{{Exchange: model.Ref{Name: "Events"}, Keys: []string{"order.#"}}},
			},
			Cases: []model.Case{{Message: placed}, {Message: shipped}},
		}},
	}
}

// options is a flow in which everything is declared that can be.
func options() *model.Flow {
	order := local("Order")
	page := local("Page[example.com/go-ext.Order]")
	foreign := model.Type{Path: "example.com/ledger/v2", Package: "ledger", Name: "Entry"}
	events, audit := model.Ref{Name: "Events"}, model.Ref{Name: "Audit"}
	return &model.Flow{
		Package: model.Package{Name: "orders", Path: "example.com/shop/orders"},
		Messages: []model.Message{
			{Go: order, Type: "order", Version: 1},
			{Go: page, Type: "page", Version: 3},
			{Go: foreign, Type: "entry", Version: 1},
		},
		Exchanges: []model.Exchange{
			{Decl: model.Decl{Name: "Events"}, Broker: "events", Kind: "direct", External: true},
			{Decl: model.Decl{Name: "Audit"}, Broker: "audit", Kind: "fanout"},
		},
		Publishes: []model.Publish{
			{
				Decl: model.Decl{
					Name: "Moved",
					Doc:  "An order moved.\n\n  - from a shop\n  - to another\n\nDeprecated: use Placed.",
				},
				Message: order, Exchange: events, Key: "{Shop}.{Region}.{Number}.{Code}",
				Fields: []model.KeyField{
					{Name: "Shop", Kind: model.SignedField}, {Name: "Region", Kind: model.NamedString},
					{Name: "Number", Kind: model.UnsignedField}, {Name: "Code", Kind: model.StringerField},
				},
				Optional: true, Transient: true, Expires: 1500 * time.Millisecond, Priority: 3,
			},
			{Decl: model.Decl{Name: "Pages"}, Message: page, Exchange: audit},
			{Decl: model.Decl{Name: "Direct"}, Message: foreign, Key: "ledger"},
		},
		Consumes: []model.Consume{
			{Decl: model.Decl{Name: "Ledger"}, Message: foreign, Queue: model.Queue{
				Broker: "ledger", Classic: true, TTL: time.Hour, MaxLength: 1000, SingleActive: true, Concurrency: 4,
				Retry: &model.Retry{
					Constructor: "Fixed", Attempts: 4, Initial: 30 * time.Second,
					GiveUpAfter: ptr(24 * time.Hour), BrokerFrom: ptr(10 * time.Second), Jitter: ptr(0.5),
				},
				Bindings: []model.Binding{
					{Exchange: model.Ref{}, Keys: []string{"ledger"}}, {Exchange: audit}, {Exchange: audit},
				},
			}},
			{Decl: model.Decl{Name: "Elsewhere"}, Message: order, Queue: model.Queue{
				Broker: "elsewhere", External: true, RetryDelay: 10 * time.Second,
				Bindings: []model.Binding{{Exchange: events, Keys: []string{"a", "b"}}},
			}},
			{Decl: model.Decl{Name: "Again"}, Message: order, Queue: model.Queue{
				Broker: "elsewhere", External: true, RequeueOnFailure: true,
				Bindings: []model.Binding{{Exchange: events, Keys: []string{"a", "b"}}, {Exchange: audit}},
			}},
		},
	}
}

// patterns is a flow of what is ordered, written down first, or delivered later.
func patterns() *model.Flow {
	placed := local("OrderPlaced")
	entry := model.Type{Path: "example.com/ledger/v2", Package: "ledger", Name: "Entry"}
	java := wire.Java
	return &model.Flow{
		Package: model.Package{Name: "orders", Path: "example.com/shop/orders"},
		Messages: []model.Message{
			{Go: placed, Type: "order.placed", Version: 1},
			{Go: entry, Type: "ledger.entry", Version: 2},
		},
		Publishes: []model.Publish{{
			Decl:    model.Decl{Name: "Placed", Doc: "Placed announces an order that was accepted."},
			Message: placed, Key: "billing.orders", Outbox: true, Schedulable: true,
		}},
		Consumes: []model.Consume{{
			Decl:    model.Decl{Name: "Billing", Doc: "Billing charges an order once."},
			Message: placed,
			Queue:   model.Queue{Broker: "billing.orders", Idempotent: 10 * time.Minute},
		}},
		Ordered: []model.Ordered{
			{
				Decl:   model.Decl{Name: "Ledger", Doc: "Ledger applies the entries of one account in order."},
				Broker: "ledger", Partitions: 8, Message: entry,
				Key: model.Function{Of: entry, Method: "Account"},
			},
			{
				Decl: model.Decl{Name: "Stock"}, Broker: "stock", Partitions: 6, Partitioner: &java, Message: placed,
				Key: model.Function{Of: model.Type{
					Path: "example.com/go-ext", Package: "ext", Name: "Key[OrderPlaced]",
				}},
				Failure:      model.Failure{Mode: "Skip", Attempts: 4, Delay: 250 * time.Millisecond},
				SingleActive: true,
			},
			{
				Decl: model.Decl{Name: "Views"}, Broker: "views", Partitions: 1, Message: placed,
				Key:     model.Function{Of: local("viewed")},
				Failure: model.Failure{Mode: "RetryInPlace", Attempts: 1, Delay: time.Minute},
			},
		},
	}
}

// routes is a flow of pipelines and slips.
func routes() *model.Flow {
	order, shipment := local("Order"), local("OrderShipped")
	page := local("Page[example.com/go-ext.Order]")
	queue := func(name string) model.Queue { return model.Queue{Broker: name} }
	events := model.Ref{Name: "Events"}
	price := queue("orders.price")
	price.Retry = &model.Retry{Constructor: "Fixed", Attempts: 4, Initial: 30 * time.Second}
	price.Prefetch, price.Idempotent = 10, 5*time.Minute
	return &model.Flow{
		Package: model.Package{Name: "orders", Path: "example.com/shop/orders"},
		Messages: []model.Message{
			{Go: order, Type: "order", Version: 1},
			{Go: shipment, Type: "order.shipped", Version: 2},
			{Go: page, Type: "page", Version: 3},
		},
		Exchanges: []model.Exchange{{Decl: model.Decl{Name: "Events"}, Broker: "orders-events", Kind: "topic"}},
		Pipelines: []model.Pipeline{
			{
				Decl:   model.Decl{Name: "Fulfilment", Doc: "Fulfilment takes an order from the door to the courier."},
				Broker: "orders", Steps: []model.Step{
					{Name: "validate", In: model.Case{Message: order}, Out: model.Case{Message: order}, Queue: queue("orders.validate")},
					{Name: "price", In: model.Case{Message: order}, Out: model.Case{Message: page}, Queue: price},
					{Name: "ship-it", In: model.Case{Message: page}, Sink: true, Queue: queue("orders.ship-it")},
				},
			},
			{
				Decl: model.Decl{Name: "returns"}, Broker: "returns", Form: "Itinerary", Steps: []model.Step{
					{Name: "refund", In: model.Case{Message: order}, Out: model.Case{Message: order}, Queue: queue("returns.refund")},
				},
			},
		},
		Slips: []model.Slip{
			{
				Decl: model.Decl{
					Name: "Checkout", Doc: "Checkout is the route of orders whose stops differ from one to the next.",
				},
				Broker: "checkout", Stops: []model.Stop{
					{Exchange: events, Key: "order.validate", Step: model.Step{
						Name: "validate", In: model.Case{Message: order}, Out: model.Case{Message: order},
						Queue: queue("checkout.validate"),
					}},
					{Exchange: events, Key: "order.price", Step: model.Step{
						Name: "price", In: model.Case{Message: order}, Out: model.Case{Message: page}, Queue: queue("checkout.price"),
					}},
					{Key: "checkout.ship", Step: model.Step{
						Name: "ship", In: model.Case{Message: page}, Out: model.Case{Message: shipment},
						Queue: model.Queue{Broker: "checkout.ship", RetryDelay: time.Minute, Concurrency: 3},
					}},
				},
			},
			{
				Decl: model.Decl{Name: "Roaming"}, Broker: "roaming", Form: "Declared", AnyDestination: true, Stops: []model.Stop{
					{Exchange: events, Key: "order.anywhere", Step: model.Step{
						Name: "anywhere", In: model.Case{Message: order}, Out: model.Case{Message: order},
						Queue: queue("roaming.anywhere"),
					}},
				},
			},
		},
	}
}

// services is a flow of sagas and requests.
func services() *model.Flow {
	question, answer := local("QuoteRequest"), local("Quote")
	entry := model.Type{Path: "example.com/ledger/v2", Package: "ledger", Name: "Entry"}
	undo := func(name string) *model.Undo { return &model.Undo{Name: name} }
	return &model.Flow{
		Package: model.Package{Name: "orders", Path: "example.com/shop/orders"},
		Messages: []model.Message{
			{Go: question, Type: "quote.request", Version: 1},
			{Go: answer, Type: "quote", Version: 2},
			{Go: entry, Type: "entry", Version: 1},
		},
		Sagas: []model.Saga{
			{
				Decl:  model.Decl{Name: "PlaceOrder", Doc: "PlaceOrder undoes what it did when a later step fails."},
				Title: "place-order", Subject: local("Order"), Actions: []model.Action{
					{Name: "take-payment", Undo: undo("refund")},
					{Name: "reserve-stock", Undo: undo("release-stock")},
					{Name: "book-courier"},
				},
			},
			{
				Decl: model.Decl{Name: "notify"}, Title: "notify", Subject: local("map[string]*example.com/go-ext.Order"),
				Actions: []model.Action{{Name: "send letter"}},
			},
		},
		Requests: []model.Request{
			{
				Decl:     model.Decl{Name: "Quotes", Doc: "Quotes answers what an order would cost."},
				Question: model.Case{Message: question}, Answer: model.Case{Message: answer},
				Queue: model.Queue{Broker: "quotes"},
			},
			{
				Decl: model.Decl{Name: "balance"}, Question: model.Case{Message: entry}, Answer: model.Case{Message: answer},
				Queue: model.Queue{
					Broker: "ledger.balance", Prefetch: 10, Concurrency: 1,
					Retry: &model.Retry{Constructor: "Fixed", Attempts: 3, Initial: time.Second},
				},
			},
			{
				Decl: model.Decl{Name: "Slow"}, Question: model.Case{Message: answer}, Answer: model.Case{Message: answer},
				Queue: model.Queue{Broker: "slow", RetryDelay: time.Minute},
			},
		},
	}
}

func TestFiles(t *testing.T) {
	compiler := newCompiler(t)
	flows := map[string]*model.Flow{
		"orders": orders(), "options": options(), "patterns": patterns(), "routes": routes(), "services": services(),
	}
	for name, flow := range flows {
		t.Run(name, func(t *testing.T) {
			files, err := Files(flow)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := compiler.check(flow.Package.Path, files); err != nil {
				t.Errorf("the generated code does not compile: %v", err)
			}
			var archive txtar.Archive
			for _, f := range files {
				archive.Files = append(archive.Files, txtar.File{Name: f.Name, Data: f.Content})
			}
			compareGolden(t, filepath.Join("testdata", name+".txtar"), txtar.Format(&archive))
		})
	}
}

func compareGolden(t *testing.T, golden string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := diff.Diff(golden, want, "generated", got); d != nil {
		t.Errorf("the generated code differs (-update accepts it):\n%s", d)
	}
}
