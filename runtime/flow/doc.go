// Package flow is the vocabulary of flow.go: the file in which a service declares what it publishes and consumes, and
// from which acemq-gen generates typed code.
//
// A declaration is a package-level variable that holds a call of this package:
//
//	//go:generate go tool acemq-gen
//
//	// Events carries what happens to an order.
//	var Events = flow.Topic("orders-events")
//
//	// Placed announces an order that was accepted.
//	var Placed = flow.Publish[OrderPlaced](Events, "order.placed.{Region}")
//
//	// Billing charges every order that was placed.
//	var Billing = flow.Consume[OrderPlaced]("billing.orders",
//		flow.From(Placed),
//		flow.Retry(flow.Exponential(5, time.Second, time.Minute)))
//
// The variable's name names the generated code, and its doc comment becomes the code's doc comment: Placed gives
// PlacedPublisher, and Billing gives ConsumeBilling. A blank variable takes its name from the broker's name. The flow
// as a whole gives Topology, which is what it needs on the broker, and Declare, which declares that.
//
// An argument is a constant of any package, another declared variable, a message type as a type argument, or a named
// function. The generator reads the file and never runs it, so anything else is an error at its position. The functions
// do nothing when the program runs, and may be called concurrently.
//
// A message type is a struct with a marker, which says its logical type and the version of its payload:
//
//	// OrderPlaced says that an order was accepted.
//	//
//	//acemq:message type=order.placed version=1
//	type OrderPlaced struct { ... }
//
// An option fits the declarations that its result type names. One in the wrong place does not compile.
package flow
