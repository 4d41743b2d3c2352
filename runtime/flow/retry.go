package flow

import "time"

// Policy says how often a failed message is delivered again, and after which delays. Its methods return a changed copy.
type Policy struct{}

// NoRetry is the policy of one delivery: a message that fails goes to {queue}.dlq.
//
//	flow.Retry(flow.NoRetry())
func NoRetry() Policy { return Policy{} }

// Fixed is the policy of so many deliveries at most, the first included, with the same delay between them. The delay is
// exact.
//
//	flow.Retry(flow.Fixed(4, 30*time.Second)) // after 30s, 30s and 30s
func Fixed(attempts int, delay time.Duration) Policy { return Policy{} }

// Exponential is the policy of so many deliveries at most, the first included, with delays that double from initial up
// to limit. A limit of 0 means no limit. Waits in the consumer vary by 20 % in both directions.
//
//	flow.Retry(flow.Exponential(5, time.Second, time.Minute)) // after about 1s, 2s, 4s and 8s
func Exponential(attempts int, initial, limit time.Duration) Policy { return Policy{} }

// GiveUpAfter also gives up on a message that was first published that long ago. 0 means no limit.
//
//	flow.Exponential(9, time.Second, time.Minute).GiveUpAfter(time.Hour)
func (p Policy) GiveUpAfter(age time.Duration) Policy { return p }

// WaitInBrokerFrom sets the delay from which a message waits in a queue of the broker, a rung, and not in the consumer.
// The default is 30 seconds; 0 keeps every wait in the consumer. Delays that wait in the broker are whole seconds.
//
//	flow.Fixed(3, 10*time.Second).WaitInBrokerFrom(5 * time.Second)
func (p Policy) WaitInBrokerFrom(delay time.Duration) Policy { return p }

// Jitter sets by how much a wait in the consumer varies in both directions, as a factor from 0 to 1.
//
//	flow.Fixed(5, time.Second).Jitter(0.1)
func (p Policy) Jitter(factor float64) Policy { return p }

// Retry sets the policy for messages that fail. After the last delivery a message goes to {queue}.dlq with the reason.
// The rungs that the policy needs are declared with the queue.
//
//	var Billing = flow.Consume[OrderPlaced]("billing.orders", flow.From(Placed),
//		flow.Retry(flow.Exponential(5, time.Second, time.Minute)))
func Retry(p Policy) HandlerOption { return option{} }

// RetryDelay sets the delay before a failed message is delivered again where there is no [Retry]: it is retried for
// ever, after 5 seconds unless this says otherwise. A [Request] is better given a Retry: its caller does not wait for
// ever.
//
//	flow.RetryDelay(10 * time.Second)
func RetryDelay(d time.Duration) HandlerOption { return option{} }

// RequeueOnFailure gives a failed message straight back to the queue. It belongs to queues where a failure means that
// another consumer should take the message: the attempt is not counted, so a message that always fails comes back at
// once, for ever, and no [Retry] ends it.
//
//	flow.RequeueOnFailure()
func RequeueOnFailure() QueueOption { return option{} }
