// Package slip sends messages along routes that travel with them, and takes them from stop to stop.
//
// A route is declared in flow.go with flow.Slip; the code that is generated from it calls this package:
//
//	err := CheckoutFromOrder().Validate().Price().Ship().Send(ctx, conn, order)
//
//	consumer, err := HandleCheckoutPrice(ctx, conn, price) // func(ctx, *acemq.Message[Order]) (PricedOrder, error)
//
// # What travels
//
// A slip has one of two forms, and the services of the family read both. An itinerary is JSON in the header
// "acemq-routing-slip"; it carries the address of each stop, and those that are done with the time at which they were:
//
//	{"steps":[{"exchange":"orders-events","routingKey":"order.price","name":"price"}],
//	 "done":[{"exchange":"orders-events","routingKey":"order.validate","name":"validate",
//	          "completedAt":"2026-09-09T14:03:11Z"}]}
//
// A declared route is shorter and has names alone, which the reader has to resolve: "x-acemq-route: validate,price",
// "x-acemq-route-position: 1" and "x-acemq-route-id". A message that carries both follows the itinerary. A hop answers
// in the form that the message came in.
//
// # What is promised
//
//   - The next stop has the message, in a queue, before this one is settled. A hop that no queue takes is a failure of
//     this stop, and its retry policy decides. A crash in between repeats the stop, so handlers must tolerate that.
//   - A hop keeps id, type, version, correlation, causation, first-seen, reply address and the application's headers.
//     The next stop begins with attempt 1.
//   - A slip is input. It is followed to the stops that are declared, unless the declaration says AnyDestination. A
//     message with any other next stop, with a slip that cannot be read, or with none, goes to {queue}.dlq before the
//     handler sees it, with a reason that names what is wrong.
//   - A message is the same on its whole way, and an idempotent stop takes it once: a route that comes by there again
//     ends. Stops that a route goes back to are not idempotent, or tell their visits apart themselves.
//   - A slip is not a transaction: each stop stands when it is done.
//
// Everything may be called concurrently.
package slip
