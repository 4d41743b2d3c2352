package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"sync"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

var publishCases = []testCase{
	{"a message arrives as it was sent", asSent},
	{"headers of every type arrive as they were sent", everyHeader},
	{"bodies of every size arrive as they were sent", bodies},
	{"what was published belongs to the broker, not to the caller", ownCopy},
	{"an unroutable message is known as such before its confirm", unroutable},
	{"two messages of one id are two messages", sameID},
	{"an exchange that goes away leaves no publish without an answer", exchangeDeleted},
	{"an optional message may go nowhere", optional},
	{"an exchange that comes from data and is missing harms no other publish", missingExchange},
	{"an answer may be asked for more than once", waitTwice},
}

func asSent(r *rig) {
	queue := r.queue("q", nil)
	sent := transport.Message{
		Key: queue, MessageID: "id-1", Body: []byte{0, 1, 0xff}, ContentType: "application/octet-stream",
		ReplyTo: "answers", Priority: 3, Expiration: 90 * time.Second, Transient: true,
		Headers: wire.Table{
			"text": "grüße", "empty": "", "int32": int32(-7), "int64": int64(1) << 40, "yes": true, "no": false,
			"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
		},
	}
	r.publish(sent)
	c := r.consume(r.broker, queue, 1)
	d := r.take(c)
	r.ack(d)
	if !reflect.DeepEqual(d.Message, sent) {
		r.Errorf("received\n%+v, sent\n%+v", d.Message, sent)
	}
	if d.Queue != queue || d.Redelivered {
		r.Errorf("received from %q, redelivered %v", d.Queue, d.Redelivered)
	}

	r.publish(transport.Message{Key: queue, MessageID: "id-2"})
	d = r.take(c)
	if len(d.Body) != 0 || len(d.Headers) != 0 || d.ContentType != "" || d.ReplyTo != "" || d.Expiration != 0 {
		r.Errorf("a bare message was received as %+v", d.Message)
	}
}

func everyHeader(r *rig) {
	queue := r.queue("q", nil)
	at := time.Date(2026, 2, 3, 4, 5, 6, 789_000_000, time.UTC)
	sent := wire.Table{
		"int8": int8(-8), "int16": int16(-16), "uint8": uint8(8), "uint16": uint16(16), "uint32": uint32(32),
		"int": 7, "uint64": uint64(9), "float32": float32(0.5), "float64": 0.25, "bytes": []byte{0, 1}, "nothing": nil,
		"time": at, "list": []any{"a", int64(1), []any{true}}, "table": wire.Table{"deep": wire.Table{"deeper": "x"}},
	}
	want := maps.Clone(sent)
	want["int"], want["uint64"] = int64(7), int64(9)
	r.publish(transport.Message{Key: queue, MessageID: "m", Headers: sent})
	got := r.take(r.consume(r.broker, queue, 1)).Headers
	if when, ok := got["time"].(time.Time); !ok || !when.Equal(at.Truncate(time.Second)) {
		r.Errorf("the time arrived as %v, want whole seconds", got["time"])
	}
	delete(got, "time")
	delete(want, "time")
	for name := range want {
		if !reflect.DeepEqual(got[name], want[name]) {
			r.Errorf("%s arrived as %#v, want %#v", name, got[name], want[name])
		}
	}
}

func bodies(r *rig) {
	queue := r.queue("q", nil)
	c := r.consume(r.broker, queue, 1)
	for _, size := range []int{0, 1, 4_095, 131_072 - 8, 131_072, 1 << 20} {
		body := bytes.Repeat([]byte{'a', 0, 0xce}, size/3+1)[:size]
		r.publish(transport.Message{Key: queue, MessageID: fmt.Sprint(size), Body: body})
		d := r.take(c)
		r.ack(d)
		if !bytes.Equal(d.Body, body) {
			r.Errorf("a body of %d bytes arrived with %d, or changed", size, len(d.Body))
		}
	}
}

func ownCopy(r *rig) {
	queue := r.queue("q", nil)
	raw := []byte("raw")
	body, headers := []byte("body"), wire.Table{"k": "v", "raw": raw}
	r.publish(transport.Message{Key: queue, MessageID: "m", Body: body, Headers: headers})
	copy(body, "xxxx")
	copy(raw, "xxx")
	headers["k"] = "x"
	c := r.consume(r.broker, queue, 1)
	for range 2 {
		d := r.take(c)
		got, _ := d.Headers["raw"].([]byte)
		if string(d.Body) != "body" || d.Headers["k"] != "v" || string(got) != "raw" {
			r.Fatalf("received the body %q and the headers %v", d.Body, d.Headers)
		}
		copy(d.Body, "yyyy")
		copy(got, "yyy")
		d.Headers["k"] = "y"
		r.nack(d)
	}
}

