package asyncapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/acemq/acemq-gen/gen/load/loadtest"
)

var update = flag.Bool("update", false, "write the golden file")

// ordersDir is the package of the order example.
func ordersDir(t *testing.T) string {
	t.Helper()
	return filepath.Join(loadtest.Root(t), "examples", "orders", "orders")
}

func TestOrders(t *testing.T) {
	text := documentOf(t, ordersDir(t))
	validate(t, published(t), text)
	golden := filepath.Join("testdata", "orders.json")
	if *update {
		if err := os.WriteFile(golden, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, want) {
		t.Errorf("the document of the order example has changed:\n%s", diff.Diff("want", want, "got", text))
	}
}

// TestPayloadsAcceptTheSamples holds the payloads of the order example against its frozen messages, and each against
// what it must not accept.
func TestPayloadsAcceptTheSamples(t *testing.T) {
	text := documentOf(t, ordersDir(t))
	samples, err := filepath.Glob(filepath.Join(ordersDir(t), "testdata", "wire", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if all := payloads(t, text); len(samples) != len(all) || len(samples) == 0 {
		t.Fatalf("there are %d samples and the payloads of %d messages", len(samples), len(all))
	}
	for _, file := range samples {
		sample, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		schema := payload(t, text, strings.TrimSuffix(filepath.Base(file), ".json"))
		message := decoded(t, sample).(object)
		if err := schema.Validate(message); err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
		}
		for member := range message {
			message[member] = object{} // no member of a message of the example is an object
			break
		}
		if schema.Validate(message) == nil {
			t.Errorf("%s: accepts %v", filepath.Base(file), message)
		}
	}
}

// vocabulary returns the archive of a module that uses every word of runtime/flow, and the document of its packages.
func vocabulary(t *testing.T) (archive string, document []byte) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "vocabulary.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text), documentOf(t, loadtest.Module(t, string(text)), "./...")
}

func TestVocabulary(t *testing.T) {
	archive, text := vocabulary(t)
	for _, word := range words(t) {
		if !regexp.MustCompile(`\.` + word + `\b`).MatchString(archive) {
			t.Errorf("%s is not in testdata/vocabulary.txtar: use it there", word)
		}
	}
	validate(t, published(t), text)
	for range 2 {
		if _, again := vocabulary(t); !bytes.Equal(text, again) {
			t.Fatal("the document differs from run to run")
		}
	}
}

// words are what runtime/flow offers for a flow.
func words(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(loadtest.Root(t), "runtime", "flow", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	add := func(id *ast.Ident) {
		if id.IsExported() {
			words = append(words, id.Name)
		}
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				add(decl.Name)
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if values, is := spec.(*ast.ValueSpec); is {
						for _, id := range values.Names {
							add(id)
						}
					}
				}
			}
		}
	}
	if len(words) < 30 {
		t.Fatalf("the words are %v", words)
	}
	return words
}

