package rabbit

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// dialer makes connections to the first of its endpoints that answers.
type dialer struct {
	endpoints []endpoint
	options   Options
	epochs    atomic.Uint64
}

// dial tries each endpoint once. Its error says what each answered.
func (d *dialer) dial(ctx context.Context, purpose string) (*epoch, error) {
	var failures []error
	for _, to := range d.endpoints {
		e, err := d.dialOne(ctx, to, purpose)
		if err == nil {
			return e, nil
		}
		failures = append(failures, fmt.Errorf("connect to RabbitMQ at %s: %w", to.name, err))
		if ctx.Err() != nil {
			break
		}
	}
	return nil, errors.Join(failures...)
}

func (d *dialer) dialOne(ctx context.Context, to endpoint, purpose string) (*epoch, error) {
	uri, err := amqp.ParseURI(to.url)
	if err != nil {
		return nil, errURL
	}
	timeout := d.options.DialTimeout
	if uri.ConnectionTimeout > 0 {
		timeout = milliseconds(uri.ConnectionTimeout)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	var network *wireConn
	stop := func() bool { return true }
	config := d.config(purpose)
	config.Dial = func(kind, address string) (net.Conn, error) {
		conn, err := d.options.Dial(ctx, kind, address)
		if err != nil {
			return nil, err
		}
		network = newWireConn(conn, d.options.WriteTimeout)
		// The handshake does not know of contexts: it ends with its connection.
		stop = context.AfterFunc(ctx, func() { network.abort(context.Cause(ctx)) })
		return network, nil
	}
	conn, err := amqp.DialConfig(to.url, config)
	if err == nil && !stop() {
		err = context.Cause(ctx)
	}
	if err != nil {
		if network != nil {
			network.abort(err)
		}
		return nil, handshakeError(ctx, err)
	}
	return newEpoch(d.epochs.Add(1), conn, network, to, d.options), nil
}

// config returns the library's settings for one connection. The library writes into them, so none is shared.
func (d *dialer) config(purpose string) amqp.Config {
	properties := amqp.NewConnectionProperties()
	properties.SetClientConnectionName(d.options.Name + " " + purpose)
	config := amqp.Config{Heartbeat: d.options.Heartbeat, Properties: properties}
	if d.options.TLS != nil {
		config.TLSClientConfig = d.options.TLS.Clone()
	}
	return config
}

// handshakeError puts a failed dial into words.
func handshakeError(ctx context.Context, err error) error {
	if cause := ctx.Err(); cause != nil {
		return fmt.Errorf("no answer in time: %w", cause)
	}
	var refused *amqp.Error
	if errors.As(err, &refused) {
		switch refused.Code {
		case amqp.AccessRefused:
			return fmt.Errorf("the broker refuses the user or the password: %s", refused.Reason)
		case amqp.NotAllowed:
			return fmt.Errorf("the broker refuses the connection: %s", refused.Reason)
		}
	}
	return err
}

// explain turns the broker's refusal of a request about an object into an error of the seam, by its code.
func explain(object string, err error) error {
	var refused *amqp.Error
	if err == nil || !errors.As(err, &refused) || !refused.Server {
		return err
	}
	switch refused.Code {
	case amqp.NotFound:
		return &transport.NotFoundError{Object: object}
	case amqp.PreconditionFailed:
		return &transport.ConflictError{Object: object, Reason: refused.Reason}
	case amqp.AccessRefused:
		return fmt.Errorf("the broker gives no access to %s: %s", object, refused.Reason)
	}
	return fmt.Errorf("%s: the broker answered %d: %s", object, refused.Code, refused.Reason)
}
