package ordered

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/transport"
)

// Each delivery is observed as it arrives and once as it ends, whatever becomes of it.
func TestObserve(t *testing.T) {
	const (
		acked  = "acemq.consume.total queue=ledger.0 message.type=ledger.entry outcome=acked"
		failed = "acemq.consume.total queue=ledger.0 message.type=ledger.entry outcome=dead_lettered"
		parked = "acemq.consume.total queue=ledger.0 message.type=note outcome=parked"
		flight = "acemq.consume.in.flight queue=ledger.0"
	)
	bubble(t, Declaration{Name: "ledger", Partitions: 1, OnFailure: Skip, Attempts: 2, Delay: time.Minute}, func(r *rig) {
		var mu sync.Mutex
		sums := make(map[string]float64)
		observer := acemq.ObserverFunc(func(_ context.Context, e acemq.Event) {
			mu.Lock()
			defer mu.Unlock()
			for _, m := range e.Metrics() {
				name := m.Name
				for _, tag := range m.Tags {
					name += fmt.Sprintf(" %s=%s", tag.Key, tag.Value)
				}
				sums[name] += m.Value
			}
		})
		conn, err := acemq.Dial(r.Context(), "memory://"+r.name, acemq.WithObserver(observer))
		if err != nil {
			r.Fatal(err)
		}
		defer conn.Close(context.Background())
		r.send("a", 1, 3)
		r.put(transport.Message{Key: "ledger.0", MessageID: "note", Body: []byte("?"), ContentType: "application/json",
			Headers: acemq.Headers{"x-acemq-type": "note"}, Copy: true})
		cut := false
		r.consume(conn, func(_ context.Context, m *acemq.Message[entry]) error {
			time.Sleep(time.Second)
			switch {
			case m.Payload.Number == 2:
				return errors.New("busy")
			case m.Payload.Number == 3 && !cut:
				cut = true
				r.server.Cut()
				return errors.New("cut off")
			}
			return nil
		})
		r.sleep(time.Hour)
		mu.Lock()
		defer mu.Unlock()
		got := maps.Clone(sums)
		maps.DeleteFunc(got, func(name string, _ float64) bool {
			return !strings.HasPrefix(name, "acemq.consume.total") && !strings.HasPrefix(name, "acemq.consume.in")
		})
		want := map[string]float64{acked: 2, failed: 1, parked: 1, flight: 0}
		if !maps.Equal(got, want) {
			r.Errorf("measured %v,\nwant %v", got, want)
		}
		name := strings.Replace(failed, "total", "duration", 1)
		if sums[name] != 1 {
			r.Errorf("%s is %v", name, sums[name])
		}
	})
}
