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
//	nothing, it was not called:        {queue}.dlq                the same         the reason     DeadLettered
//	  an interceptor refused it
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
// # Interceptors
//
// An [Interceptor] is for what belongs to every message and not to one call: a tenant header, an audit trail, a policy on
// what goes out. It has six places, three around a publish and three around a handler:
//
//	conn.Intercept(acemq.Interceptor{
//		Name: "tenant",
//		BeforePublish: func(ctx context.Context, m *acemq.PublishedMessage) (context.Context, error) {
//			m.Headers["x-tenant"] = tenantOf(ctx)
//			return ctx, nil
//		},
//		BeforeHandle: func(ctx context.Context, m *acemq.Message[[]byte]) (context.Context, error) {
//			return withTenant(ctx, m.Header("x-tenant")), nil
//		},
//	})
//
// What may be changed, and what an error does; a panic is an error:
//
//	place          may change             an error
//	BeforePublish  the envelope,          refuses the message: nothing is written, no place after it runs, and the caller
//	               the application's      gets a *RefusedError with an *InterceptorError in it
//	               headers, the context
//	AfterConfirm   nothing                is logged: the message is out
//	PublishFailed  nothing                is logged: the caller gets the outcome of the publish
//	BeforeHandle   the context of the     dead-letters the message at once, as "an interceptor refused it: …", counted as
//	               handler                DeadLettered: the handler and no place after it runs, and a claim of an
//	                                      idempotent consumer is given up
//	AfterHandle    nothing                is logged: the handler's answer stands
//	HandleFailed   nothing                is logged: the handler's answer stands
//
// Exchange, routing key and body of a publish cannot be changed, and a reserved header is refused like an error. On the
// other side interceptors see a copy of the message.
//
// Publish interceptors stand behind the codec: they see the body as it goes out. Handle interceptors stand behind the
// codec and the idempotency store: they see no message that cannot be decoded, or was handled before. Interceptors run
// by their Order; after a handler they run backwards. They may be installed at any time, and each message keeps those
// that were there when it began.
//
// They see every message that this library publishes for somebody: those of publishers, each one of a batch, requests and
// replies, the hops of pipelines and slips, what an outbox relays, and what is scheduled, as it is scheduled.
// They do not see copies of messages that were received, which stay the same messages: what a consumer sends for another
// attempt, into a rung, to {queue}.dlq or {queue}.parked or to the end of its queue, what a scheduler moves on and
// delivers, and what is replayed. And they do not see what a consumer takes that is [Private], such as replies and the
// control queue of a scheduler.
//
// Where a publish is not waited for, as with [Publisher.PublishAsync], AfterConfirm and PublishFailed run in a goroutine
// of their own, before [Confirmation.Wait] returns the answer.
//
// # Observing
//
// An [Observer] hears of what the engine did: each publish with its outcome, each delivery as it is taken up and as it is
// settled, each copy that did not land. [Event.Metrics] turns an event into the metrics that all libraries of the family
// have, [LogObserver] writes events to a log, and [WithObserver] installs either or your own.
//
// Events carry the context of the interceptors, so a tracer is both: an interceptor begins the span, puts it into the
// context and its traceparent into the headers, and the observer ends it with the outcome. What the engine decides about
// a delivery only the observer knows; interceptors see what the handler asked for.
//
// Without interceptors and observers neither costs anything.
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
