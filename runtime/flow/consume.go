package flow

import "time"

// Consumer is a declared consumer of messages of type T.
type Consumer[T any] struct{}

// Consume declares that messages of type T are taken from a queue. The variable Billing gives the function
// ConsumeBilling, which calls a handler for each message, and the function ReplayBilling, which brings messages back
// from {queue}.dlq. One that cannot be decoded as a T goes to {queue}.parked, and the handler is not called.
//
// The queue is declared as a durable quorum queue, with {queue}.dlq and {queue}.parked beside it. [From] and [Bind] say
// where its messages come from; without them it is reached through the [Default] exchange by its name. Without
// [Retry], a message that fails is retried for ever.
//
//	// Billing charges every order that was placed.
//	var Billing = flow.Consume[OrderPlaced]("billing.orders", flow.From(Placed), flow.Prefetch(50))
func Consume[T any](queue string, opts ...ConsumeOption) Consumer[T] { return Consumer[T]{} }

// Dispatcher is a declared consumer of messages of several types.
type Dispatcher struct{}

// Dispatch declares that messages of several types are taken from a queue, a [Case] each. The variable Audit gives the
// interface AuditHandler, with a method for each type, and the function ConsumeAudit. The function ReplayAudit, and one
// for each type such as ReplayAuditOrderPlaced, bring messages back from {queue}.dlq. A message of any other type goes
// to {queue}.parked. The queue is declared as [Consume] does.
//
//	// Audit keeps every order event, whatever its type.
//	var Audit = flow.Dispatch("audit.orders", flow.Bind(Events, "order.#"),
//		flow.Case[OrderPlaced](), flow.Case[OrderShipped]())
func Dispatch(queue string, opts ...DispatchOption) Dispatcher { return Dispatcher{} }

// Case names a message type that a [Dispatch] takes. It is told from the others by the logical type and version of its
// marker.
//
//	flow.Case[OrderPlaced]()
func Case[T any]() CaseOption { return option{} }

// From binds the queue to a publication of the same flow: to its exchange, with its key, in which "*" stands for each
// word that has a {Field}. Its message type is the consumer's, or one of the dispatcher's cases.
//
//	flow.From(Placed)
func From[T any](p Publication[T]) QueueOption { return option{} }

// Bind binds the queue to an exchange with each key, or once without a key where none is given, as a fanout exchange
// needs it. On a topic exchange a key is a pattern.
//
//	flow.Bind(Events, "order.placed.*", "order.changed.#")
func Bind(exchange Exchange, keys ...string) QueueOption { return option{} }

// Prefetch sets how many unsettled messages the broker hands to the consumer at once, from 1 to 65,535. The default
// is 20.
//
//	flow.Prefetch(50)
func Prefetch(n int) HandlerOption { return option{} }

// Concurrency sets how many messages are handled at the same time. The default is the prefetch, and more than that has
// no effect. Messages that are handled together may overtake each other.
//
//	flow.Concurrency(4)
func Concurrency(n int) HandlerOption { return option{} }

// Idempotent handles a message once, however often it is delivered. The store that remembers is given when the
// consumer starts. A handler that has not finished is taken to be dead when the lease is over, and the message is
// handled again; 0 means 5 minutes.
//
//	flow.Idempotent(10 * time.Minute)
func Idempotent(lease time.Duration) IdempotentOption { return option{} }

// Classic declares the queue as a classic queue, which lives on one node, in place of a quorum queue.
//
//	flow.Classic()
func Classic() QueueOption { return option{} }

// TTL limits how long a message waits in the queue, in whole milliseconds. One that waited longer goes to {queue}.dlq.
//
//	flow.TTL(time.Hour)
func TTL(d time.Duration) QueueOption { return option{} }

// MaxLength limits how many messages wait in the queue. One more sends the oldest to {queue}.dlq.
//
//	flow.MaxLength(100_000)
func MaxLength(n int) QueueOption { return option{} }

// SingleActive hands the messages to one consumer at a time, in order; another one takes over when it goes. On an
// [Ordered] queue it keeps the order across processes, and the queues can then not be shared with services in Java or
// .NET that declare them without it.
//
//	flow.SingleActive()
func SingleActive() SingleActiveOption { return option{} }
