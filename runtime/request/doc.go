// Package request asks a question over a queue and waits for the answer (contract: request and reply).
//
// A request is declared in flow.go with flow.Request; the code that is generated from it calls this package:
//
//	server, err := ServeQuotes(ctx, conn, func(ctx context.Context, m *acemq.Message[QuoteRequest]) (Quote, error) { … })
//	…
//	quote, err := NewQuotesClient(conn).Call(ctx, QuoteRequest{Order: "42"})
package request
