package acemq

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"
)

// DialOption changes how a connection behaves.
type DialOption func(*settings) error

// DefaultDrainTimeout is how long closing waits for running handlers. It fits into the 30 s that Kubernetes gives.
const DefaultDrainTimeout = 20 * time.Second

// settings are what the options of Dial say.
type settings struct {
	service        string
	host           string
	codec          Codec
	logger         *slog.Logger
	tls            *tls.Config
	publishTimeout time.Duration // 0: the transport's bounds alone
	drainTimeout   time.Duration // 0: as long as the context allows
	interceptors   []Interceptor
	observers      []Observer
}

// origin returns the process as it stands in x-acemq-origin.
func (s settings) origin() string { return s.service + "@" + s.host }

func newSettings(opts []DialOption) (settings, error) {
	s := settings{
		service:      "acemq",
		host:         "unknown-host",
		codec:        JSON,
		logger:       slog.Default(),
		drainTimeout: DefaultDrainTimeout,
	}
	if host, err := os.Hostname(); err == nil {
		s.host = host
	}
	for _, option := range opts {
		if err := option(&s); err != nil {
			return settings{}, fmt.Errorf("acemq: dial: %w", err)
		}
	}
	return s, nil
}

// WithService names the service. Messages carry it in their origin as service@host, and brokers show it on the
// connection. The default is "acemq".
func WithService(name string) DialOption {
	return func(s *settings) error {
		if name == "" {
			return errors.New("the service has no name: leave WithService out, or say one")
		}
		s.service = name
		return nil
	}
}

// WithCodec sets the codec of every publisher and consumer that has none of its own. The default is [JSON].
func WithCodec(codec Codec) DialOption {
	return func(s *settings) error {
		if codec == nil {
			return errors.New("the codec is nil")
		}
		s.codec = codec
		return nil
	}
}

// WithLogger sets where the connection reports what it decides about failing messages. The default is
// [slog.Default]. Bodies and passwords are never logged.
func WithLogger(logger *slog.Logger) DialOption {
	return func(s *settings) error {
		if logger == nil {
			return errors.New("the logger is nil: say slog.New(slog.DiscardHandler) for none")
		}
		s.logger = logger
		return nil
	}
}

// WithTLS sets the TLS configuration of an amqps:// connection. It is copied for each connection.
func WithTLS(config *tls.Config) DialOption {
	return func(s *settings) error {
		s.tls = config
		return nil
	}
}

// WithPublishTimeout bounds each publish as a whole: waiting for the connection and a place in the window, writing,
// and waiting for the answer. By default only the context and the transport's own bounds do. For PublishAll it bounds
// the batch.
func WithPublishTimeout(d time.Duration) DialOption {
	return func(s *settings) error {
		if d <= 0 {
			return fmt.Errorf("a publish timeout of %v: say a positive one", d)
		}
		s.publishTimeout = d
		return nil
	}
}

// WithDrainTimeout sets how long closing waits for running handlers, once for everything on the connection. The
// default is [DefaultDrainTimeout]; 0 waits as long as the context of Close allows.
func WithDrainTimeout(d time.Duration) DialOption {
	return func(s *settings) error {
		if d < 0 {
			return fmt.Errorf("a drain timeout of %v: say a positive one, or 0 for none", d)
		}
		s.drainTimeout = d
		return nil
	}
}
