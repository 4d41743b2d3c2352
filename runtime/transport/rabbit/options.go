package rabbit

import (
	"context"
	"crypto/tls"
	"log/slog"
	"math/rand/v2"
	"net"
	"time"
)

// Options say how to reach a broker. The zero Options are the defaults.
type Options struct {
	// Hosts are further nodes of the cluster, "host" or "host:port", tried after those of the URL.
	Hosts []string

	// TLS is the configuration of an amqps:// URL; it is copied for each connection. The default trusts what the
	// system trusts, and takes the parameters cacertfile, certfile and keyfile of the URL.
	TLS *tls.Config

	// Name is what the broker shows of a connection. The default is "acemq".
	Name string

	// Logger takes what happens to connections and consumers; never a body, never a password. The default discards it.
	Logger *slog.Logger

	// Dial makes a network connection. The default is that of a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// Backoff returns how long to wait after so many failures in a row, from 1. The default doubles from 1 s to 30 s
	// and takes off up to a quarter of it by chance (contract: publishing, reconnection).
	Backoff func(failures int) time.Duration

	// Heartbeat is the interval of heartbeats, in whole seconds; a connection is lost after three silent halves. The
	// URL's parameter heartbeat goes before it. The default is 10 s.
	Heartbeat time.Duration

	DialTimeout    time.Duration // for one host, to the end of the handshake; 10 s
	RequestTimeout time.Duration // for the broker's answer to a request, after which the connection is given up; 20 s
	WaitTimeout    time.Duration // for a connection, and for a publish to find a place in the window; 30 s
	ConfirmTimeout time.Duration // for the broker's answer to a publish; 30 s
	WriteTimeout   time.Duration // for the network to take what is written, unless the broker blocks; 10 s
	CloseTimeout   time.Duration // for Close as a whole; 20 s
}

func (o Options) withDefaults() Options {
	setDefault(&o.Name, "acemq")
	setDefault(&o.Heartbeat, 10*time.Second)
	setDefault(&o.DialTimeout, 10*time.Second)
	setDefault(&o.RequestTimeout, 20*time.Second)
	setDefault(&o.WaitTimeout, 30*time.Second)
	setDefault(&o.ConfirmTimeout, 30*time.Second)
	setDefault(&o.WriteTimeout, 10*time.Second)
	setDefault(&o.CloseTimeout, 20*time.Second)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Dial == nil {
		o.Dial = new(net.Dialer).DialContext
	}
	if o.Backoff == nil {
		o.Backoff = backoff
	}
	return o
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// backoff doubles from 1 s to 30 s, less up to a quarter by chance, so that the services of a broker that comes back
// do not all come at once.
func backoff(failures int) time.Duration {
	const first, most = time.Second, 30 * time.Second
	delay := most
	if failures < 6 {
		delay = min(most, first<<max(0, failures-1))
	}
	return delay - rand.N(delay/4)
}
