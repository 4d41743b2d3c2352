package rabbit

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/internal/brokertest"
	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/wire"
)

func TestKilledBrokerLosesNothingConfirmed(t *testing.T) {
	node := brokertest.Node(t)
	b := dial(t, node.URL(), Options{})
	queues := []topology.Queue{
		{Name: "classic"},
		{Name: "quorum", Arguments: wire.Table{"x-queue-type": "quorum"}},
	}
	if err := b.Declare(t.Context(), &topology.Topology{Queues: queues}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var published atomic.Int64
	confirmed := make(chan map[string]bool, len(queues))
	for _, q := range queues {
		go func() {
			ids := make(map[string]bool)
			for n := 0; ctx.Err() == nil; n++ {
				id := fmt.Sprint(q.Name, "-", n)
				if outcome(b, message(q.Name, id)) == nil {
					ids[id] = true
					published.Add(1)
				}
			}
			confirmed <- ids
		}()
	}
	reach := func(count int64) {
		t.Helper()
		for end := time.Now().Add(60 * time.Second); published.Load() < count; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%d publishes were confirmed in a minute, want %d", published.Load(), count)
			}
		}
	}
	// A node writes down within a second that it has a quorum queue; one that is killed before that forgets the queue.
	time.Sleep(time.Second)
	reach(200)
	if err := node.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := node.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	reach(published.Load() + 200)
	stop()

	want := make(map[string]bool)
	for range queues {
		for id := range <-confirmed {
			want[id] = true
		}
	}
	for _, q := range queues {
		c, err := b.Consume(t.Context(), transport.Subscription{Queue: q.Name, Prefetch: 100})
		if err != nil {
			t.Fatal(err)
		}
		takeAll(t, c, want)
	}
	if len(want) > 0 {
		t.Errorf("%d messages were confirmed and are lost", len(want))
	}
}

// takeAll acks what comes, until nothing comes any more, and strikes it off what is wanted.
func takeAll(t *testing.T, c transport.Consumer, want map[string]bool) {
	t.Helper()
	for {
		select {
		case d := <-c.Deliveries():
			if d.Ack() == nil { // one whose channel is gone comes again
				delete(want, d.MessageID)
			}
		case <-time.After(2 * time.Second):
			return
		}
	}
}

func TestConsumerThatTakesTooLongComesBack(t *testing.T) {
	node := brokertest.Node(t, "consumer_timeout = 1000")
	if _, err := node.Ctl(t.Context(), "eval", "application:set_env(rabbit, channel_tick_interval, 500)."); err != nil {
		t.Fatal(err)
	}
	queue, b := classic(t, node.URL(), "slow"), dial(t, node.URL(), Options{Backoff: soon})
	c, err := b.Consume(t.Context(), transport.Subscription{Queue: queue, Prefetch: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"slow", "fetched"} {
		if err := outcome(b, message(queue, id)); err != nil {
			t.Fatal(err)
		}
	}
	slow := <-c.Deliveries()
	for end := time.Now().Add(30 * time.Second); slow.Live(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the broker waits for ever")
		}
	}
	if err := slow.Ack(); !errors.Is(err, transport.ErrLost) {
		t.Errorf("ack after the broker gave up: %v", err)
	}
	for _, want := range []string{"slow", "fetched"} {
		d := nextLive(t, c)
		if d.MessageID != want || !d.Redelivered {
			t.Errorf("delivered %q, redelivered %v; want %q again", d.MessageID, d.Redelivered, want)
		}
		d.Ack()
	}
}

// nextLive takes the next delivery that can be settled: one may be handed over just as its channel goes.
func nextLive(t *testing.T, c transport.Consumer) *transport.Delivery {
	t.Helper()
	timeout := time.After(10 * time.Second)
	for {
		select {
		case d := <-c.Deliveries():
			if d.Live() {
				return d
			}
		case <-timeout:
			t.Fatal("the consumer did not come back")
		}
	}
}

func TestHeadersThatDoNotFitIntoAFrameCostNoConnection(t *testing.T) {
	node := brokertest.Node(t, "frame_max = 8192")
	queue, b := classic(t, node.URL(), "frames"), dial(t, node.URL(), Options{})
	m := message(queue, "m")
	for size, fits := range map[int]bool{100: true, 4000: true, 5000: false, 9000: false, 30_000: false} {
		m.Headers = wire.Table{"h": strings.Repeat("x", size)}
		refused := (*transport.RefusedError)(nil)
		switch err := outcome(b, m); {
		case fits && err != nil:
			t.Errorf("headers of %d bytes: %v", size, err)
		case !fits && !errors.As(err, &refused):
			t.Errorf("headers of %d bytes: %v, want them refused", size, err)
		}
	}
	if e, _, _ := b.(*broker).publishing.look(); e == nil || e.number != 1 {
		t.Error("headers cost the connection")
	}
}

func TestTLS(t *testing.T) {
	dir := t.TempDir()
	pool := writeCertificate(t, dir)
	port := freePort(t)
	node := brokertest.Node(t,
		fmt.Sprintf("listeners.ssl.default = 127.0.0.1:%d", port),
		"ssl_options.cacertfile = "+filepath.Join(dir, "cert.pem"),
		"ssl_options.certfile = "+filepath.Join(dir, "cert.pem"),
		"ssl_options.keyfile = "+filepath.Join(dir, "key.pem"),
		"ssl_options.verify = verify_none",
	)
	url := fmt.Sprintf("amqps://guest:guest@127.0.0.1:%d/", port)
	queue := classic(t, node.URL(), "tls")

	config := &tls.Config{RootCAs: pool}
	b := dial(t, url, Options{TLS: config, Backoff: soon})
	m := message(queue, "m")
	m.Body = make([]byte, 1<<20)
	if err := outcome(b, m); err != nil {
		t.Fatal(err)
	}
	cut(b.(*broker))
	err := outcome(b, message(queue, "after"))
	if unknown := (*transport.UnknownError)(nil); errors.As(err, &unknown) { // the cut was not seen yet
		err = outcome(b, message(queue, "after"))
	}
	if err != nil {
		t.Errorf("publish after a cut: %v", err)
	}
	if config.ServerName != "" {
		t.Error("the caller's configuration was changed")
	}
	if err := b.Close(t.Context()); err != nil {
		t.Error(err)
	}
	noneLeft(t)

	if _, err := Dial(t.Context(), url, Options{}); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate that nobody trusts: %v", err)
	}
	dial(t, url+"?cacertfile="+filepath.Join(dir, "cert.pem"), Options{})
}

// writeCertificate writes a certificate for 127.0.0.1 and returns a pool that trusts it.
func writeCertificate(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "brokertest"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for name, data := range map[string][]byte{
		"cert.pem": certificate,
		"key.pem":  pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	return pool
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}
