package conformance

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// patience bounds each wait for something that must happen; a healthy broker needs a fraction of it. It covers a
// reconnection and the delays of a subscription that comes back.
const patience = 20 * time.Second

// quiet is how long a test watches that something does not happen.
const quiet = 150 * time.Millisecond

// rig is the workbench of one case: a connection, names of its own, and what tests say often.
type rig struct {
	*testing.T
	Harness
	broker transport.Broker
	prefix string
}

// run sets up a rig and runs the case on it.
func (h Harness) run(t *testing.T, c testCase) {
	test := func(t *testing.T) {
		r := &rig{T: t, Harness: h, prefix: "conformance-" + rand.Text()[:10] + "-"}
		r.broker = r.open()
		c.run(r)
	}
	if h.Around == nil {
		test(t)
		return
	}
	h.Around(t, test)
}

// open returns another connection, closed when the case ends.
func (r *rig) open() transport.Broker {
	r.Helper()
	b := r.Open(r.T)
	r.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := b.Close(ctx); err != nil {
			r.Errorf("close: %v", err)
		}
	})
	return b
}

// name makes a name that no other case uses.
func (r *rig) name(base string) string { return r.prefix + base }

// within returns a context that ends with the patience of the suite.
func (r *rig) within() context.Context {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	r.Cleanup(cancel)
	return ctx
}

// declare declares a topology and removes it when the case ends.
func (r *rig) declare(t topology.Topology) {
	r.Helper()
	r.forget(t)
	if err := r.broker.Declare(r.within(), &t); err != nil {
		r.Fatalf("declare: %v", err)
	}
}

// forget removes a topology when the case ends.
func (r *rig) forget(t topology.Topology) {
	r.Cleanup(func() {
		for _, q := range t.Queues {
			r.DeleteQueue(r.T, q.Name)
		}
		for _, x := range t.Exchanges {
			r.DeleteExchange(r.T, x.Name)
		}
	})
}

// queue declares a queue and returns its name.
func (r *rig) queue(base string, arguments wire.Table) string {
	r.Helper()
	name := r.name(base)
	r.declare(topology.Topology{Queues: []topology.Queue{{Name: name, Arguments: arguments}}})
	return name
}

// exchange declares an exchange and returns its name.
func (r *rig) exchange(base string, kind topology.Kind) string {
	r.Helper()
	name := r.name(base)
	r.declare(topology.Topology{Exchanges: []topology.Exchange{{Name: name, Kind: kind}}})
	return name
}

// bind binds a queue to an exchange.
func (r *rig) bind(b topology.Binding) {
	r.Helper()
	r.declare(topology.Topology{Bindings: []topology.Binding{b}})
}

// to makes a message to a queue through the default exchange; its id and its body are the same text.
func to(queue, id string) transport.Message {
	return transport.Message{Key: queue, MessageID: id, Body: []byte(id), ContentType: "text/plain"}
}

// outcome publishes a message and waits for the answer.
func (r *rig) outcome(b transport.Broker, m transport.Message) error {
	pending, err := b.Publish(r.within(), m)
	if err != nil {
		return err
	}
	return pending.Wait(r.within())
}

// publish publishes messages one after another; each must be confirmed.
func (r *rig) publish(messages ...transport.Message) {
	r.Helper()
	for _, m := range messages {
		if err := r.outcome(r.broker, m); err != nil {
			r.Fatalf("publish: %v", err)
		}
	}
}

// fill publishes a message to a queue for each id.
func (r *rig) fill(queue string, ids ...string) {
	r.Helper()
	for _, id := range ids {
		r.publish(to(queue, id))
	}
}

// consume subscribes b to a queue.
func (r *rig) consume(b transport.Broker, queue string, prefetch int) transport.Consumer {
	r.Helper()
	c, err := b.Consume(r.within(), transport.Subscription{Queue: queue, Prefetch: prefetch})
	if err != nil {
		r.Fatalf("consume %s: %v", queue, err)
	}
	return c
}

