package acemq

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

type shipped struct {
	Courier string `json:"courier"`
}

// note keeps which case took a message.
func taken[T any](log *[]string, name string) Handler[T] {
	return func(context.Context, *Message[T]) Ack {
		*log = append(*log, name)
		return Accept()
	}
}

func TestDispatch(t *testing.T) {
	for _, c := range []struct {
		name    string
		kind    string
		version int32
		want    string // the case; empty: parked
	}{
		{"an exact match", "order.placed", 1, "placed 1"},
		{"an exact match of the newest", "order.placed", 3, "placed 3"},
		{"a version between cases", "order.placed", 2, "placed 3"},
		{"a version after all cases", "order.placed", 9, "placed 3"},
		{"another type", "order.shipped", 1, "shipped 2"},
		{"an unknown type", "order.lost", 1, ""},
		{"no type: the routing key", "", 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				var log []string
				consumer, err := Dispatch(r.Context(), r.conn, Queue{Name: work}, []Case{
					On("order.placed", 3, taken[placed](&log, "placed 3")),
					On("order.placed", 1, taken[order](&log, "placed 1")),
					On("order.shipped", 2, taken[shipped](&log, "shipped 2")),
				})
				if err != nil {
					r.Fatal(err)
				}
				headers := Headers{wire.HeaderVersion: c.version}
				if c.kind != "" {
					headers[wire.HeaderType] = c.kind
				}
				r.put(transport.Message{Key: work, MessageID: "1", Body: []byte(`{}`), Headers: headers})
				synctest.Wait()
				if c.want != "" {
					wantList(r, "the cases", log, []string{c.want})
					return
				}
				r.wantCounts(consumer, Counts{Parked: 1})
				wantEqual(r, "the cases called", len(log), 0)
				reason, _ := r.takeOne("work.parked").Headers[wire.HeaderError].(string)
				kind := c.kind
				if kind == "" {
					kind = work
				}
				for _, part := range []string{kind, "order.placed version 1", "order.placed version 3", "order.shipped version 2"} {
					if !strings.Contains(reason, part) {
						r.Errorf("the reason %q does not name %s", reason, part)
					}
				}
			})
		})
	}
}

func TestWhatADispatcherRefuses(t *testing.T) {
	handler := taken[order](new([]string), "")
	for name, cases := range map[string][]Case{
		"no case":           nil,
		"one case twice":    {On("a", 1, handler), On("b", 1, handler), On("a", 1, handler)},
		"a case of no type": {On("", 1, handler)},
		"version 0":         {On("a", 0, handler)},
		"no handler":        {On[order]("a", 1, nil)},
	} {
		bubble(t, func(r *rig) {
			if _, err := Dispatch(r.Context(), r.conn, Queue{Name: work}, cases); err == nil {
				r.Errorf("%s: taken, want an error", name)
			}
		})
	}
}
