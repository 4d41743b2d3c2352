// Package request asks a question over a queue and waits for the answer (contract: request and reply).
//
// A request is declared in flow.go with flow.Request; the code that is generated from it calls this package:
//
//	server, err := ServeQuotes(ctx, conn, func(ctx context.Context, m *acemq.Message[QuoteRequest]) (Quote, error) { … })
//	…
//	quote, err := NewQuotesClient(conn).Call(ctx, QuoteRequest{Order: "42"})
//
// # What is on the broker
//
// Requests wait in a queue of work, which is declared as any other. Answers wait in a reply queue, one for each
// connection that calls, "acemq.reply." and a random id: a classic queue that the first call makes, and that goes with
// the connection. Where a process is killed, the broker deletes it after ten minutes. Nothing else is declared for it.
//
// A request names its reply queue in the header acemq-reply-to and in the property reply-to. Its id is its correlation,
// too. A reply has the correlation of its request, and the id of its request as its causation. So every client and
// server of the family is paired with those of this package, whichever of these they read and write.
//
// # What is promised
//
//   - A call ends: with the answer, with a failure, or at its deadline, whatever becomes of connections and servers. No
//     answer does not mean that the request was not handled.
//   - A request is handled at least once. A server that dies before it has answered, or before its ack has arrived,
//     leaves the request to another one, and the caller takes the first answer that comes. Further ones are counted in
//     Unmatched and dropped.
//   - A reply is in its queue before its request is settled. A reply that the broker does not take is sent again for a
//     while, and then its request has failed.
//   - A lost connection loses no reply: those that come in the meantime wait in the reply queue. Whether a request was
//     lost with the connection is unknown, and its call waits for an answer until its deadline.
//   - A request expires when its caller stops waiting, so that no server works for nobody. It is found in {queue}.dlq:
//     many of them there say that the servers are too slow or too few. One that waits for its next attempt does not
//     expire any more.
//   - A request that is given up is found in {queue}.dlq, and its caller is told.
//
// Everything may be called concurrently.
package request
