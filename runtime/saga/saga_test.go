package saga_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/acemq/acemq-gen/runtime/saga"
)

var (
	errFull  = errors.New("the couriers are full")
	errStuck = errors.New("the bank is closed")
)

// script is a saga whose functions do what the test says and write down that they were called.
type script struct {
	calls []string
	does  map[string]func(ctx context.Context) error // by the name of the function; the others succeed
}

// action returns an action with an undo called "undo …", unless undo is "".
func (s *script) action(name, undo string) saga.Action[int] {
	a := saga.Action[int]{Name: name, Do: s.function(name)}
	if undo != "" {
		a.Undo = s.function(undo)
	}
	return a
}

func (s *script) function(name string) saga.Func[int] {
	return func(ctx context.Context, subject int) error {
		s.calls = append(s.calls, fmt.Sprint(name, " ", subject))
		if do := s.does[name]; do != nil {
			return do(ctx)
		}
		return nil
	}
}

func (s *script) placeOrder() saga.Saga[int] {
	return saga.Saga[int]{Name: "place-order", Actions: []saga.Action[int]{
		s.action("pay", "refund"), s.action("look", ""), s.action("reserve", "release"), s.action("book", "cancel"),
	}}
}

func fails(err error) func(context.Context) error { return func(context.Context) error { return err } }
func panics(value any) func(context.Context) error {
	return func(context.Context) error { panic(value) }
}
func leaves(context.Context) error { runtime.Goexit(); return nil }
func quiet() saga.Option           { return saga.WithLogger(nil) }
func does(name string, f func(context.Context) error) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{name: f}
}

func TestRun(t *testing.T) {
	all := []string{"pay", "look", "reserve", "book"}
	tests := []struct {
		name        string
		does        map[string]func(context.Context) error
		calls       string
		completed   []string
		failed      string
		err         string
		compensated []string
		unresolved  []string
	}{
		{name: "nothing fails", calls: "pay look reserve book", completed: all},
		{name: "the first fails", does: does("pay", fails(errFull)), calls: "pay", failed: "pay", err: errFull.Error()},
		{name: "the last fails", does: does("book", fails(errFull)), calls: "pay look reserve book release refund",
			completed: all[:3], failed: "book", err: errFull.Error(), compensated: []string{"reserve", "pay"}},
		{name: "one in the middle fails", does: does("reserve", fails(errFull)), calls: "pay look reserve refund",
			completed: all[:2], failed: "reserve", err: errFull.Error(), compensated: []string{"pay"}},
		{name: "one panics", does: does("book", panics("no luck")), calls: "pay look reserve book release refund",
			completed: all[:3], failed: "book", err: "it panicked: no luck", compensated: []string{"reserve", "pay"}},
		{name: "one panics with nil", does: does("pay", panics(nil)), calls: "pay", failed: "pay", err: "it panicked: panic called with nil"},
		{name: "one ends its goroutine", does: does("look", leaves), calls: "pay look refund", completed: all[:1],
			failed: "look", err: "it ended its goroutine", compensated: []string{"pay"}},
		{name: "one undo fails",
			does:  map[string]func(context.Context) error{"book": fails(errFull), "release": fails(errStuck)},
			calls: "pay look reserve book release refund", completed: all[:3], failed: "book", err: errFull.Error(),
			compensated: []string{"pay"}, unresolved: []string{"reserve: the bank is closed"}},
		{name: "every undo fails, each in its own way",
			does:  map[string]func(context.Context) error{"book": fails(errFull), "release": panics(errStuck), "refund": leaves},
			calls: "pay look reserve book release refund", completed: all[:3], failed: "book", err: errFull.Error(),
			unresolved: []string{"reserve: it panicked: the bank is closed", "pay: it ended its goroutine and returned nothing"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &script{does: test.does}
			got := s.placeOrder().Run(t.Context(), 7, quiet())
			var calls, unresolved []string
			for _, name := range strings.Fields(test.calls) {
				calls = append(calls, name+" 7")
			}
			for _, u := range got.Unresolved {
				unresolved = append(unresolved, u.String())
			}
			wantList(t, "the calls", s.calls, calls)
			wantList(t, "what was completed", got.Completed, test.completed)
			wantList(t, "what was compensated", got.Compensated, test.compensated)
			wantList(t, "what is unresolved", unresolved, test.unresolved)
			if got.Saga != "place-order" || got.Failed != test.failed || got.Succeeded() != (test.err == "") ||
				got.HasUnresolved() != (len(test.unresolved) > 0) {
				t.Errorf("the result is %+v", got)
			}
			if test.err != "" && (got.Err == nil || !strings.HasPrefix(got.Err.Error(), test.err)) {
				t.Errorf("the error is %v, want %q", got.Err, test.err)
			}
		})
	}
}

// What was returned and what was panicked with are found in the result.
func TestErrorsAreFound(t *testing.T) {
	for _, f := range []func(context.Context) error{fails(errFull), panics(errFull), panics(fmt.Errorf("booking: %w", errFull))} {
		s := &script{does: does("book", f)}
		if err := s.placeOrder().Run(t.Context(), 1, quiet()).Err; !errors.Is(err, errFull) {
			t.Errorf("the error is %v", err)
		}
	}
	s := &script{does: does("book", panics("no luck"))}
	var panicked *saga.PanicError
	if err := s.placeOrder().Run(t.Context(), 1, quiet()).Err; !errors.As(err, &panicked) ||
		!bytes.Contains(panicked.Stack, []byte("panics")) {
		t.Errorf("the error is %v, with the stack\n%s", err, panicked.Stack)
	}
}

