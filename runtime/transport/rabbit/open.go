package rabbit

import (
	"context"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Open makes one connection to a broker, by the rules of [Dial], for requests that must not be made twice: it is not
// made again when it is lost. It ends when ctx does.
func Open(ctx context.Context, url string, options Options) (*amqp.Connection, error) {
	options = options.withDefaults()
	endpoints, err := parseURL(url, options)
	if err != nil {
		return nil, err
	}
	d := &dialer{endpoints: endpoints, options: options}
	e, err := d.dial(ctx, "asking")
	if err != nil {
		return nil, err
	}
	go e.hold(ctx.Done())
	context.AfterFunc(ctx, func() { e.abort(context.Cause(ctx)) })
	return e.conn, nil
}
