package main

import (
	"testing"

	acemq "github.com/acemq/acemq-gen/runtime"
)

func TestTrail(t *testing.T) {
	trail := newTrail()
	conn, err := acemq.Dial(t.Context(), "memory://"+t.Name(), acemq.WithInterceptor(trail.interceptor()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	route := acemq.Route[string]{Key: "nowhere", Type: "greeting", Version: 1}
	if err := acemq.NewPublisher(conn, route).Publish(t.Context(), "hello"); err == nil {
		t.Error("a message without a queue was confirmed")
	}
	route.Optional, route.Type = true, "rumour"
	for range 2 {
		if err := acemq.NewPublisher(conn, route).Publish(t.Context(), "hello"); err != nil {
			t.Error(err)
		}
	}
	if got, want := trail.String(), "confirmed 2 rumour; not confirmed 1 greeting"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
