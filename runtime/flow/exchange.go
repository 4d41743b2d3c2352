package flow

// Exchange is a declared exchange. It is used by [Publish], [Bind] and [Stop].
type Exchange struct{}

// Default is the exchange that every broker has: it brings a message to the queue that its routing key names. It is
// published to, and takes no bindings.
//
//	var Charge = flow.Publish[ChargeCard](flow.Default, "payments.charge")
var Default Exchange

// Topic declares a durable topic exchange of the name, which routes by patterns: in a binding, "*" stands for one word
// of the routing key and "#" for any number of words.
//
//	var Events = flow.Topic("orders-events")
func Topic(name string, opts ...ExchangeOption) Exchange { return Exchange{} }

// Direct declares a durable direct exchange of the name, which routes by the whole routing key.
//
//	var Commands = flow.Direct("orders-commands")
func Direct(name string, opts ...ExchangeOption) Exchange { return Exchange{} }

// Fanout declares a durable fanout exchange of the name, which brings each message to every queue bound to it. Its
// routing keys are not looked at.
//
//	var Prices = flow.Fanout("prices")
func Fanout(name string, opts ...ExchangeOption) Exchange { return Exchange{} }

// Headers declares a durable headers exchange of the name, which routes by headers and not by the routing key.
//
//	var Reports = flow.Headers("reports")
func Headers(name string, opts ...ExchangeOption) Exchange { return Exchange{} }

// External marks an exchange or a queue that somebody else declares. The generated topology verifies that it is there
// and never declares it. The bindings of the flow are made all the same, and an external queue still gets its .dlq
// and .parked queues and its rungs, because they belong to the consumer.
//
//	var Events = flow.Topic("orders-events", flow.External())
func External() ExternalOption { return option{} }