// TestOneThingWrongIsRefused shows that the tests above can fail.
func TestOneThingWrongIsRefused(t *testing.T) {
	schema := published(t)
	text := documentOf(t, ordersDir(t))
	for name, wrong := range map[string]func(document object){
		"a version that is another": func(d object) { d["asyncapi"] = "2.6.0" },
		"no title":                  func(d object) { delete(part(d, "info"), "title") },
		"an action":                 func(d object) { in(d, "operations", "sendPlaced")["action"] = "publish" },
		"a member that is unknown":  func(d object) { in(d, "operations", "sendPlaced")["acemq-options"] = []any{} },
		"a delivery mode":           func(d object) { in(d, "operations", "sendPlaced", "bindings", "amqp")["deliveryMode"] = 3 },
		"a binding's version":       func(d object) { in(d, "channels", "queue.quotes", "bindings", "amqp")["bindingVersion"] = "0.9.1" },
		"a kind of exchange": func(d object) {
			in(d, "channels", "exchange.checkout.price", "bindings", "amqp", "exchange")["type"] = "x"
		},
		"a queue and an exchange": func(d object) { in(d, "channels", "queue.quotes", "bindings", "amqp")["exchange"] = object{} },
		"a schema of the headers": func(d object) { in(d, "components", "messages", "cart.v1", "headers")["type"] = "text" },
		"a place of the reply":    func(d object) { in(d, "operations", "sendQuotes", "reply", "address")["location"] = "reply-to" },
	} {
		document := decoded(t, text).(object)
		wrong(document)
		if schema.Validate(document) == nil {
			t.Errorf("%s: the published schema accepts it", name)
		}
	}
	for name, wrong := range map[string]func(document object){
		"a payload that is gone":   func(d object) { delete(in(d, "components", "messages", "order.v1", "payload", "schema"), "$defs") },
		"a message that is gone":   func(d object) { delete(in(d, "channels", "queue.quotes", "messages"), "quote.request.v1") },
		"a parameter that is gone": func(d object) { delete(in(d, "channels", "queue.accounting.ledger"), "parameters") },
		"a message of elsewhere": func(d object) {
			in(d, "operations", "sendPlaced")["channel"].(object)["$ref"] = "#/channels/queue.quotes"
		},
		"an address of a reply": func(d object) { in(d, "channels", "reply.quotes")["address"] = "quotes.replies" },
		"a name":                func(d object) { in(d, "components", "messages")["order placed"] = object{} },
	} {
		document := decoded(t, text).(object)
		wrong(document)
		if faults(document) == nil {
			t.Errorf("%s: the rules accept it", name)
		}
	}
}

// in returns the object under names.
func in(document object, names ...string) object {
	at, found := resolve(document, "#/"+strings.Join(names, "/"))
	if !found {
		panic("there is nothing at " + strings.Join(names, "/"))
	}
	return at.(object)
}

// TestPackagesInOneDocument holds what flows share and what they do not.
func TestPackagesInOneDocument(t *testing.T) {
	_, text := vocabulary(t)
	document := decoded(t, text).(object)
	names := func(at string) string {
		var names []string
		for name := range part(document, "operations") {
			if strings.Contains(name, at) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return strings.Join(names, " ")
	}
	for at, want := range map[string]string{
		"Placed":   "receivePlaced sendPlaced sendPlacedToo",
		"Ladder":   "receiveLadder receiveLadder_2", // of two packages
		"Checkout": "receiveCheckoutAsk receiveCheckoutFraud receiveCheckoutPrice receiveCheckoutShip sendCheckout sendCheckoutAsk sendCheckoutFraud sendCheckoutPrice sendCheckout_2",
		"Packing":  "receivePackingPrice receivePackingShip receivePackingWrapItUp sendPacking sendPackingPrice sendPackingWrapItUp",
		"Quotes":   "receiveQuotes sendQuotes sendQuotes_2",
	} {
		if got := names(at); got != want {
			t.Errorf("the operations of %s are %s, want %s", at, got, want)
		}
	}
	messages := part(part(document, "components"), "messages")
	for name, description := range map[string]string{
		"order.v1":   `Order is what somebody wants: "<goods> & more".`, // used by both, declared by shop
		"order.v1_2": "Order is another one of the same type.",
	} {
		if got := part(messages, name)["description"]; got != description {
			t.Errorf("%s is described as %q, want %q", name, got, description)
		}
	}
	if len(part(part(messages, "bare.v1"), "payload")) > 0 {
		t.Error("bare.v1 has a payload, and its package keeps no schemas")
	}
	if got := part(document, "info")["title"]; got != "bare, shop, stock, till, trip" {
		t.Errorf("the title is %q", got)
	}
	sagas, err := json.Marshal(document["x-acemq-sagas"])
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"actions":[{"name":"pay","undo":"refund"},{"name":"pack"}],"description":"Buy buys.","name":"buy","subject":"Order"},` +
		`{"actions":[{"name":"fly"}],"name":"book","subject":"Trip"}]`
	if string(sagas) != want {
		t.Errorf("the sagas are %s, want %s", sagas, want)
	}
}
