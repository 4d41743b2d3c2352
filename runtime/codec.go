package acemq

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"reflect"
	"strings"
	"unicode/utf8"
)

// Codec turns messages into bodies and back. Its methods are called concurrently.
//
// A connection has one, JSON by default ([WithCodec]); a route ([Route]) and a consumer ([DecodeWith]) may have their
// own.
type Codec interface {
	// ContentType returns the content type of the bodies that Encode makes.
	ContentType() string

	// Reads reports whether Decode takes bodies of a content type, which is empty where a message has none. A message
	// that the codec does not read is parked.
	Reads(contentType string) bool

	// Encode returns the body for the message that the pointer v points to.
	Encode(v any) ([]byte, error)

	// Decode reads a body into the message that the pointer v points to. A message that fails to decode is parked.
	Decode(contentType string, body []byte, v any) error
}

// The codecs of this package (contract: codecs, content types).
var (
	// JSON writes application/json with encoding/json. It reads that with any parameters, text/json, every
	// application/…+json, and a message without a content type.
	JSON Codec = jsonCodec{}

	// Text writes a string, or a type made of one, as text/plain in UTF-8, and reads text/*. It refuses what is not
	// UTF-8.
	Text Codec = textCodec{}

	// Bytes writes a []byte, or a type made of one, as it is, as application/octet-stream. It reads anything.
	Bytes Codec = bytesCodec{}
)

type jsonCodec struct{}

func (jsonCodec) ContentType() string { return "application/json" }

func (jsonCodec) Reads(contentType string) bool {
	if contentType == "" || contentType == "application/json" {
		return true
	}
	kind := mediaType(contentType)
	return kind == "application/json" || kind == "text/json" ||
		strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")
}

func (jsonCodec) Encode(v any) ([]byte, error)              { return json.Marshal(v) }
func (jsonCodec) Decode(_ string, body []byte, v any) error { return json.Unmarshal(body, v) }

type textCodec struct{}

func (textCodec) ContentType() string { return "text/plain; charset=utf-8" }

func (textCodec) Reads(contentType string) bool {
	return strings.HasPrefix(mediaType(contentType), "text/")
}

func (textCodec) Encode(v any) ([]byte, error) {
	text := reflect.ValueOf(v).Elem()
	if text.Kind() != reflect.String {
		return nil, wrongType("text", v)
	}
	if !utf8.ValidString(text.String()) {
		return nil, errNotUTF8
	}
	return []byte(text.String()), nil
}

func (textCodec) Decode(_ string, body []byte, v any) error {
	text := reflect.ValueOf(v).Elem()
	if text.Kind() != reflect.String {
		return wrongType("text", v)
	}
	if !utf8.Valid(body) {
		return errNotUTF8
	}
	text.SetString(string(body))
	return nil
}

var errNotUTF8 = errors.New("the text is not UTF-8")

type bytesCodec struct{}

func (bytesCodec) ContentType() string { return "application/octet-stream" }

func (bytesCodec) Reads(string) bool { return true }

func (bytesCodec) Encode(v any) ([]byte, error) {
	raw := reflect.ValueOf(v).Elem()
	if !isBytes(raw.Type()) {
		return nil, wrongType("bytes", v)
	}
	return bytes.Clone(raw.Bytes()), nil
}

func (bytesCodec) Decode(_ string, body []byte, v any) error {
	body = bytes.Clone(body) // a retry sends the body as it was received, whatever the handler does to its own
	if plain, is := v.(*[]byte); is {
		*plain = body
		return nil
	}
	raw := reflect.ValueOf(v).Elem()
	if !isBytes(raw.Type()) {
		return wrongType("bytes", v)
	}
	raw.SetBytes(body)
	return nil
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

func wrongType(codec string, v any) error {
	return fmt.Errorf("the %s codec takes no %v", codec, reflect.TypeOf(v).Elem())
}

// mediaType returns a content type in lower case and without its parameters. What cannot be parsed is taken as it
// stands, up to the first semicolon: foreign publishers write all kinds of parameters.
func mediaType(contentType string) string {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind, _, _ = strings.Cut(contentType, ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
	}
	return kind
}

// unreadable says that a codec does not read a content type.
func unreadable(codec Codec, contentType string) error {
	if contentType == "" {
		contentType = "none"
	}
	return fmt.Errorf("the content type is %s, and the consumer reads %s", contentType, codec.ContentType())
}
