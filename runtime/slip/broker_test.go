package slip

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/internal/brokertest"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// patience bounds the wait for what must happen.
const patience = time.Minute

// On a real RabbitMQ, messages of different plans share their stops, and one that is sent to an exchange which does not
// exist disturbs none of them.
func TestBroker(t *testing.T) {
	url := brokertest.URL(t)
	for _, form := range []wire.Form{wire.FormDeclared, wire.FormItinerary} {
		t.Run(form.String(), func(t *testing.T) {
			const orders = 60
			d := checkout(form)
			d.Name, d.AnyDestination = "acemq-slip-"+rand.Text()[:10], true
			for i := range d.Stops {
				d.Stops[i].Exchange = d.Name
			}
			conn := dialBroker(t, url, d)
			ways := make(chan string, 4*orders)
			for _, stop := range d.Stops {
				_, err := Handle(t.Context(), conn, d, stop.Name, func(_ context.Context, m *acemq.Message[order]) (order, error) {
					if s, _, _ := Of(m); s.Advance(time.Now()).IsFinished() {
						ways <- stop.Name + " " + fmt.Sprint(m.Payload.Cents)
					}
					return order{m.Payload.ID, m.Payload.Cents + 1}, nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			lost := Itinerary{}.Then(d.Name, "order.validate", "validate").Then("nowhere-"+d.Name, "k", "").Slip()
			long := NewPlan[order](d, "order", 1).Then("validate").Then("price").Then("fraud").Then("ship")
			short := NewPlan[order](d, "order", 1).Then("validate").Then("price")
			for i := range orders {
				var err error
				switch i % 3 {
				case 0:
					err = long.Send(t.Context(), conn, order{})
				case 1:
					err = short.Send(t.Context(), conn, order{})
				case 2:
					err = SendAlong(t.Context(), conn, d, lost, order{})
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			ends := make(map[string]int)
			for range orders / 3 * 2 {
				select {
				case way := <-ways:
					ends[way]++
				case <-time.After(patience):
					t.Fatalf("arrived are %v", ends)
				}
			}
			if ends["ship 3"] != orders/3 || ends["price 1"] != orders/3 {
				t.Errorf("arrived are %v", ends)
			}
			for range orders / 3 {
				if reason := deadLetter(t, conn, d.QueueFor("validate")+".dlq"); !strings.Contains(reason, "to nowhere-"+d.Name) {
					t.Errorf("the reason is %q", reason)
				}
			}
		})
	}
}

// deadLetter takes one message off a dead-letter queue, once it is there, and returns the reason in it.
func deadLetter(t *testing.T, conn *acemq.Conn, queue string) string {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		m, err := acemq.Pull[order](t.Context(), conn, queue)
		if err != nil {
			t.Fatal(err)
		}
		if m != nil {
			if err := m.Accept(t.Context()); err != nil {
				t.Fatal(err)
			}
			return m.Envelope.Error
		}
		if time.Now().After(deadline) {
			t.Fatalf("nothing came to %s", queue)
		}
	}
}

// dialBroker connects to the run's broker with the stops of a slip declared, and takes them off it afterwards.
func dialBroker(t *testing.T, url string, d *Declaration) *acemq.Conn {
	t.Helper()
	conn, err := acemq.Dial(t.Context(), url, acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	top := topology.New().Exchange(d.Name, topology.Topic)
	for _, stop := range d.Stops {
		top.Queue(d.QueueFor(stop.Name)).Bind(d.QueueFor(stop.Name), d.Name, stop.Key)
	}
	brokertest.RemoveAfter(t, url, top)
	t.Cleanup(func() {
		if err := conn.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if err := conn.Declare(t.Context(), top); err != nil {
		t.Fatal(err)
	}
	return conn
}