// The end of the context is the end of the way forward, and not of the way back.
func TestCancellation(t *testing.T) {
	cause := errors.New("the customer left")
	key := struct{ string }{"tenant"}
	for _, test := range []struct {
		name, cancelIn      string
		failed, compensated string
	}{
		{"before the first", "", "pay", ""},
		{"in an action that goes on", "look", "reserve", "pay"},
		{"in the last action", "book", "", ""},
		{"in an undo", "refund", "book", "reserve pay"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.WithValue(t.Context(), key, "acme"))
			s := &script{does: make(map[string]func(context.Context) error)}
			s.does[test.cancelIn] = func(context.Context) error { cancel(cause); return nil }
			if test.cancelIn == "refund" {
				s.does["book"] = fails(cause)
			}
			for _, undo := range []string{"release", "cancel"} {
				s.does[undo] = func(ctx context.Context) error {
					if ctx.Err() != nil || ctx.Value(key) != "acme" {
						t.Errorf("%s has the context %v", undo, ctx)
					}
					return nil
				}
			}
			if test.cancelIn == "" {
				cancel(cause)
			}
			got := s.placeOrder().Run(ctx, 1, quiet())
			if got.Failed != test.failed || got.HasUnresolved() || test.failed != "" && !errors.Is(got.Err, cause) {
				t.Errorf("the result is %+v", got)
			}
			wantList(t, "what was compensated", got.Compensated, strings.Fields(test.compensated))
		})
	}
}

func TestUndoWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		s := &script{does: map[string]func(context.Context) error{"book": fails(errFull), "release": hangs, "refund": hangs}}
		start := time.Now()
		got := s.placeOrder().Run(t.Context(), 1, quiet(), saga.UndoWithin(time.Minute))
		if len(got.Unresolved) != 2 || !errors.Is(got.Unresolved[1].Err, context.DeadlineExceeded) {
			t.Errorf("the result is %+v", got)
		}
		if took := time.Since(start); took != 2*time.Minute {
			t.Errorf("it took %v", took)
		}
	})
}

// What happened is told to the observer and to the log, in order, and an observer that panics changes nothing.
func TestEvents(t *testing.T) {
	s := &script{does: map[string]func(context.Context) error{"book": fails(errFull), "release": fails(errStuck)}}
	var out bytes.Buffer
	var events []saga.Event
	got := s.placeOrder().Run(t.Context(), 1, saga.WithLogger(slog.New(slog.NewTextHandler(&out, nil))),
		saga.WithObserver(func(e saga.Event) { events = append(events, e); panic("the observer") }))
	wantList(t, "what was compensated", got.Compensated, []string{"pay"})
	want := []saga.Event{
		{Name: "acemq.saga.compensating", Saga: "place-order", Action: "book", Err: errFull},
		{Name: "acemq.saga.unresolved", Saga: "place-order", Action: "reserve", Err: errStuck},
	}
	if !reflect.DeepEqual(events, want) {
		t.Errorf("the events are %+v", events)
	}
	for _, line := range []string{
		`level=WARN .* event=acemq.saga.compensating saga=place-order action=book error="the couriers are full"`,
		`level=ERROR .* event=acemq.saga.unresolved saga=place-order action=reserve error="the bank is closed"`,
	} {
		start, end, _ := strings.Cut(line, " .* ")
		if !slices.ContainsFunc(strings.Split(out.String(), "\n"), func(l string) bool {
			return strings.Contains(l, start) && strings.HasSuffix(l, end)
		}) {
			t.Errorf("there is no line %q in\n%s", line, &out)
		}
	}
}

// A saga that is wrong says everything that is, and nothing of it runs.
func TestCheck(t *testing.T) {
	s := new(script)
	fine := s.action("pay", "refund")
	tests := []struct {
		name string
		saga saga.Saga[int]
		want []string
	}{
		{"the zero saga", saga.Saga[int]{}, []string{"it has no name", "it has no actions"}},
		{"no name", saga.Saga[int]{Actions: []saga.Action[int]{fine}}, []string{"it has no name"}},
		{"no actions", saga.Saga[int]{Name: "s"}, []string{"it has no actions"}},
		{"actions", saga.Saga[int]{Name: "s", Actions: []saga.Action[int]{fine, s.action("", ""), fine, {Name: "idle"}, {}}},
			[]string{"action 2 has no name", `action 3 has the name of action 1, "pay"`, `action 4, "idle", does nothing`,
				"action 5 has no name", `action 5, "", does nothing`}},
	}
	for _, test := range tests {
		err := test.saga.Check()
		if err == nil {
			t.Errorf("%s: no error", test.name)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != len(test.want) {
			t.Errorf("%s: got %q", test.name, lines)
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %q, want %q", test.name, err, want)
			}
		}
		got := test.saga.Run(t.Context(), 1, quiet())
		if got.Err == nil || got.Err.Error() != err.Error() || got.Succeeded() || len(s.calls) > 0 {
			t.Errorf("%s: the result is %+v", test.name, got)
		}
	}
	if err := (&script{}).placeOrder().Check(); err != nil {
		t.Error(err)
	}
}

func wantList(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s are %q, want %q", what, got, want)
	}
}
