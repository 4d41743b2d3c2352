package acemq

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/acemq/acemq-gen/runtime/transport"
	"github.com/acemq/acemq-gen/runtime/transport/memory"
	"github.com/acemq/acemq-gen/runtime/transport/rabbit"
)

// Dial connects to a broker:
//
//	amqp://user:password@host:5672/vhost   RabbitMQ; a missing part takes RabbitMQ's default
//	amqps://host/                          RabbitMQ over TLS
//	memory://name                          a broker in this process, shared by everybody who dials the same name
//
// It returns once the connection stands, or with an error when it cannot be made before ctx ends. From then on the
// connection comes back by itself. Passwords appear in no error.
func Dial(ctx context.Context, url string, opts ...DialOption) (*Conn, error) {
	s, err := newSettings(opts)
	if err != nil {
		return nil, err
	}
	broker, err := open(ctx, url, s)
	if err != nil {
		return nil, fmt.Errorf("acemq: dial: %w", err)
	}
	return newConn(broker, s), nil
}

// open chooses the transport by the scheme of the URL.
func open(ctx context.Context, url string, s settings) (transport.Broker, error) {
	scheme, rest, found := strings.Cut(url, "://")
	switch {
	case !found:
		return nil, errors.New("the broker's URL has no scheme: say amqp://host, amqps://host or memory://name")
	case scheme == "memory":
		return openMemory(rest, s)
	case scheme == "amqp" || scheme == "amqps":
		return openRabbit(ctx, url, s)
	}
	return nil, fmt.Errorf("the broker's URL has the scheme %q: say amqp, amqps or memory", scheme)
}

// openMemory connects to a broker in this process.
func openMemory(name string, s settings) (transport.Broker, error) {
	switch {
	case name == "":
		return nil, errors.New("memory:// names no broker: say memory://name")
	case s.tls != nil:
		return nil, errors.New("a TLS configuration is given and the broker is in this process: leave WithTLS out")
	}
	return memory.Open(name), nil
}

// openRabbit connects to a RabbitMQ.
func openRabbit(ctx context.Context, url string, s settings) (transport.Broker, error) {
	return rabbit.Dial(ctx, url, rabbit.Options{TLS: s.tls, Name: s.service, Logger: s.logger})
}