func unroutable(r *rig) {
	const publishers, each = 8, 500
	queue, nowhere := r.queue("q", nil), r.name("nowhere")
	var routed, returned, wrong [publishers]int
	var all sync.WaitGroup
	for p := range publishers {
		all.Go(func() {
			ctx := r.within()
			var pending [each]transport.Pending
			for i := range each {
				m := to(queue, fmt.Sprint(p, "-", i))
				if i%2 == 1 {
					m.Key = nowhere
				}
				var err error
				if pending[i], err = r.broker.Publish(ctx, m); err != nil {
					r.Errorf("publish: %v", err)
					return
				}
			}
			for i, answer := range pending {
				err := answer.Wait(ctx)
				e := (*transport.UnroutableError)(nil)
				switch {
				case i%2 == 0 && err == nil:
					routed[p]++
				case i%2 == 1 && errors.As(err, &e) && e.MessageID == fmt.Sprint(p, "-", i) && e.Key == nowhere:
					returned[p]++
				default:
					wrong[p]++
				}
			}
		})
	}
	all.Wait()
	for p := range publishers {
		if routed[p] != each/2 || returned[p] != each/2 || wrong[p] != 0 {
			r.Errorf("publisher %d: %d routed, %d unroutable, %d wrong, want %d, %[5]d and 0",
				p, routed[p], returned[p], wrong[p], each/2)
		}
	}
	r.ready(queue, publishers*each/2)
}

func sameID(r *rig) {
	const pairs = 200
	queue, nowhere := r.queue("q", nil), r.name("nowhere")
	var all sync.WaitGroup
	for n := range pairs {
		id := fmt.Sprint(n)
		all.Go(func() {
			if err := r.outcome(r.broker, to(queue, id)); err != nil {
				r.Errorf("%s, which is routed: %v", id, err)
			}
		})
		all.Go(func() {
			m := to(nowhere, id)
			if e := (*transport.UnroutableError)(nil); !errors.As(r.outcome(r.broker, m), &e) {
				r.Errorf("%s, which is not routed, was confirmed", id)
			}
		})
	}
	all.Wait()
	r.ready(queue, pairs)
}

func exchangeDeleted(r *rig) {
	exchange, queue := r.exchange("x", topology.Fanout), r.queue("q", nil)
	r.bind(topology.Binding{Queue: queue, Exchange: exchange})
	m := transport.Message{Exchange: exchange, MessageID: "before"}
	r.publish(m)
	r.DeleteExchange(r.T, exchange)
	m.MessageID = "after"
	err := r.outcome(r.broker, m)
	refused, unknown := (*transport.RefusedError)(nil), (*transport.UnknownError)(nil)
	if !errors.As(err, &refused) && !errors.As(err, &unknown) {
		r.Errorf("published to a missing exchange: %v (%[1]T), want it refused or unknown", err)
	}
	r.eventually("publishing to go on", func() bool { return r.outcome(r.broker, to(queue, "next")) == nil })
	r.contents(queue, "before", "next")
}

func optional(r *rig) {
	m := to(r.name("nowhere"), "m")
	m.Optional = true
	r.publish(m)
}

func missingExchange(r *rig) {
	queue := r.queue("q", nil)
	var good []transport.Pending
	for n := range 50 {
		pending, err := r.broker.Publish(r.within(), to(queue, fmt.Sprint(n)))
		if err != nil {
			r.Fatalf("publish: %v", err)
		}
		good = append(good, pending)
		if n%10 == 0 {
			bad := transport.Message{Exchange: r.name("missing"), Key: "k", MessageID: fmt.Sprint("bad", n), FromData: true}
			wantAs[*transport.NotFoundError](r, r.outcome(r.broker, bad))
		}
	}
	for _, pending := range good {
		if err := pending.Wait(r.within()); err != nil {
			r.Errorf("a neighbour was not confirmed: %v", err)
		}
	}
	r.ready(queue, len(good))
}

func waitTwice(r *rig) {
	pending, err := r.broker.Publish(r.within(), to(r.name("nowhere"), "m"))
	if err != nil {
		r.Fatalf("publish: %v", err)
	}
	for range 2 {
		wantAs[*transport.UnroutableError](r, pending.Wait(r.within()))
	}
	select {
	case <-pending.Done():
	default:
		r.Error("an answered message is not done")
	}
}
