package asyncapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/acemq/acemq-gen/gen/load/loadtest"
)

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

func TestNamesOfOperations(t *testing.T) {
	_, text := vocabulary(t)
	all := part(decoded(t, text).(object), "operations")
	for about, want := range map[string][]string{
		"Placed": {"receivePlaced", "sendPlaced", "sendPlacedToo"},
		"Ladder": {"receiveLadder", "receiveLadder_2"}, // of two packages
		"Ledger": {"receiveLedger", "sendLedger"},
		"Quotes": {"receiveQuotes", "sendQuotes", "sendQuotes_2"},
		"Packing": {
			"receivePackingPrice", "receivePackingShip", "receivePackingWrapItUp",
			"sendPacking", "sendPackingPrice", "sendPackingWrapItUp",
		},
		"Checkout": {
			"receiveCheckoutAsk", "receiveCheckoutFraud", "receiveCheckoutPrice", "receiveCheckoutShip",
			"sendCheckout", "sendCheckoutAsk", "sendCheckoutFraud", "sendCheckoutPrice", "sendCheckout_2",
		},
	} {
		var got []string
		for name := range all {
			if strings.Contains(name, about) {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("the operations of %s are %v, want %v", about, got, want)
		}
	}
}

// TestMessagesOfPackages holds what packages share of their messages, and what they do not.
func TestMessagesOfPackages(t *testing.T) {
	_, text := vocabulary(t)
	document := decoded(t, text).(object)
	for name, description := range map[string]string{
		"order.v1":   `Order is what somebody wants: "<goods> & more".`,
		"order.v1_2": "Order is another one of the same type.",
	} {
		if got := in(document, "components", "messages", name)["description"]; got != description {
			t.Errorf("%s is described as %q, want %q", name, got, description)
		}
	}
	// One of these is not exported, and the package depot, which comes first, has the message, too.
	sizes := in(document, "components", "messages", "order.v1", "payload", "schema", "$defs", "Size")["enum"]
	if got, want := fmt.Sprint(sizes), "[large small]"; got != want {
		t.Errorf("an order is one of %s, want %s", got, want)
	}
	if in(document, "components", "messages", "bare.v1")["payload"] != nil {
		t.Error("bare.v1 has a payload, and its package keeps no schemas")
	}
	if got, want := part(document, "info")["title"], "bare, depot, shop, till, trip"; got != want {
		t.Errorf("the title is %q, want %q", got, want)
	}
}

func TestSagas(t *testing.T) {
	_, text := vocabulary(t)
	got, err := json.Marshal(decoded(t, text).(object)["x-acemq-sagas"])
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"actions":[{"name":"pay","undo":"refund"},{"name":"pack"}],"description":"Buy buys.","name":"buy",` +
		`"subject":"Order"},{"actions":[{"name":"fly"}],"name":"book","subject":"Trip"}]`
	if string(got) != want {
		t.Errorf("the sagas are %s, want %s", got, want)
	}
}