// take returns the next delivery that can be settled: one may be handed over just as its channel goes.
func (r *rig) take(c transport.Consumer) *transport.Delivery {
	r.Helper()
	timeout := time.After(patience)
	for {
		select {
		case d, open := <-c.Deliveries():
			if !open {
				r.Fatal("the deliveries have ended")
			}
			if d.Live() {
				return d
			}
		case <-timeout:
			r.Fatal("no delivery came")
		}
	}
}

// takeIDs takes as many deliveries as there are ids, which must come in this order.
func (r *rig) takeIDs(c transport.Consumer, ids ...string) []*transport.Delivery {
	r.Helper()
	var taken []*transport.Delivery
	for _, id := range ids {
		d := r.take(c)
		if d.MessageID != id {
			r.Fatalf("delivered %q, want %q", d.MessageID, id)
		}
		taken = append(taken, d)
	}
	return taken
}

// none watches that no delivery comes.
func (r *rig) none(c transport.Consumer) {
	r.Helper()
	select {
	case d, open := <-c.Deliveries():
		if open {
			r.Fatalf("delivered %q, want nothing", d.MessageID)
		}
		r.Fatal("the deliveries have ended")
	case <-time.After(quiet):
	}
}

// ack accepts a delivery.
func (r *rig) ack(d *transport.Delivery) {
	r.Helper()
	if err := d.Ack(); err != nil {
		r.Fatalf("ack of %q: %v", d.MessageID, err)
	}
}

// nack gives a delivery back to its queue.
func (r *rig) nack(d *transport.Delivery) {
	r.Helper()
	if err := d.Nack(true); err != nil {
		r.Fatalf("nack of %q: %v", d.MessageID, err)
	}
}

// reject leaves a delivery to the dead-lettering of its queue.
func (r *rig) reject(d *transport.Delivery) {
	r.Helper()
	if err := d.Nack(false); err != nil {
		r.Fatalf("reject of %q: %v", d.MessageID, err)
	}
}

// contents takes the messages off a queue, which must hold exactly these ids, in any order.
func (r *rig) contents(queue string, ids ...string) {
	r.Helper()
	c := r.consume(r.broker, queue, 100)
	var got []string
	for range ids {
		d := r.take(c)
		r.ack(d)
		got = append(got, d.MessageID)
	}
	r.none(c)
	r.end(c)
	slices.Sort(got)
	want := slices.SortedFunc(slices.Values(ids), cmp.Compare[string])
	if !slices.Equal(got, want) {
		r.Fatalf("%s held %q, want %q", queue, got, want)
	}
}

// end closes a consumer.
func (r *rig) end(c transport.Consumer) {
	r.Helper()
	if err := c.Close(r.within()); err != nil {
		r.Fatalf("close the consumer: %v", err)
	}
}

// ready waits until a queue has so many messages that wait for a consumer.
func (r *rig) ready(queue string, want int) {
	r.Helper()
	var state transport.QueueState
	r.eventually("the queue's state", func() bool {
		var err error
		if state, err = r.broker.Inspect(r.within(), queue); err != nil {
			r.Fatalf("inspect: %v", err)
		}
		return state.Ready == want
	}, func() { r.Errorf("%s has %d messages ready, want %d", queue, state.Ready, want) })
}

// stays watches that a queue keeps so many messages that wait for a consumer.
func (r *rig) stays(queue string, want int) {
	r.Helper()
	time.Sleep(quiet)
	r.ready(queue, want)
}

// eventually waits until a condition holds, and runs explain where it never does.
func (r *rig) eventually(what string, holds func() bool, explain ...func()) {
	r.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			for _, say := range explain {
				say()
			}
			r.Fatalf("waited %v for %s", patience, what)
		}
	}
}

// wantAs fails unless err is of the type T.
func wantAs[T error](r *rig, err error) T {
	r.Helper()
	var typed T
	if !errors.As(err, &typed) {
		r.Fatalf("got the error %v (%T), want a %T", err, err, typed)
	}
	return typed
}

// wantIs fails unless err is target.
func wantIs(r *rig, err, target error) {
	r.Helper()
	if !errors.Is(err, target) {
		r.Fatalf("got the error %v, want %q", err, target)
	}
}
