package asyncapi

import (
	"bytes"
	"encoding/json"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/acemq/acemq-gen/gen/jsontext"
)

// WriteJSON writes the document as JSON, always the same for the same flows.
func (d *Document) WriteJSON(w io.Writer) error {
	return jsontext.Write(w, d)
}

// WriteYAML writes the document as YAML, with the content and the order of its JSON.
func (d *Document) WriteYAML(w io.Writer) error {
	var text bytes.Buffer
	if err := d.WriteJSON(&text); err != nil {
		return err
	}
	decoder := json.NewDecoder(&text)
	decoder.UseNumber()
	node, err := yamlOf(decoder)
	if err != nil {
		return err
	}
	encoder := yaml.NewEncoder(w)
	encoder.SetIndent(2)
	if err := encoder.Encode(node); err != nil {
		return err
	}
	return encoder.Close()
}

// yamlOf returns the next value of JSON as YAML.
func yamlOf(decoder *json.Decoder) (*yaml.Node, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		node := &yaml.Node{Kind: yaml.MappingNode}
		if token == '[' {
			node.Kind = yaml.SequenceNode
		}
		for decoder.More() {
			part, err := yamlOf(decoder)
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, part)
		}
		_, err := decoder.Token() // the end
		return node, err
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: token.String()}, nil
	}
	node := &yaml.Node{}
	return node, node.Encode(token)
}
