package flow

// SlipFlow is a declared routing slip.
type SlipFlow struct{}

// Slip declares the stops of a route that differs from one message to the next, and travels with it. The variable
// Checkout gives a builder for each type that a route can start with, such as CheckoutFromOrder; after each stop it
// offers only the stops that take what the stop returns, so a wrong route does not compile. For each stop it gives a
// function, such as HandleCheckoutPrice, that runs the stop and forwards the message.
//
// A slip is input: it is followed only to the stops declared here, unless [AnyDestination] is given.
//
//	// Checkout is the route of orders whose stops differ from one to the next.
//	var Checkout = flow.Slip("checkout",
//		flow.Stop[Order, Order]("validate", Events, "order.validate"),
//		flow.Stop[Order, PricedOrder]("price", Events, "order.price"),
//		flow.Stop[PricedOrder, Shipment]("ship", Events, "order.ship"))
func Slip(name string, items ...SlipItem) SlipFlow { return SlipFlow{} }

// Stop is a stop of a [Slip]: it takes an In and returns an Out, and is reached through an exchange with a key. Its
// queue is {slip}.{stop}. The name has letters, digits, dashes and dots.
//
//	flow.Stop[Order, PricedOrder]("price", Events, "order.price", flow.Retry(flow.Fixed(4, 30*time.Second)))
func Stop[In, Out any](name string, exchange Exchange, key string, opts ...StopOption) SlipItem {
	return option{}
}

// AnyDestination follows a slip to any exchange and key that it names, declared here or not. It is for services that
// trust everybody who can publish to their queues.
//
//	flow.Slip("checkout", flow.AnyDestination(), flow.Stop[Order, Order]("validate", Events, "order.validate"))
func AnyDestination() SlipItem { return option{} }
