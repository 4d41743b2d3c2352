package rabbit

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// consumer keeps one subscription: it subscribes again whenever the deliveries end without its asking, whatever the
// reason, for ever. One goroutine, run, owns the channel of deliveries.
type consumer struct {
	broker       *broker
	subscription transport.Subscription
	deliveries   chan *transport.Delivery

	stopping context.Context // ends when the consumer is asked to stop
	stop     context.CancelFunc
	stopped  chan struct{} // no more deliveries come

	current atomic.Pointer[stream]
	failure atomic.Pointer[error] // why there is no subscription, while there is none
}

// stream is a subscription on one channel.
type stream struct {
	epoch    *epoch
	channel  *amqp.Channel
	closes   chan *amqp.Error
	tag      string
	incoming <-chan amqp.Delivery
	settler  *settler
}

// handedOver is how many deliveries may wait to be taken. More would only be given back by Stop.
const handedOver = 64

// Consume implements transport.Broker.
func (b *broker) Consume(ctx context.Context, s transport.Subscription) (transport.Consumer, error) {
	s, err := transport.CheckSubscription(s)
	if err != nil {
		return nil, err
	}
	c := &consumer{
		broker:       b,
		subscription: s,
		deliveries:   make(chan *transport.Delivery, min(s.Prefetch, handedOver)),
		stopped:      make(chan struct{}),
	}
	c.stopping, c.stop = context.WithCancel(context.Background())
	first, err := c.begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("consume %q: %w", s.Queue, err)
	}
	if err := b.enter(c); err != nil {
		first.close()
		return nil, err
	}
	c.current.Store(first)
	go c.run(first)
	return c, nil
}

// begin makes the first subscription, on whichever connection stands.
func (c *consumer) begin(ctx context.Context) (*stream, error) {
	link := c.broker.consuming
	ctx, cancel := link.bound(ctx)
	defer cancel()
	for {
		e, err := link.epoch(ctx)
		if err != nil {
			return nil, err
		}
		s, err := c.subscribe(ctx, e)
		if err == nil || ctx.Err() != nil || !e.conn.IsClosed() {
			return s, err
		}
		if err := link.awaitChange(ctx, e); err != nil {
			return nil, err
		}
	}
}

// subscribe subscribes on an epoch.
func (c *consumer) subscribe(ctx context.Context, e *epoch) (*stream, error) {
	return await(ctx, func() (*stream, error) {
		s, err := c.open(e)
		if err != nil {
			s.close()
			return nil, explain(named("queue", c.subscription.Queue), err)
		}
		return s, nil
	}, (*stream).close)
}

// open opens a channel and subscribes on it. The stream it returns has no channel where none was opened.
func (c *consumer) open(e *epoch) (*stream, error) {
	s := &stream{epoch: e, tag: consumerTag(c.subscription.Queue)}
	if err := e.request(func() (err error) {
		s.channel, err = e.conn.Channel()
		return err
	}); err != nil {
		s.channel = nil
		return s, err
	}
	s.closes = s.channel.NotifyClose(make(chan *amqp.Error, 1))
	s.settler = newSettler(s.channel, c.subscription.Prefetch, func() { go s.close() })
	if err := e.request(func() error { return s.channel.Qos(c.subscription.Prefetch, 0, false) }); err != nil {
		return s, err
	}
	if err := c.declareOwn(s); err != nil {
		return s, err
	}
	return s, e.request(func() (err error) {
		s.incoming, err = s.channel.Consume(c.subscription.Queue, s.tag, false, false, false, false,
			encoded(c.subscription.Arguments))
		return err
	})
}

// declareOwn declares a queue that is temporary.
func (c *consumer) declareOwn(s *stream) error {
	own := c.subscription.Own()
	if own == nil {
		return nil
	}
	return s.epoch.request(func() error { return declareQueue(s.channel, own.Queues[0]) })
}

// deleteOwn deletes a queue that is temporary, if there is a connection. Otherwise the broker does, in time.
func (c *consumer) deleteOwn(ctx context.Context) error {
	e, _, _ := c.broker.consuming.look()
	if c.subscription.Own() == nil || e == nil {
		return nil
	}
	return e.scratch(ctx, func(s *scratch) error {
		err := s.do(func(ch *amqp.Channel) error {
			_, err := ch.QueueDelete(c.subscription.Queue, false, false, false)
			return err
		})
		return explain(named("queue", c.subscription.Queue), err)
	})
}

// consumerTag returns a tag that no other consumer of the connection has: a second one of the same name costs the
// connection.
func consumerTag(queue string) string {
	const most = 200
	return "acemq-" + strings.ToValidUTF8(queue[:min(len(queue), most)], "") + "-" + rand.Text()
}

// close closes the channel, which gives back what is unsettled.
func (s *stream) close() {
	if s.channel != nil {
		s.epoch.request(s.channel.Close)
	}
}

// run hands over deliveries until the consumer is stopped.
func (c *consumer) run(s *stream) {
	defer close(c.stopped)
	defer close(c.deliveries)
	defer c.broker.leave(c)
	for s != nil {
		err := c.pump(s)
		if c.stopping.Err() != nil {
			c.end(s)
			return
		}
		c.failure.Store(&err)
		// A consumer that was cancelled keeps its channel; what it holds went with its queue, or comes again.
		s.settler.tell()
		s.close()
		c.giveBack()
		c.log().Warn("the subscription is lost", "error", err)
		if s = c.again(s.epoch); s != nil {
			c.current.Store(s)
			c.failure.Store(nil)
			c.log().Info("subscribed again", "epoch", s.epoch.number)
		}
	}
}

