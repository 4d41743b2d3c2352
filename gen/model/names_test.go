package model

import (
	"go/token"
	"reflect"
	"strings"
	"testing"
)

func TestNamesOfDeclarations(t *testing.T) {
	publish := Publish{Decl: Decl{Name: "Placed"}}
	if got, want := publish.Names(), (PublishNames{"PlacedPublisher", "NewPlacedPublisher", "placedRoute", ""}); got != want {
		t.Errorf("publish: %v, want %v", got, want)
	}
	hidden := Publish{Decl: Decl{Name: "placed"}}
	if hidden.Names() != publish.Names() {
		t.Errorf("the names of an unexported variable are %v, want those of the exported one", hidden.Names())
	}
	consume := Consume{Decl: Decl{Name: "HTTPBilling"}}
	if got, want := consume.Names(), (ConsumeNames{"ConsumeHTTPBilling", "httpBillingQueue", "ReplayHTTPBilling"}); got != want {
		t.Errorf("consume: %v, want %v", got, want)
	}
	dispatch := Dispatch{Decl: Decl{Name: "Audit"}, Cases: []Case{{Message: Type{Path: "a", Package: "a", Name: "orderPlaced"}}}}
	want := DispatchNames{"AuditHandler", []string{"OrderPlaced"}, "ConsumeAudit", "auditQueue", "ReplayAudit"}
	if got := dispatch.Names(); !reflect.DeepEqual(got, want) {
		t.Errorf("dispatch: %v, want %v", got, want)
	}
}

func TestNamesOfPatterns(t *testing.T) {
	order, priced := Type{"a", "a", "Order"}, Type{"a", "a", "priced"}
	step := func(name string, in, out Type) Step {
		return Step{Name: name, In: Case{Message: in}, Out: Case{Message: out}}
	}
	flow := Flow{
		Publishes: []Publish{{Decl: Decl{Name: "placed"}, Outbox: true}},
		Pipelines: []Pipeline{{Decl: Decl{Name: "Fulfilment"}, Steps: []Step{
			step("set-price", order, priced), step("ship", priced, Type{}), step("ship", priced, Type{}), step("", order, order),
		}}},
		Slips: []Slip{{Decl: Decl{Name: "checkout"}, Stops: []Stop{
			{Step: step("price", order, priced)}, {Step: step("2nd.look", order, order)},
		}}},
		Ordered: []Ordered{{Decl: Decl{Name: "HTTPLedger"}}},
		Sagas: []Saga{{Decl: Decl{Name: "placeOrder"}, Actions: []Action{
			{Name: "take-payment", Undo: &Undo{Name: "2nd thoughts"}}, {Name: "book"},
		}}},
		Requests: []Request{{Decl: Decl{Name: "Quotes"}}},
	}
	var got []string
	for _, g := range flow.Generated() {
		got = append(got, g.Name)
	}
	want := strings.Fields(`PlacedPublisher NewPlacedPublisher placedRoute PlacedRecord
		FulfilmentSteps FulfilmentPipeline NewFulfilment RunFulfilment runFulfilment fulfilmentPipeline
		RunFulfilmentSetPrice RunFulfilmentShip
		CheckoutFromOrder CheckoutAtOrder CheckoutAtPriced HandleCheckoutPrice HandleCheckoutX2ndLook checkoutSlip
		HTTPLedgerPublisher NewHTTPLedgerPublisher ConsumeHTTPLedger httpLedgerRoute PlaceOrderActions RunPlaceOrder
		QuotesClient NewQuotesClient ServeQuotes quotesRequest Topology Declare`)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	methods, undo := flow.Sagas[0].Names(), []string{"X2ndThoughts", ""}
	if do := []string{"TakePayment", "Book"}; !reflect.DeepEqual(methods.Do, do) || !reflect.DeepEqual(methods.Undo, undo) {
		t.Errorf("the methods of the saga are %q and %q", methods.Do, methods.Undo)
	}
}

