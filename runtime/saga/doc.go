// Package saga runs actions one after another on one subject, and undoes what was done when one of them fails.
//
//	result := orders.RunPlaceOrder(ctx, actions, order) // generated: flow.Saga
//	if result.HasUnresolved() {
//		alert(result) // something happened in the world, was to be undone, and was not
//	}
//
// By hand, a saga is a value:
//
//	placeOrder := saga.Saga[Order]{
//		Name: "place-order",
//		Actions: []saga.Action[Order]{
//			{Name: "take-payment", Do: takePayment, Undo: refund},
//			{Name: "reserve-stock", Do: reserveStock, Undo: releaseStock},
//			{Name: "book-courier", Do: bookCourier},
//		},
//	}
//	result := placeOrder.Run(ctx, order)
//
// # What is promised
//
//   - Actions run in order, each when the one before it has returned without an error.
//   - Where one fails, those that were done before it are undone, the last first. The one that failed is not: an action
//     that fails has done nothing, or has undone it itself.
//   - An action without an Undo is passed over: it changed nothing, or nothing after it can fail.
//   - The context of the caller ends the way forward alone. What undoes runs with a context that has its values and not
//     its end: a saga that was cancelled needs undoing most.
//   - Every Undo is tried, whatever the others returned. [Result].Unresolved has those that failed, all of them.
//   - A panic is a failure like any other, of an action and of an Undo alike. So is a goroutine that ends itself.
//   - Nothing is thrown: the caller has a [Result] to decide by.
//   - What is undone is logged, and with [ReportTo] the observers of a connection hear of it.
//
// # What is not
//
// A saga is no transaction. Between an action and its Undo the world is as the action left it, and everybody sees it.
// What cannot be undone by doing something else, sending a letter for one, belongs last.
//
// A saga is not durable. It runs in one process and keeps its state there: a process that dies leaves it half done, and
// nobody goes on with it. In a handler, a message that is delivered again runs the saga again from its start, so
// actions should stand being done twice for the same subject.
package saga
