package acemq

import (
	"context"
	"crypto/tls"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestDialRefuses(t *testing.T) {
	secret := "s3cr3t-word"
	for name, c := range map[string]struct {
		url  string
		opts []DialOption
		want string
	}{
		"nothing":                  {"", nil, "no scheme"},
		"a host alone":             {"localhost:5672", nil, "no scheme"},
		"a password and no scheme": {"user:" + secret + "@localhost", nil, "no scheme"},
		"another scheme":           {"https://user:" + secret + "@localhost/", nil, `the scheme "https"`},
		"a broken escape":          {"amqp://user:" + secret + "%zz@localhost/", nil, "cannot be read"},
		"a broken port":            {"amqp://user:" + secret + "@localhost:port/", nil, "cannot be read"},
		"a space in the password":  {"amqp://user:" + secret + " x@localhost/", nil, "cannot be read"},
		"a slash in the password":  {"amqp://user:" + secret + "/x@localhost/", nil, "cannot be read"},
		"memory without a name":    {"memory://", nil, "names no broker"},
		"TLS in the clear":         {"amqp://localhost/", []DialOption{WithTLS(&tls.Config{})}, "not encrypted"},
		"TLS in memory":            {"memory://tls", []DialOption{WithTLS(&tls.Config{})}, "WithTLS"},
		"no service":               {"memory://options", []DialOption{WithService("")}, "no name"},
		"no codec":                 {"memory://options", []DialOption{WithCodec(nil)}, "codec is nil"},
		"no logger":                {"memory://options", []DialOption{WithLogger(nil)}, "logger is nil"},
		"no time to publish":       {"memory://options", []DialOption{WithPublishTimeout(0)}, "publish timeout of 0s"},
		"a negative drain timeout": {"memory://options", []DialOption{WithDrainTimeout(-1)}, "drain timeout of -1ns"},
		"nobody listens":           {"amqp://user:" + secret + "@127.0.0.1:1/", nil, "127.0.0.1:1"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			conn, err := Dial(ctx, c.url, append(c.opts, func(*settings) error { return nil })...)
			if err == nil {
				conn.Close(ctx)
				t.Fatal("taken, want an error")
			}
			if text := err.Error(); !strings.Contains(text, c.want) || strings.Contains(text, "\n") {
				t.Errorf("got %q, want one line with %q", text, c.want)
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the password is in %q", err)
			}
		})
	}
}

func TestDialMemory(t *testing.T) {
	ctx := t.Context()
	first, err := Dial(ctx, "memory://dial-test", WithLogger(slog.New(slog.DiscardHandler)), WithCodec(Text))
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close(context.Background())
	second, err := Dial(ctx, "memory://dial-test")
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close(context.Background())
	r := &rig{T: t, conn: first}
	r.declare(Queue{Name: work})
	if err := NewPublisher(first, Route[string]{Key: work}).Publish(ctx, "hello"); err != nil {
		t.Fatal(err)
	}
	got := make(chan string, 1)
	_, err = Consume(ctx, second, Queue{Name: work}, func(_ context.Context, m *Message[string]) Ack {
		got <- m.Payload
		return Accept()
	}, DecodeWith(Text))
	if err != nil {
		t.Fatal(err)
	}
	if text := <-got; text != "hello" {
		t.Errorf("received %q, want hello", text)
	}
	if state := second.State(); !state.Up {
		t.Errorf("the state is %+v, want up", state)
	}
}
