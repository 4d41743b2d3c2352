package asyncapi_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
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
