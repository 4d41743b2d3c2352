package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
)

// replayFilter says which messages are moved: those for which all of it holds.
type replayFilter struct {
	id      string
	kind    string
	cause   string
	older   time.Duration
	newer   time.Duration
	headers headerFlags
}

func (f *replayFilter) define(flags *flag.FlagSet) {
	flags.StringVar(&f.id, "id", "", "only the message with this id")
	flags.StringVar(&f.kind, "type", "", "only messages of this type, order.placed for one")
	flags.StringVar(&f.cause, "error", "", "only messages whose error contains this text, in upper or lower case")
	flags.DurationVar(&f.older, "older", 0, "only messages first published longer ago than this, 90m or 36h for one")
	flags.DurationVar(&f.newer, "newer", 0, "only messages first published less long ago than this")
	flags.Var(&f.headers, "header", "only messages with this header, name=value; may be repeated, and all must hold")
}

func (f *replayFilter) check() error {
	switch {
	case f.older < 0 || f.newer < 0:
		return errors.New("an age is negative: say how long ago, as in -older 90m")
	case f.older > 0 && f.newer > 0 && f.older >= f.newer:
		return fmt.Errorf("no message is both older than %v and newer than %v", f.older, f.newer)
	}
	return nil
}

// matches reports whether a message is to be moved.
func (f *replayFilter) matches(m *acemq.Message[[]byte]) bool {
	age := m.Envelope.Age(time.Now())
	switch {
	case f.id != "" && m.Envelope.ID != f.id:
	case f.kind != "" && m.Envelope.Type != f.kind:
	case !strings.Contains(strings.ToLower(m.Envelope.Error), strings.ToLower(f.cause)):
	case f.older > 0 && age <= f.older:
	case f.newer > 0 && age >= f.newer:
	default:
		return f.headers.match(m.WireHeaders())
	}
	return false
}

// headerFlags are the headers that a message must have, by name.
type headerFlags map[string]string

// String implements flag.Value.
func (h headerFlags) String() string { return "" }

// Set implements flag.Value.
func (h *headerFlags) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return errors.New("say name=value")
	}
	if other, twice := (*h)[name]; twice && other != value {
		return fmt.Errorf("no message has %s=%s too", name, other)
	}
	if *h == nil {
		*h = make(headerFlags)
	}
	(*h)[name] = value
	return nil
}

// match reports whether headers have all that are asked for. Numbers and the like are compared as they are printed.
func (h headerFlags) match(headers acemq.Headers) bool {
	for name, want := range h {
		value, found := headers[name]
		if text, ok := value.([]byte); ok {
			value = string(text)
		}
		if !found || fmt.Sprint(value) != want {
			return false
		}
	}
	return true
}
