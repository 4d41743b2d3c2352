// Package pipeline takes messages through a chain of steps, each on a queue of its own.
//
// A pipeline is declared in flow.go with flow.Pipeline; the code that is generated from it calls this package:
//
//	fulfilment, err := RunFulfilment(ctx, conn, steps) // all steps, or RunFulfilmentPrice for one in its own process
//	...
//	err = fulfilment.Send(ctx, order)
//
// # What is on the broker
//
// A pipeline "orders" with the steps "validate" and "price" is a direct exchange "orders" and the quorum queues
// "orders.validate" and "orders.price", bound with the names of their steps. Services in Java, Go, Ruby and Python
// reach a step through the exchange, those in .NET through its queue, so any of them can run any step (contract:
// pipelines, topology). Every message carries its route and how far along it is, in one of the two forms that package
// slip describes; nothing else knows where it is.
//
// # What is promised
//
//   - The next step has the message, in a queue, before this one is settled. A hop that no queue takes is a failure of
//     this step, and its retry policy decides. A crash in between repeats the step, so steps must tolerate that;
//     where a step is idempotent, its claim is confirmed after the hop.
//   - A hop keeps id, type, version, correlation, causation, first-seen, reply address and the application's headers.
//     The next step begins with attempt 1.
//   - A step that returns [End] filters its message: it is done, and counted apart. Behind the last step there is
//     nothing to end, so End completes the run there.
//   - The slip decides, not the declaration: a message whose slip names fewer steps skips the others. It is followed to
//     declared steps alone. A message with any other next step, or with a slip that cannot be read or does not name the
//     step it is at, goes to {queue}.dlq before the step sees it. A message without a slip is at the step whose queue
//     it is in, on the whole route.
//   - A message in {queue}.dlq can be resumed where it failed; the steps before are not repeated.
//
// # Counters
//
// Each process counts what it does itself: a process that runs the last step completes runs that another one sent in.
// InFlight counts what this process has in hand, each message up when it is taken and down when it is let go by the
// same call, so it is never negative and ends at 0; what waits in the queues is the broker's to count, see
// [Pipeline.Waiting].
//
// Everything may be called concurrently.
package pipeline