// pump hands over the deliveries of a stream until they end, and returns why, or until the consumer is to stop.
func (c *consumer) pump(s *stream) error {
	for {
		select {
		case d, open := <-s.incoming:
			if !open {
				return s.why()
			}
			if !c.hand(s, d) {
				return nil
			}
		case <-c.stopping.Done():
			return nil
		}
	}
}

// hand hands one delivery over, if its channel still stands. It reports false when the consumer is to stop.
func (c *consumer) hand(s *stream, received amqp.Delivery) bool {
	d := s.delivery(received, c.subscription.Queue)
	if !d.Live() {
		return true
	}
	select {
	case c.deliveries <- &d.Delivery:
		return true
	default:
	}
	select {
	case c.deliveries <- &d.Delivery:
		return true
	case <-c.stopping.Done():
		if !c.subscription.InOrder {
			d.Nack(true)
		}
		return false
	}
}

// why says why the deliveries of a stream ended.
func (s *stream) why() error {
	if !s.channel.IsClosed() {
		return errors.New("the broker cancelled the consumer: its queue is gone, or its node is")
	}
	return s.epoch.whyLost(<-s.closes)
}

// again subscribes until it succeeds, or returns nil when the consumer is to stop.
func (c *consumer) again(last *epoch) *stream {
	for failures := 1; c.rest(last, failures); failures++ {
		e, err := c.broker.consuming.epoch(c.stopping)
		if err == nil {
			var s *stream
			if s, err = c.restore(e); err == nil {
				return s
			}
			last = e
		}
		if c.stopping.Err() != nil {
			return nil
		}
		c.failure.Store(&err)
		c.log().Warn("cannot subscribe", "failures", failures, "error", err)
	}
	return nil
}

// rest waits before another attempt: for another connection where the last one is lost, and otherwise for a moment. It
// reports whether there is to be an attempt.
func (c *consumer) rest(last *epoch, failures int) bool {
	if last.conn.IsClosed() {
		return c.broker.consuming.awaitChange(c.stopping, last) == nil
	}
	return pause(c.stopping, c.broker.options.Backoff(failures))
}

// restore declares the queue again, if this service declared it, and subscribes.
func (c *consumer) restore(e *epoch) (*stream, error) {
	if t := c.broker.registry.around(c.subscription.Queue); !empty(t) {
		if err := c.broker.restore(c.stopping, e, t); err != nil {
			return nil, err
		}
	}
	return c.subscribe(c.stopping, e)
}

// end ends the subscription: it asks for no more, gives back what was not taken, and leaves the channel to those
// deliveries that were. An ordered subscription ends with its channel, which gives back everything but what was acked.
func (c *consumer) end(s *stream) {
	if c.subscription.InOrder {
		s.settler.tell()
		s.close()
		c.giveBack()
		return
	}
	if err := s.epoch.request(func() error { return s.channel.Cancel(s.tag, false) }); err == nil {
		for received := range s.incoming {
			s.delivery(received, c.subscription.Queue).Nack(true)
		}
	}
	c.giveBack()
	s.settler.retire()
}

// giveBack takes back what was handed over and not taken.
func (c *consumer) giveBack() {
	for {
		select {
		case d := <-c.deliveries:
			d.Nack(true)
		default:
			return
		}
	}
}

// lost returns why there is no subscription, or nil while there is one.
func (c *consumer) lost() error {
	if err := c.failure.Load(); err != nil {
		return *err
	}
	return nil
}

func (c *consumer) log() *slog.Logger {
	return c.broker.options.Logger.With("queue", c.subscription.Queue)
}

// Deliveries implements transport.Consumer.
func (c *consumer) Deliveries() <-chan *transport.Delivery { return c.deliveries }

// Stop implements transport.Consumer.
func (c *consumer) Stop(ctx context.Context) error {
	c.stop()
	select {
	case <-c.stopped:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("stop consuming %q: %w", c.subscription.Queue, context.Cause(ctx))
	}
}

// Close implements transport.Consumer.
func (c *consumer) Close(ctx context.Context) error {
	if err := c.Stop(ctx); err != nil {
		return err
	}
	_, err := await(ctx, func() (struct{}, error) {
		c.current.Load().close()
		return struct{}{}, nil
	}, func(struct{}) {})
	if err != nil {
		return err
	}
	return c.deleteOwn(ctx)
}

// delivery returns what was received as a delivery of the seam.
func (s *stream) delivery(received amqp.Delivery, queue string) *delivery {
	d := &delivery{tag: received.DeliveryTag, settler: s.settler}
	d.Delivery = transport.Delivery{
		Message: transport.Message{
			Exchange:    received.Exchange,
			Key:         received.RoutingKey,
			Body:        received.Body,
			ContentType: received.ContentType,
			MessageID:   received.MessageId,
			ReplyTo:     received.ReplyTo,
			Headers:     decoded(received.Headers),
			Priority:    received.Priority,
			Expiration:  expiration(received.Expiration),
			Transient:   received.DeliveryMode != amqp.Persistent,
		},
		Queue:       queue,
		Redelivered: received.Redelivered,
		Settler:     d,
	}
	s.settler.add(d)
	return d
}

// expiration reads the property that other services wrote; what is not a number of milliseconds is no expiration.
func expiration(text string) time.Duration {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 0
	}
	return time.Duration(n) * time.Millisecond
}
