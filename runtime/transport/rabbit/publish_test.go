package rabbit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/internal/brokertest"
	"github.com/acemq/acemq-gen/runtime/transport"
)

// classic declares a classic queue of the test and returns its name.
func classic(t testing.TB, url, base string) string {
	t.Helper()
	name := fmt.Sprintf("rabbit-test-%s-%d", base, time.Now().UnixNano())
	admin(t, url, func(ch *amqp.Channel) error {
		_, err := ch.QueueDeclare(name, true, false, false, false, nil)
		return err
	})
	t.Cleanup(func() { deleteQueue(t, url, name) })
	return name
}

func message(queue, id string) transport.Message {
	return transport.Message{Key: queue, MessageID: id, Body: []byte(id)}
}

// outcome publishes a message and waits for the answer.
func outcome(b transport.Broker, m transport.Message) error {
	p, err := b.Publish(context.Background(), m)
	if err != nil {
		return err
	}
	return p.Wait(context.Background())
}

// ids takes the ids off a queue until it is empty.
func ids(t testing.TB, url, queue string) map[string]int {
	t.Helper()
	found := make(map[string]int)
	admin(t, url, func(ch *amqp.Channel) error {
		for {
			d, ok, err := ch.Get(queue, true)
			if !ok {
				return err
			}
			found[d.MessageId]++
		}
	})
	return found
}

func TestEveryUnroutablePublishIsToldFromTheRouted(t *testing.T) {
	url := brokertest.URL(t)
	queue, b := classic(t, url, "routed"), dial(t, url, Options{})
	const publishers, each = 16, 2000
	var all sync.WaitGroup
	var wrong atomic.Int64
	for publisher := range publishers {
		all.Go(func() {
			var pendings []transport.Pending
			for n := range each {
				m := message(queue, fmt.Sprint(publisher, "-", n))
				if n%2 == 1 {
					m.Key = "nowhere"
				}
				p, err := b.Publish(context.Background(), m)
				if err != nil {
					t.Errorf("publish: %v", err)
					return
				}
				pendings = append(pendings, p)
			}
			for n, p := range pendings {
				unroutable := (*transport.UnroutableError)(nil)
				err := p.Wait(context.Background())
				if n%2 == 1 && !errors.As(err, &unroutable) || n%2 == 0 && err != nil {
					wrong.Add(1)
				}
			}
		})
	}
	all.Wait()
	if n := wrong.Load(); n > 0 {
		t.Errorf("%d of %d publishes had another outcome than theirs", n, publishers*each)
	}
	c := b.(*broker).declared.current.Load()
	c.window.drain(t.Context())
	if len(c.returns.back) > 0 {
		t.Errorf("%d returns were never asked for", len(c.returns.back))
	}
}

func TestPublishesThatNobodyAwaitsDoNotHoldUpOthers(t *testing.T) {
	url := brokertest.URL(t)
	queue, b := classic(t, url, "unawaited"), dial(t, url, Options{})
	const count = 5 * declaredWindow
	for n := range count {
		if _, err := b.Publish(t.Context(), message(queue, fmt.Sprint(n))); err != nil {
			t.Fatalf("publish %d: %v", n, err)
		}
	}
	if err := b.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found := ids(t, url, queue); len(found) != count {
		t.Errorf("%d of %d messages arrived: Close did not wait for the answers", len(found), count)
	}
}

func TestCloseIsNotHeldUpByPublishersThatGoOn(t *testing.T) {
	url := brokertest.URL(t)
	queue, b := classic(t, url, "busy"), dial(t, url, Options{})
	var publishers sync.WaitGroup
	for publisher := range 4 {
		publishers.Go(func() {
			for n := 0; ; n++ {
				_, err := b.Publish(context.Background(), message(queue, fmt.Sprint(publisher, "-", n)))
				if errors.Is(err, transport.ErrClosed) {
					return
				}
				if err != nil {
					t.Errorf("publish: %v", err)
				}
			}
		})
	}
	time.Sleep(50 * time.Millisecond)
	within(t, 5*time.Second, "Close", func() { b.Close(context.Background()) })
	within(t, 5*time.Second, "the end of the publishers", publishers.Wait)
}

func TestMissingExchangeIsNamed(t *testing.T) {
	url := brokertest.URL(t)
	b := dial(t, url, Options{})
	m := transport.Message{Exchange: "rabbit-test-missing", Key: "k", MessageID: "m"}
	for range 2 {
		unknown, missing := (*transport.UnknownError)(nil), (*transport.NotFoundError)(nil)
		if err := outcome(b, m); !errors.As(err, &unknown) || !errors.As(err, &missing) {
			t.Errorf("a missing exchange: %v", err)
		} else if missing.Object != "exchange rabbit-test-missing" {
			t.Errorf("the error names %q", missing.Object)
		}
	}
	queue := classic(t, url, "after")
	if err := outcome(b, message(queue, "after")); err != nil {
		t.Errorf("the next publish: %v", err)
	}

	m.FromData = true
	refused, missing := (*transport.RefusedError)(nil), (*transport.NotFoundError)(nil)
	if err := outcome(b, m); !errors.As(err, &refused) || !errors.As(err, &missing) {
		t.Errorf("a missing exchange that comes from data: %v", err)
	}
}

func TestExchangeFromDataThatGoesAway(t *testing.T) {
	url := brokertest.URL(t)
	b := dial(t, url, Options{})
	exchange := fmt.Sprint("rabbit-test-x-", time.Now().UnixNano())
	declare := func() {
		admin(t, url, func(ch *amqp.Channel) error {
			return ch.ExchangeDeclare(exchange, "fanout", true, false, false, false, nil)
		})
	}
	m := transport.Message{Exchange: exchange, Key: "k", MessageID: "m", FromData: true, Optional: true}
	declare()
	if err := outcome(b, m); err != nil {
		t.Fatalf("publish: %v", err)
	}
	deleteExchange(t, url, exchange)
	unknown, refused := (*transport.UnknownError)(nil), (*transport.RefusedError)(nil)
	if err := outcome(b, m); !errors.As(err, &unknown) {
		t.Errorf("the first publish after it went: %v", err)
	}
	if err := outcome(b, m); !errors.As(err, &refused) {
		t.Errorf("the second publish after it went: %v", err)
	}
	declare()
	defer deleteExchange(t, url, exchange)
	if err := outcome(b, m); err != nil {
		t.Errorf("publish after it came back: %v", err)
	}
}

func TestDialSaysWhatIsWrong(t *testing.T) {
	url := brokertest.URL(t)
	host := strings.TrimSuffix(url[strings.LastIndex(url, "@")+1:], "/")
	for _, test := range []struct{ url, want string }{
		{"amqp://guest:geheim@" + host, "refuses the user or the password"},
		{"amqp://guest:guest@" + host + "/no-such-vhost", "no-such-vhost"},
		{"amqp://guest:geheim@127.0.0.1:1", "connect to RabbitMQ at 127.0.0.1:1"},
	} {
		_, err := Dial(t.Context(), test.url, Options{})
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%v, want it to say %q and no password", err, test.want)
		}
	}
	dial(t, url, Options{Hosts: []string{"127.0.0.1:1"}})
	dial(t, strings.Replace(url, "@", "@127.0.0.1:1,", 1), Options{})
}
