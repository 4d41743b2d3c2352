package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

const queue = "acemq-bench"

// raw is amqp091-go as a careful engineer would use it: persistent, mandatory, confirmed, a window of deferred
// confirms, and settling with one acknowledgement for many where the prefetch allows it.
func raw(ctx context.Context, url string, s shape) (sample, error) {
	conn, err := amqp.Dial(url)
	if err != nil {
		return sample{}, err
	}
	defer conn.Close()
	ch, err := emptyQueue(conn)
	if err != nil {
		return sample{}, err
	}
	if s.prefetch > 0 {
		return rawConsume(ctx, ch, s)
	}
	got, err := rawPublish(ctx, ch, s)
	if err != nil {
		return sample{}, err
	}
	return got, expectDepth(conn, s.messages)
}

// emptyQueue opens a channel and gives it an empty queue.
func emptyQueue(conn *amqp.Connection) (*amqp.Channel, error) {
	ch, err := conn.Channel()
	if err != nil {
		return nil, err
	}
	if _, err := ch.QueueDeclare(queue, true, false, false, false, amqp.Table{"x-queue-type": "quorum"}); err != nil {
		return nil, err
	}
	_, err = ch.QueuePurge(queue, false)
	return ch, err
}

// expectDepth fails unless the queue holds as many messages.
func expectDepth(conn *amqp.Connection, want int) error {
	ch, err := conn.Channel()
	if err != nil {
		return err
	}
	defer ch.Close()
	var q amqp.Queue
	for range 50 {
		if q, err = ch.QueueDeclarePassive(queue, true, false, false, false, nil); err != nil {
			return err
		}
		if q.Messages == want {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return fmt.Errorf("the queue holds %d messages, want %d", q.Messages, want)
}

func rawPublish(ctx context.Context, ch *amqp.Channel, s shape) (sample, error) {
	if err := ch.Confirm(false); err != nil {
		return sample{}, err
	}
	returns := ch.NotifyReturn(make(chan amqp.Return, s.window))
	body := make([]byte, s.body)
	send := func(i int, at time.Time) (*amqp.DeferredConfirmation, error) {
		return ch.PublishWithDeferredConfirm("", queue, true, false, rawMessage(i, at, body))
	}
	return pipelined(s, send, func(confirm *amqp.DeferredConfirmation) error {
		if acked, err := confirm.WaitContext(ctx); err != nil || !acked {
			return errors.Join(err, errors.New("not confirmed"))
		}
		select {
		case r := <-returns:
			return fmt.Errorf("returned: %s", r.ReplyText)
		default:
			return nil
		}
	})
}

var origin = func() string {
	host, _ := os.Hostname()
	return "bench@" + host
}()

// rawMessage has the headers that the runtime writes.
func rawMessage(i int, at time.Time, body []byte) amqp.Publishing {
	id := fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
	return amqp.Publishing{
		MessageId:    id,
		ContentType:  "application/octet-stream",
		DeliveryMode: amqp.Persistent,
		Body:         body,
		Headers: amqp.Table{
			"x-acemq-id":          id,
			"x-acemq-type":        "bench.message",
			"x-acemq-version":     int32(1),
			"x-acemq-correlation": id,
			"x-acemq-attempt":     int32(1),
			"x-acemq-first-seen":  at.UnixMilli(),
			"x-acemq-origin":      origin,
		},
	}
}

// fill puts the messages of a consuming shape into the queue.
func fill(ctx context.Context, url string, s shape) error {
	conn, err := amqp.Dial(url)
	if err != nil {
		return err
	}
	defer conn.Close()
	ch, err := emptyQueue(conn)
	if err != nil {
		return err
	}
	s.window = 512
	if _, err := rawPublish(ctx, ch, s); err != nil {
		return err
	}
	return expectDepth(conn, s.messages)
}

func rawConsume(ctx context.Context, ch *amqp.Channel, s shape) (sample, error) {
	if err := fill(ctx, os.Getenv("ACEMQ_TEST_AMQP_URL"), s); err != nil {
		return sample{}, err
	}
	if err := ch.Qos(s.prefetch, 0, false); err != nil {
		return sample{}, err
	}
	arrivals := newArrivals(s.messages)
	m := newMeter()
	deliveries, err := ch.ConsumeWithContext(ctx, queue, "", false, false, false, false, nil)
	if err != nil {
		return sample{}, err
	}
	for range s.handlers {
		go rawHandle(deliveries, ackBatch(s), s.messages, arrivals)
	}
	if err := arrivals.wait(ctx); err != nil {
		return sample{}, err
	}
	return m.end(arrivals.gaps(m.start)), nil
}

// ackBatch is how many deliveries one ack is for. Handlers that finish in any order can only ack one by one.
func ackBatch(s shape) int {
	if s.handlers > 1 || s.prefetch <= 20 {
		return 1
	}
	return s.prefetch / 10
}

// rawHandle handles deliveries until they end, and acks each batch of them in one.
func rawHandle(deliveries <-chan amqp.Delivery, batch, messages int, arrivals *arrivals) {
	handled := 0
	for d := range deliveries {
		handled++
		if handled%batch == 0 || handled == messages {
			d.Ack(batch > 1)
		}
		arrivals.note()
	}
}
