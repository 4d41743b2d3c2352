// Package acemq publishes to RabbitMQ and consumes from it, by the AceMQ wire contract: services in Java, .NET, Python,
// Ruby and Go share queues, and a message that fails goes the same way in all of them. Code that acemq-gen makes calls
// it; it can be called by hand as well.
//
//	conn, err := acemq.Dial(ctx, "amqp://guest:guest@localhost/", acemq.WithService("billing"))
//	...
//	defer conn.Close(context.Background())
//
//	consumer, err := acemq.Consume(ctx, conn, acemq.Queue{Name: "billing.orders", Retry: acemq.Fixed(5, time.Minute)},
//		func(ctx context.Context, m *acemq.Message[OrderPlaced]) acemq.Ack {
//			switch err := charge(ctx, m.Payload); {
//			case err == nil:
//				return acemq.Accept()
//			case errors.Is(err, ErrDeclined):
//				return acemq.DeadLetter(err)
//			default:
//				return acemq.Retry(err)
//			}
//		})
//
// # Publishing
//
// A publish returns once the broker has confirmed the message and, unless its route is Optional, put it into a queue.
// Every publish has one of five outcomes:
//
//	nil               confirmed and routed
//	*UnroutableError  the broker has no queue for it; it is gone
//	*NackedError      the broker refused it; it is not stored
//	*RefusedError     nothing was written: a bad value, a blocked or closed connection; safe to publish again
//	*UnknownError     written, and no answer came: the broker may have it or not
//
// [Publisher.Publish] waits for one outcome; it may be called from many goroutines, whose messages share the way to the
// broker. [Publisher.PublishAll] waits once for many messages, and [Publisher.PublishAsync] leaves the waiting to the
// caller.
//
// # What happens to a message that fails
//
// A handler returns what becomes of its message. A message that fails is published again, with its
// headers changed, and the original is acknowledged only after the copy was confirmed and is in its queue. So a
// message can come twice, and is never lost. Its id stays the same.
//
//	the handler says                   the message goes to        x-acemq-attempt  x-acemq-error  counted as
//	Accept                             nowhere, it is done                                        Accepted
//	Retry, by policy                   {queue}, after a wait      + 1                             Retried
//	Retry, a wait of 30 s or more      {queue}.retry.{delay},     + 1                             Retried
//	                                   and from there to {queue}
//	Retry, attempts or age used up     {queue}.dlq                the same         the reason     DeadLettered
//	Retry, no policy                   {queue}, after RetryDelay  + 1, for ever                   Retried
//	Retry, RequeueOnFailure            {queue}, by the broker     the same                        Requeued
//	RetryAfter                         as Retry, after its delay  + 1                             Retried
//	DeadLetter                         {queue}.dlq                the same         the reason     Rejected
//	anything with a Fatal error        {queue}.dlq                the same         the reason     Rejected
//	nothing, it panics                 {queue}.dlq                the same         the reason     Rejected
//	Park                               {queue}.parked             the same         the reason     Parked
//	nothing, it was not called:        {queue}.parked             the same         the reason     Parked
//	  the body could not be decoded
//	Release                            {queue}, by the broker     the same                        Released
//	nothing, it was not called:        nowhere, it is done                                        Duplicates
//	  the message was handled before
//	nothing, it was not called:        {queue}, after 5 s         the same                        InProgress
//	  somebody else is at the message
//
// {queue}.dlq, {queue}.parked and the rungs {queue}.retry.{delay} are declared when a consumer starts. Where a copy finds
// its queue deleted, the queues are declared again and the copy is sent once more. Where it does not land even then, or
// its queue is full, the message pauses, from a second up to half a minute, and goes back to the queue it came from; one
// that the broker has handed out ten times is kept instead, because RabbitMQ 4 takes a message off after twenty. Each
// failure is logged, and counted as [Counts].SetAsideFailed.
//
// A copy carries the body, the content type, the message id, the reply address, the priority and the application's
// headers as they were received. It is addressed to the queue and not to the exchange that the message came through, so
// other queues do not get it twice; it goes to the end of the queue, so a retry gives up its place in the order.
//
// A wait in the consumer keeps the message unacknowledged. RabbitMQ closes the channel of a consumer that holds a
// message for half an hour, so long waits belong in a policy, which lets them wait in the broker.
//
// What was set aside waits for somebody to look at it. [Conn.Browse] shows it and leaves it where it is; [Pull] takes one
// message, to be published again and then accepted, or released.
//
// # Handling a message once
//
// A message can come twice: after a lost connection, a publish whose outcome was unknown, a process that ended before it
// could acknowledge. [WithIdempotency] has a consumer remember by its id what it has handled, for the last two rows of
// the table. Package idempotency says what a store must do, and has one for a single process.
//
// # Concurrency
//
// A consumer runs as many handlers at once as its prefetch allows, 20 by default; [Queue].Concurrency limits them. A
// message that waits for its next attempt holds a place in the prefetch and none among the handlers. A message whose
// channel was lost is delivered again, and may then run beside its first run.
//
// # Closing
//
// [Conn.Close] and [Consumer.Close] stop the deliveries, give back what no handler has started, send what waits for a
// retry, let running handlers finish and settle, and then close; all of it within 20 seconds, which fits into the 30
// that Kubernetes gives. Handlers that take longer are cancelled through their context, and what they hold is delivered
// again.
//
// [Conn], [Publisher], [Confirmation] and [Consumer] may be used concurrently.
package acemq
