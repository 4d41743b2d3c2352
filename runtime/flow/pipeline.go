package flow

// PipelineFlow is a declared pipeline.
type PipelineFlow struct{}

// Pipeline declares a chain of steps that every message takes in order, each on a queue {name}.{step} of its own. The
// variable Fulfilment gives the interface FulfilmentSteps, the function RunFulfilment for all steps, and one function a
// step, such as RunFulfilmentPrice, for a process of its own. NewFulfilment gives a process that runs no step the type
// FulfilmentPipeline, which sends messages in, counts them, and resumes those that a step gave up on.
//
// What a step returns is what the next one takes: a chain whose types do not fit is an error.
//
//	// Fulfilment takes an order from the door to the courier.
//	var Fulfilment = flow.Pipeline("orders",
//		flow.Step[Order, ValidOrder]("validate"),
//		flow.Step[ValidOrder, PricedOrder]("price", flow.Retry(flow.Fixed(4, 30*time.Second))),
//		flow.Sink[PricedOrder]("ship"))
func Pipeline(name string, items ...PipelineItem) PipelineFlow { return PipelineFlow{} }

// Step is a step of a [Pipeline]: it takes an In and returns an Out, or ends the message there. The name has letters,
// digits, dashes and dots.
//
//	flow.Step[Order, ValidOrder]("validate", flow.Concurrency(4))
func Step[In, Out any](name string, opts ...StepOption) PipelineItem { return option{} }

// Sink is the last step of a [Pipeline]: it takes an In and returns nothing.
//
//	flow.Sink[PricedOrder]("ship")
func Sink[In any](name string, opts ...StepOption) PipelineItem { return option{} }

// Form is the form in which a route travels with its message. Both are read, whichever is written.
type Form int

// The forms of a route.
const (
	Declared  Form = iota // the names of the steps, in reserved headers: short, and resolved by a declaration
	Itinerary             // the addresses of the stops as JSON, with those already done
)

// WriteAs sets the form in which the route is written. A [Pipeline] writes [Declared] without it, and a [Slip]
// [Itinerary]. A message that comes in the other form keeps it.
//
//	flow.Pipeline("orders", flow.WriteAs(flow.Itinerary), flow.Step[Order, ValidOrder]("validate"))
func WriteAs(form Form) FormOption { return option{} }
