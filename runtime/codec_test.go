package acemq

import (
	"bytes"
	"strings"
	"testing"
)

func TestContentTypes(t *testing.T) {
	types := []string{
		"", "application/json", "application/json; charset=utf-8", "Application/JSON;odata=minimal", "text/json",
		"application/vnd.orders+json", "application/problem+json; v=2", "application/json;broken=\"",
		"text/plain", "text/plain; charset=utf-8", "text/csv", "application/octet-stream", "application/xml",
		"application/jsonx", "json", "image/vnd+json",
	}
	// One letter for each codec that reads the type.
	want := []string{
		"jb", "jb", "jb", "jb", "jtb",
		"jb", "jb", "jb",
		"tb", "tb", "tb", "b", "b",
		"b", "b", "b",
	}
	for i, contentType := range types {
		got := ""
		for letter, codec := range map[string]Codec{"j": JSON, "t": Text, "b": Bytes} {
			if codec.Reads(contentType) {
				got += letter
			}
		}
		for _, letter := range []string{"j", "t", "b"} {
			if strings.Contains(got, letter) != strings.Contains(want[i], letter) {
				t.Errorf("content type %q is read by %q, want %q", contentType, got, want[i])
			}
		}
	}
}

type note string

func TestCodecsRoundTrip(t *testing.T) {
	text, named, raw := "grüß dich", note("a note"), []byte{0, 0xff, 1}
	for _, c := range []struct {
		codec    Codec
		in, into any
		body     string
		same     func(into any) bool
	}{
		{JSON, &order{"1"}, new(order), `{"id":"1"}`, func(v any) bool { return *v.(*order) == order{"1"} }},
		{Text, &text, new(string), text, func(v any) bool { return *v.(*string) == text }},
		{Text, &named, new(note), "a note", func(v any) bool { return *v.(*note) == named }},
		{Bytes, &raw, new([]byte), string(raw), func(v any) bool { return bytes.Equal(*v.(*[]byte), raw) }},
	} {
		body, err := c.codec.Encode(c.in)
		if err != nil || string(body) != c.body {
			t.Errorf("%T encodes %v as %q, %v; want %q", c.codec, c.in, body, err, c.body)
		}
		if err := c.codec.Decode(c.codec.ContentType(), body, c.into); err != nil || !c.same(c.into) {
			t.Errorf("%T decodes %q as %v, %v", c.codec, body, c.into, err)
		}
		if !c.codec.Reads(c.codec.ContentType()) {
			t.Errorf("%T does not read what it writes", c.codec)
		}
	}
}

func TestCodecsRefuse(t *testing.T) {
	broken := "\xff\xfe"
	for name, err := range map[string]error{
		"text that is not UTF-8, read":    Text.Decode("text/plain", []byte(broken), new(string)),
		"text that is not UTF-8, written": encodeError(Text, &broken),
		"a struct as text":                encodeError(Text, &order{}),
		"a struct from text":              Text.Decode("text/plain", nil, &order{}),
		"a struct as bytes":               encodeError(Bytes, &order{}),
		"a struct from bytes":             Bytes.Decode("", nil, &order{}),
		"numbers as bytes":                encodeError(Bytes, &[]int{1}),
		"JSON with something behind it":   JSON.Decode("", []byte(`{"id":"1"} x`), &order{}),
		"JSON of another shape":           JSON.Decode("", []byte(`{"id":1}`), &order{}),
		"no body as JSON":                 JSON.Decode("", nil, &order{}),
		"a channel as JSON":               encodeError(JSON, new(chan int)),
	} {
		if err == nil {
			t.Errorf("%s: taken, want an error", name)
		}
	}
}

func encodeError(c Codec, v any) error {
	_, err := c.Encode(v)
	return err
}

// A payload belongs to its receiver: neither side changes when the other does.
func TestBytesAreNotShared(t *testing.T) {
	mine := []byte("abc")
	body, err := Bytes.Encode(&mine)
	if err != nil {
		t.Fatal(err)
	}
	mine[0] = 'x'
	var theirs []byte
	if err := Bytes.Decode("", body, &theirs); err != nil {
		t.Fatal(err)
	}
	theirs[1] = 'x'
	if string(body) != "abc" {
		t.Errorf("the body is %q, want abc", body)
	}
}
