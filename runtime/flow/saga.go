package flow

// SagaFlow is a declared saga over a subject of type T.
type SagaFlow[T any] struct{}

// Saga declares actions that run in order on one subject. Where one fails, those before it are undone in reverse order.
// The variable PlaceOrder gives the interface PlaceOrderActions, with a method for each action and each undo, and the
// function RunPlaceOrder, whose result says what was done, what was undone and what could not be.
//
// The subject is of any type that has a name, or a pointer to one. It does not travel, and need not be a message. A
// saga runs in one process and keeps its state there: a process that dies leaves it half done.
//
//	// PlaceOrder undoes what it did when a later step fails.
//	var PlaceOrder = flow.Saga[Order]("place-order",
//		flow.Action("take-payment", flow.Undo("refund")),
//		flow.Action("reserve-stock", flow.Undo("release-stock")),
//		flow.Action("book-courier"))
func Saga[T any](name string, actions ...SagaAction) SagaFlow[T] { return SagaFlow[T]{} }

// Action is an action of a [Saga]. Its name, in Go's spelling, names its method: "take-payment" is TakePayment. No
// other action or undo of the saga has that name.
//
//	flow.Action("take-payment", flow.Undo("refund"))
func Action(name string, opts ...ActionOption) SagaAction { return option{} }

// Undo names what undoes an [Action], and the method for it: "refund" is Refund. An action without it is not undone:
// nothing after it can fail, or it changes nothing.
//
//	flow.Undo("refund")
func Undo(name string) ActionOption { return option{} }
