package schedule_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// keeps says which headers the scheduler of another library sends on.
type keeps func(name string) bool

// The schedulers of Go, Python and Java send on what is not reserved, the broker's headers among them; those of .NET
// and Ruby send on the four headers of the contract (contract: scheduling, message between rungs).
var (
	unreserved keeps = func(name string) bool { return !wire.IsReserved(name) }
	four       keeps = func(name string) bool {
		switch name {
		case "x-schedule-exchange", "x-schedule-routing-key", "x-schedule-due-at", "x-schedule-content-type":
			return true
		}
		return false
	}
)

// hopAs takes one message that came out of a rung, and puts it into another as a scheduler of another library does.
func (r *rig) hopAs(k keeps, rung string) {
	r.Helper()
	sub, err := r.conn.Subscribe(r.Context(), transport.Subscription{Queue: wire.ScheduleDueQueue, Prefetch: 1})
	if err != nil {
		r.Fatal(err)
	}
	d := <-sub.Deliveries()
	headers := maps.Clone(d.Headers)
	maps.DeleteFunc(headers, func(name string, _ any) bool { return !k(name) })
	headers["x-acemq-id"], headers["x-acemq-type"] = "hop", "ScheduledMessage"
	r.put(transport.Message{Exchange: "acemq.schedule", Key: rung, MessageID: "hop", Body: d.Body,
		ContentType: "application/octet-stream", Headers: headers})
	if err := d.Ack(); err != nil {
		r.Fatal(err)
	}
	if err := sub.Close(r.Context()); err != nil {
		r.Fatal(err)
	}
}

// A message that passes through the scheduler of another library arrives, and with all that the library leaves of it.
func TestThroughOtherSchedulers(t *testing.T) {
	for _, c := range []struct {
		library string
		keeps   keeps
		whole   bool // whether the envelope and the application's headers arrive
	}{
		{"Go, Python or Java", unreserved, true},
		{".NET or Ruby", four, false},
	} {
		for name, version := range versions {
			t.Run(c.library+" "+name, func(t *testing.T) {
				bubble(t, func(r *rig) {
					inbox := r.watch()
					r.after(90*time.Second, "invoice-1", full...)
					r.sleep(time.Minute)
					r.hopAs(c.keeps, "acemq.schedule.10s")
					r.sleep(10 * time.Second)
					r.hopAs(c.keeps, "acemq.schedule.10s")
					r.run(r.conn)
					r.sleep(time.Hour)
					got := inbox.all()
					if len(got) != 1 {
						r.Fatalf("%d messages arrived, want 1", len(got))
					}
					d := got[0]
					wantEqual(r, "the time", d.after, 90*time.Second)
					wantEqual(r, "the body", string(d.Body), `{"id":"invoice-1"}`)
					wantEqual(r, "the content type", d.ContentType, "application/json")
					wantEqual(r, "whether the id is the caller's", d.MessageID == "invoice-1", c.whole)
					wantEqual(r, "whether the type is", d.Headers["x-acemq-type"] == "invoice.due", c.whole)
					wantEqual(r, "whether the correlation is", d.Headers["x-acemq-correlation"] == "flow-1", c.whole)
					wantEqual(r, "whether the tenant is", d.Headers["x-tenant"] == "acme", c.whole)
					wantEqual(r, "whether the trace is", d.Headers["traceparent"] != nil, c.whole)
					for name := range d.Headers {
						if wire.IsBroker(name) || strings.HasPrefix(name, wire.SchedulePrefix) {
							r.Errorf("the delivery has the header %s", name)
						}
					}
				}, version)
			})
		}
	}
}
