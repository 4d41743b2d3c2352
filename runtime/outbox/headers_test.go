package outbox_test

import (
	"testing"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/outbox"
	"github.com/acemq/acemq-gen/runtime/wire"
)

func TestFormOfStoredHeaders(t *testing.T) {
	for _, test := range []struct {
		headers acemq.Headers
		want    string
	}{
		{nil, `{}`},
		{acemq.Headers{"b": "text", "a": int64(1)}, `{"a":1,"b":"text"}`},
		{acemq.Headers{"n": 7}, `{"n":7}`},
		{acemq.Headers{"n": int32(7)}, `{"n":{"int32":7}}`},
		{acemq.Headers{"f": 3.0}, `{"f":{"float64":"3"}}`},
		{acemq.Headers{"b": []byte{0, 1}}, `{"b":{"bytes":"AAE="}}`},
		{acemq.Headers{"t": wire.Table{"int32": "x"}}, `{"t":{"table":{"int32":"x"}}}`},
		{acemq.Headers{"l": []any{nil, true, int8(-1)}}, `{"l":[null,true,{"int8":-1}]}`},
	} {
		got, err := outbox.EncodeHeaders(test.headers)
		if err != nil || got != test.want {
			t.Errorf("%v is stored as %s, %v, want %s", test.headers, got, err, test.want)
		}
	}
}

func TestStoredHeadersThatAreSpoiled(t *testing.T) {
	for _, text := range []string{
		``, `[]`, `{"a":`, `{"a":1.5}`, `{"a":{}}`, `{"a":{"int32":1,"int8":1}}`, `{"a":{"int128":1}}`, `{"a":{"int8":128}}`,
		`{"a":{"int32":"1"}}`, `{"a":{"uint8":-1}}`, `{"a":{"bytes":"?"}}`, `{"a":{"table":[]}}`, `{"a":{"decimal":[1]}}`,
		`{"a":{"decimal":[256,1]}}`, `{"a":{"float64":"x"}}`, `{"a":[{"x":1}]}`, `{"a":9223372036854775808}`,
	} {
		if headers, err := outbox.DecodeHeaders(text); err == nil {
			t.Errorf("%s was read as %v", text, headers)
		}
	}
}
