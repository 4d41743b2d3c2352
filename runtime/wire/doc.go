// Package wire is the AceMQ wire contract: what a message, a queue and a retry look like on a broker that services
// in Java, .NET, Python, Ruby and Go share.
//
// Everything here is a pure function on plain data, and the package imports the standard library only. The generator
// and the runtime both call it, so a name that is checked when code is generated is the name that is used when it
// runs.
//
// A message is its body plus headers. Headers that begin with "x-acemq-" are reserved for the contract and become an
// [Envelope]; all others belong to the application. A message that fails is published again, through the default
// exchange, to a queue whose name this package derives from the queue it came from:
//
//	{queue}.retry.{delay}   a rung: waits in the broker, then comes home through the exchange "acemq.retry"
//	{queue}.dlq             dead letters: given up, or refused by somebody's code
//	{queue}.parked          parked: nothing could read it
//
// What a broker or a client library would not take is refused here first, in words: [CheckShort], [CheckBody],
// [NormalHeaders] and [Retry.Policy].
//
// All functions may be called concurrently.
package wire
