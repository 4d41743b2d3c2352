package saga_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/saga"
)

// A run reports to the observers and the logger of a connection.
func TestReportTo(t *testing.T) {
	var log bytes.Buffer
	var events []acemq.Event
	observer := acemq.ObserverFunc(func(_ context.Context, e acemq.Event) { events = append(events, e) })
	conn, err := acemq.Dial(t.Context(), "memory://saga", acemq.WithObserver(observer),
		acemq.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	s := script{does: map[string]func(context.Context) error{"book": fails(errFull), "refund": fails(errStuck)}}
	s.placeOrder().Run(t.Context(), 1, saga.ReportTo(conn))
	want := []acemq.Event{
		{Name: acemq.EventSagaCompensating, Saga: "place-order", Step: "book", Err: errFull},
		{Name: acemq.EventSagaUnresolved, Saga: "place-order", Step: "pay", Err: errStuck},
	}
	if len(events) != len(want) {
		t.Fatalf("observed %+v", events)
	}
	for i, e := range events {
		if !errors.Is(e.Err, want[i].Err) {
			t.Errorf("event %d: the error is %v", i, e.Err)
		}
		if e.Err = want[i].Err; e != want[i] {
			t.Errorf("event %d is %+v, want %+v", i, e, want[i])
		}
	}
	if !strings.Contains(log.String(), "acemq.saga.unresolved") {
		t.Errorf("the log is %s", log.String())
	}
}
