package flow

import "time"

// Publication is a declared publication of messages of type T. It is used by [From].
type Publication[T any] struct{}

// Publish declares that messages of type T are published to an exchange. The variable Placed gives the type
// PlacedPublisher with the methods Publish, PublishAll and PublishAsync.
//
// The key is the routing key. A {Field} in it is filled from the message's field of that name, which holds a string, an
// integer, or a value with a String method. A message is refused, before anything is sent, where that text is empty or
// holds a dot, because it would change the number of words in the key.
//
// A message is persistent, and publishing returns when the broker has confirmed it and routed it to a queue; options
// change that.
//
//	// Placed announces an order that was accepted.
//	var Placed = flow.Publish[OrderPlaced](Events, "order.placed.{Region}")
func Publish[T any](exchange Exchange, key string, opts ...PublishOption) Publication[T] {
	return Publication[T]{}
}

// Optional lets a message be confirmed that no queue is bound for. Without it, such a message is an error.
//
//	var Viewed = flow.Publish[PageViewed](Events, "page.viewed", flow.Optional())
func Optional() PublishOption { return option{} }

// Transient lets a message be lost when the broker restarts, in exchange for speed on a classic queue.
//
//	var Tick = flow.Publish[PriceTick](Prices, "", flow.Transient())
func Transient() PublishOption { return option{} }

// Expires limits how long a message waits in a queue, in whole milliseconds. One that waited longer goes to the queue's
// dead letters. A classic queue looks only at the message at its head.
//
//	var Offered = flow.Publish[Offer](Events, "offer.made", flow.Expires(5*time.Second))
func Expires(d time.Duration) PublishOption { return option{} }

// Priority sets a message's priority, from 0 to 255. A quorum queue knows two: normal up to 4, and high from 5 on.
//
//	var Recalled = flow.Publish[Recall](Events, "product.recalled", flow.Priority(9))
func Priority(n int) PublishOption { return option{} }

// Outbox also generates the function PlacedRecord. It makes a record of the message that is stored in the transaction
// which changes the business data, and a relay publishes it afterwards: at least once.
//
//	var Placed = flow.Publish[OrderPlaced](Events, "order.placed", flow.Outbox())
func Outbox() PublishOption { return option{} }

// Schedulable also generates the methods PublishAfter and PublishAt, which deliver a message later. They are accurate
// to about a second.
//
//	var InvoiceDue = flow.Publish[Invoice](Events, "invoice.due", flow.Schedulable())
func Schedulable() PublishOption { return option{} }
