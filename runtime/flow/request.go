package flow

// RequestFlow is a declared request: a Q is asked and an R is answered.
type RequestFlow[Q, R any] struct{}

// Request declares that a service answers questions of type Q with answers of type R, on a queue. The variable Quotes
// gives NewQuotesClient, whose Call asks and waits, and ServeQuotes, which answers. Both message types are marked. A
// service that only asks declares the request as well, and calls NewQuotesClient alone.
//
// The queue is declared as [Consume] does, and nothing else takes from it. Without [Retry], the first failure is the
// last: the caller is told, and the request goes to {queue}.dlq.
//
//	// Quotes answers what an order would cost.
//	var Quotes = flow.Request[QuoteRequest, Quote]("quotes")
func Request[Q, R any](queue string, opts ...RequestOption) RequestFlow[Q, R] {
	return RequestFlow[Q, R]{}
}
