package asyncapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/acemq/acemq-gen/gen"
	"github.com/acemq/acemq-gen/gen/asyncapi"
	"github.com/acemq/acemq-gen/gen/load"
)

// object is a JSON object.
type object = map[string]any

// documentOf returns the document of packages, as JSON.
func documentOf(t *testing.T, dir string, patterns ...string) []byte {
	t.Helper()
	declared, err := gen.Flows(t.Context(), load.Config{Dir: dir, Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	schemas, mistakes := declared.Schemas()
	if all := append(declared.Diagnostics, mistakes...); all.Failed() {
		t.Fatal(all)
	}
	document, err := asyncapi.Of(declared.Flows, schemas)
	if err != nil {
		t.Fatal(err)
	}
	return rendered(t, document)
}

// rendered returns a document as JSON, and holds its YAML against it.
func rendered(t *testing.T, document *asyncapi.Document) []byte {
	t.Helper()
	var text, other bytes.Buffer
	if err := document.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	if err := document.WriteYAML(&other); err != nil {
		t.Fatal(err)
	}
	var fromYAML any
	if err := yaml.Unmarshal(other.Bytes(), &fromYAML); err != nil {
		t.Fatalf("%v\n%s", err, &other)
	}
	again, err := json.Marshal(fromYAML)
	if err != nil {
		t.Fatal(err)
	}
	straight, err := json.Marshal(decoded(t, text.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again, straight) {
		t.Errorf("as YAML, the document is\n%s\nand as JSON\n%s", again, straight)
	}
	return text.Bytes()
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	value, err := validator.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// published returns the JSON Schema of AsyncAPI 3.0.0.
func published(t *testing.T) *validator.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "asyncapi-3.0.0.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	c.AssertFormat()
	const at = "http://asyncapi.com/definitions/3.0.0/asyncapi.json"
	if err := c.AddResource(at, decoded(t, text)); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(at)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// validate holds a document against the published schema, and against the rules of the specification that no JSON Schema
// can say.
func validate(t *testing.T, schema *validator.Schema, text []byte) {
	t.Helper()
	document := decoded(t, text)
	if err := schema.Validate(document); err != nil {
		t.Errorf("the document is not valid: %v", err)
	}
	for _, fault := range faults(document.(object)) {
		t.Error(fault)
	}
	for name := range payloads(t, text) {
		payload(t, text, name)
	}
}

// faults returns how a document breaks the rules of the specification.
func faults(document object) []string {
	all := dangling(document, document)
	for name, c := range part(document, "channels") {
		all = append(all, parameterFaults(name, c.(object))...)
	}
	for name, o := range part(document, "operations") {
		all = append(all, messageFaults(document, name, o.(object))...)
		if answer, is := o.(object)["reply"].(object); is {
			all = append(all, messageFaults(document, name+".reply", answer)...)
		}
	}
	for kind, parts := range part(document, "components") {
		for name := range parts.(object) {
			if !componentName.MatchString(name) {
				all = append(all, fmt.Sprintf("%q is no name for one of the %s", name, kind))
			}
		}
	}
	slices.Sort(all)
	return all
}

var (
	componentName = regexp.MustCompile(`^[a-zA-Z0-9.\-_]+$`)
	expression    = regexp.MustCompile(`\{([^{}]*)\}`)
)

// dangling returns the references in a value that lead nowhere.
func dangling(document object, value any) []string {
	var all []string
	switch value := value.(type) {
	case object:
		for name, part := range value {
			if ref, is := part.(string); is && name == "$ref" {
				if _, found := resolve(document, ref); !found {
					all = append(all, ref+" leads nowhere")
				}
				continue
			}
			all = append(all, dangling(document, part)...)
		}
	case []any:
		for _, part := range value {
			all = append(all, dangling(document, part)...)
		}
	}
	return all
}

// resolve returns what a reference leads to.
func resolve(document object, ref string) (any, bool) {
	rest, inside := strings.CutPrefix(ref, "#/")
	var at any = document
	for name := range strings.SplitSeq(rest, "/") {
		parts, is := at.(object)
		if at, inside = parts[name], inside && is && parts[name] != nil; !inside {
			return nil, false
		}
	}
	return at, true
}

// parameterFaults holds the parameters of a channel against its address: each is in both, or in none.
func parameterFaults(name string, channel object) []string {
	address, _ := channel["address"].(string)
	var used []string
	for _, match := range expression.FindAllStringSubmatch(address, -1) {
		used = append(used, match[1])
	}
	slices.Sort(used)
	declared := slices.Sorted(maps.Keys(part(channel, "parameters")))
	if !slices.Equal(used, declared) {
		return []string{fmt.Sprintf("channel %s has the address %s and the parameters %v", name, address, declared)}
	}
	return nil
}

// messageFaults holds the messages of an operation or a reply against those of its channel.
func messageFaults(document object, name string, user object) []string {
	var all []string
	channel := user["channel"].(object)["$ref"].(string)
	for _, m := range user["messages"].([]any) {
		if ref := m.(object)["$ref"].(string); !strings.HasPrefix(ref, channel+"/messages/") {
			all = append(all, fmt.Sprintf("%s has the message %s, which is not of its channel %s", name, ref, channel))
		}
	}
	if at, found := resolve(document, channel); user["address"] != nil && (!found || at.(object)["address"] != nil) {
		all = append(all, fmt.Sprintf("%s has an address, and so has its channel", name))
	}
	return all
}

// part returns an object in an object, nil where there is none.
func part(of object, name string) object {
	found, _ := of[name].(object)
	return found
}

// payloads returns the messages of a document that have a payload.
func payloads(t *testing.T, text []byte) object {
	t.Helper()
	all := object{}
	for name, m := range part(part(decoded(t, text).(object), "components"), "messages") {
		if payload := part(m.(object), "payload"); payload != nil {
			all[name] = payload
		}
	}
	return all
}

// payload returns the schema of a message's payload where it stands in the document.
func payload(t *testing.T, text []byte, name string) *validator.Schema {
	t.Helper()
	c := validator.NewCompiler()
	c.DefaultDraft(validator.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("mem:///asyncapi.json", decoded(t, text)); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("mem:///asyncapi.json#/components/messages/" + name + "/payload/schema")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