func TestMethodNamesTellTypesApart(t *testing.T) {
	own := Type{Path: "shop/orders", Package: "orders", Name: "Placed"}
	tests := map[string]struct {
		types []Type
		want  []string
	}{
		"alone":            {[]Type{own}, []string{"Placed"}},
		"two packages":     {[]Type{own, {"shop/bills", "bills", "Placed"}}, []string{"OrdersPlaced", "BillsPlaced"}},
		"versioned paths":  {[]Type{{"a/v1", "v1", "T"}, {"b/v1", "v1", "T"}}, []string{"AV1T", "BV1T"}},
		"the same twice":   {[]Type{own, own}, []string{"Placed", "Placed"}},
		"generic":          {[]Type{{"a", "a", `Page[shop/ext.Order]`}, {"a", "a", "Page[Bill]"}}, []string{"PageExtOrder", "PageBill"}},
		"not to be told":   {[]Type{{"a/b", "b", "Order"}, {"a/b", "b", "order"}}, []string{"Order", "Order"}},
		"no capital forms": {[]Type{{"a", "a", "_x"}, {"a", "a", "世界"}}, []string{"X", "X世界"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := typeNames(test.types); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestGeneratedListsEveryName(t *testing.T) {
	flow := Flow{
		Publishes: []Publish{{Decl: Decl{Name: "Placed", Pos: Pos{"flow.go", 9, 1}}}},
		Consumes:  []Consume{{Decl: Decl{Name: "Billing", Pos: Pos{"flow.go", 3, 1}}}},
		Dispatches: []Dispatch{{
			Decl:  Decl{Name: "Audit", Pos: Pos{"flow.go", 5, 1}},
			Cases: []Case{{Message: Type{"a", "a", "OrderPlaced"}}, {Message: Type{"a", "a", "OrderPlaced"}}},
		}},
	}
	var got []string
	for _, g := range flow.Generated() {
		got = append(got, g.Name)
	}
	want := []string{"PlacedPublisher", "NewPlacedPublisher", "placedRoute", "ConsumeBilling", "billingQueue", "ReplayBilling",
		"AuditHandler", "ConsumeAudit", "auditQueue", "ReplayAudit", "ReplayAuditOrderPlaced", "Topology", "Declare"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if pos := flow.Generated()[len(want)-2].Pos; pos.Line != 3 {
		t.Errorf("Topology stands at %v, want the first declaration", pos)
	}
	if names := new(Flow).Generated(); names != nil {
		t.Errorf("an empty flow gets %v, want nothing", names)
	}
}

func TestIdentifier(t *testing.T) {
	for text, want := range map[string]string{
		"billing.orders": "BillingOrders", "orders-events": "OrdersEvents", "a": "A", "2fast": "X2fast",
		"...": "", "": "", "köln.ämter": "KölnÄmter", "order_placed v2": "OrderPlacedV2", "世界": "X世界",
	} {
		if got := Identifier(text); got != want {
			t.Errorf("Identifier(%q) = %q, want %q", text, got, want)
		}
	}
	if got := KeyIdentifier("order.placed.{Region}"); got != "OrderPlaced" {
		t.Errorf("KeyIdentifier = %q, want OrderPlaced", got)
	}
}

func FuzzNamesAreGo(f *testing.F) {
	for _, seed := range []string{"Placed", "type", "HTTPServer", "_", "世", "ID", "aB", "ǆ", "ß", "ϒ", "x.y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if name := Identifier(text); name != "" && (!token.IsIdentifier(name) || !token.IsExported(name)) {
			t.Errorf("Identifier(%q) = %q is not an exported name", text, name)
		}
		if !token.IsIdentifier(text) {
			return
		}
		if name := Exported(text); !token.IsExported(name) || !token.IsIdentifier(name) {
			t.Errorf("Exported(%q) = %q", text, name)
		}
		if name := Unexported(text) + "Queue"; token.IsExported(name) || !token.IsIdentifier(name) {
			t.Errorf("Unexported(%q) gives %q", text, name)
		}
	})
}

func TestTypeParts(t *testing.T) {
	typ := Type{Path: "shop", Package: "shop", Name: `Page[map[string]example.com/e-x/ext.Order, Bill]`}
	want := []TypePart{{Source: "Page[map[string]"}, {Path: "example.com/e-x/ext", Name: "Order"}, {Source: ", Bill]"}}
	if got := typ.Parts(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := typ.String(); got != "Page[map[string]ext.Order, Bill]" {
		t.Errorf("String() = %q", got)
	}
}
