package rabbit

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// consumer keeps one subscription: it subscribes again whenever the deliveries end without its asking, whatever the
// reason, for ever. Who takes deliveries reads them off the stream; one goroutine, run, sees to it that there is one.
type consumer struct {
	broker       *broker
	subscription transport.Subscription

	stopping context.Context // ends when the consumer is asked to stop
	stop     context.CancelFunc
	stopped  chan struct{} // no more deliveries come

	current atomic.Pointer[stream]
	failure atomic.Pointer[error] // why there is no subscription, while there is none

	handing    sync.Once
	deliveries chan *transport.Delivery // of those who wait for other things as well
}

// stream is a subscription on one channel.
type stream struct {
	epoch    *epoch
	channel  *amqp.Channel
	closes   chan *amqp.Error
	cancels  chan string // closed with the channel
	tag      string
	incoming <-chan amqp.Delivery
	settler  *settler
	ended    chan struct{} // closed when it is lost or to stop: what was not taken of it is given back
	over     chan struct{} // closed when there is another stream in its place, or none to come
}

// Consume implements transport.Broker.
func (b *broker) Consume(ctx context.Context, s transport.Subscription) (transport.Consumer, error) {
	s, err := transport.CheckSubscription(s)
	if err != nil {
		return nil, err
	}
	c := &consumer{
		broker:       b,
		subscription: s,
		stopped:      make(chan struct{}),
		deliveries:   make(chan *transport.Delivery),
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
	s := &stream{epoch: e, tag: consumerTag(c.subscription.Queue), ended: make(chan struct{}), over: make(chan struct{})}
	if err := e.request(func() (err error) {
		s.channel, err = e.conn.Channel()
		return err
	}); err != nil {
		s.channel = nil
		return s, err
	}
	s.closes = s.channel.NotifyClose(make(chan *amqp.Error, 1))
	s.cancels = s.channel.NotifyCancel(make(chan string, 1))
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

// run keeps a stream until the consumer is stopped.
func (c *consumer) run(s *stream) {
	defer close(c.stopped)
	defer c.broker.leave(c)
	for {
		select {
		case <-s.cancels:
		case <-c.stopping.Done():
		}
		close(s.ended)
		if c.stopping.Err() != nil {
			c.end(s)
			c.finish(s)
			return
		}
		next := c.replace(s)
		if next == nil {
			c.finish(s)
			return
		}
		c.current.Store(next)
		c.failure.Store(nil)
		close(s.over)
		c.log().Info("subscribed again", "epoch", next.epoch.number)
		s = next
	}
}

// finish ends the deliveries after the last stream, and gives back what was handed over and not taken.
func (c *consumer) finish(last *stream) {
	close(last.over)
	c.handing.Do(func() { close(c.deliveries) })
	for d := range c.deliveries {
		c.giveBack(d)
	}
}

// replace gives up a stream that ended without being asked to, and returns the one in its place, nil when the consumer
// is to stop.
func (c *consumer) replace(s *stream) *stream {
	err := s.why()
	c.failure.Store(&err)
	// A consumer that was cancelled keeps its channel; what it holds went with its queue, or comes again.
	s.settler.tell()
	s.close()
	c.log().Warn("the subscription is lost", "error", err)
	return c.again(s.epoch)
}

// Next implements transport.Consumer.
func (c *consumer) Next(d *transport.Delivery) bool { return c.next(d) != nil }

// next waits for a delivery, takes it into d, and returns the stream it came on, nil when there are no more.
func (c *consumer) next(d *transport.Delivery) *stream {
	for {
		s := c.current.Load()
		received, open := <-s.incoming
		if !open {
			<-s.over
			if c.stopping.Err() != nil {
				return nil
			}
			continue
		}
		s.take(&received, d)
		d.Queue = c.subscription.Queue
		switch {
		case c.stopping.Err() != nil:
			c.giveBack(d)
		case d.Live():
			return s
		}
	}
}

// Deliveries implements transport.Consumer.
func (c *consumer) Deliveries() <-chan *transport.Delivery {
	c.handing.Do(func() { go c.hand() })
	return c.deliveries
}

// hand hands over deliveries until there are no more.
func (c *consumer) hand() {
	defer close(c.deliveries)
	for {
		d := new(transport.Delivery)
		s := c.next(d)
		if s == nil {
			return
		}
		select {
		case c.deliveries <- d:
		case <-s.ended:
			c.giveBack(d)
		}
	}
}

// giveBack gives back a delivery that nobody took. Those of an ordered subscription go back with their channel.
func (c *consumer) giveBack(d *transport.Delivery) {
	if !c.subscription.InOrder {
		d.Nack(true)
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
		return
	}
	if err := s.epoch.request(func() error { return s.channel.Cancel(s.tag, false) }); err == nil {
		for received := range s.incoming {
			s.counted(received.DeliveryTag).Nack(true)
		}
	}
	s.settler.retire()
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

// take reads what was received into a delivery of the seam.
func (s *stream) take(received *amqp.Delivery, d *transport.Delivery) {
	*d = transport.Delivery{
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
		Redelivered: received.Redelivered,
		Settler:     s.counted(received.DeliveryTag),
	}
}

// counted returns the settling of a delivery, which the settler of the stream has counted in.
func (s *stream) counted(tag uint64) *delivery {
	d := &delivery{tag: tag, settler: s.settler}
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
