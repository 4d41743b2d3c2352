package asyncapi_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/acemq/acemq-gen/runtime/wire"
)

// TestHeadersAreThoseOfTheContract holds the headers of a message in the document against those that the runtime writes.
func TestHeadersAreThoseOfTheContract(t *testing.T) {
	text := documentOf(t, ordersDir(t))
	c := validator.NewCompiler()
	if err := c.AddResource("mem:///asyncapi.json", decoded(t, text)); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("mem:///asyncapi.json#/components/messages/order.placed.v1/headers")
	if err != nil {
		t.Fatal(err)
	}
	envelope := wire.Envelope{
		ID: "1", Type: "order.placed", Version: 1, Correlation: "1", Causation: "0", Origin: "shop@host", Attempt: 1,
		FirstSeen: time.Now(), Error: "none", Claim: "s3://bucket/1",
		Route: wire.Route{Steps: "pack,ship", Position: 1, ID: "2"},
	}
	for i, v := 0, reflect.ValueOf(envelope); i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Errorf("the test leaves %s out", v.Type().Field(i).Name)
		}
	}
	written, err := json.Marshal(envelope.Headers(nil))
	if err != nil {
		t.Fatal(err)
	}
	headers := decoded(t, written).(object)
	if err := schema.Validate(headers); err != nil {
		t.Errorf("the headers are not valid: %v", err)
	}
	if err := schema.Validate(object{}); err != nil {
		t.Errorf("a message without headers is not valid: %v", err)
	}
	listed := in(decoded(t, text).(object), "components", "schemas", "acemq-headers", "properties")
	for name, value := range headers {
		if part(listed, name) == nil {
			t.Errorf("%s is not listed", name)
		}
		headers[name] = []any{value}
		if schema.Validate(headers) == nil {
			t.Errorf("%s may be a list", name)
		}
		headers[name] = value
	}
	for name := range listed {
		if _, found := headers[name]; strings.HasPrefix(name, wire.ReservedPrefix) && !found {
			t.Errorf("%s is listed, and the runtime does not write it", name)
		}
	}
	headers[wire.HeaderType] = "order.billed"
	if schema.Validate(headers) == nil {
		t.Error("a message of another type has the headers of this one")
	}
}
