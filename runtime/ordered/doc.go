// Package ordered applies messages in the order they were sent in, key by key (contract: ordered by key).
//
// Order in AMQP holds while one consumer reads one queue and handles one message at a time. So an ordered queue is
// split into partitions, a queue each: all messages of a key go to the same one, and each partition is consumed by one
// worker. Different keys run in parallel, as many at once as there are partitions.
//
//	consumer, err := ordered.Consume(ctx, conn, ordered.Declaration{Name: "ledger", Partitions: 8}, ledger.Apply)
//	...
//	partition, err := publisher.Publish(ctx, LedgerEntry{Account: "acct-7", Cents: 100})
//
// # A message that fails
//
// It is tried again in place, with the message held, because a message that goes back to its queue is overtaken. What
// then becomes of it says [FailureMode]. By default its partition halts: the message is held, nothing behind it is
// delivered, and [Consumer.HaltedPartitions], [Consumer.Health] and the log say so, until [Consumer.Resume].
//
// A halt survives a lost connection, a restart of the broker and the broker's consumer timeout: what comes again is held
// again and not handled. It ends with the process, whose message goes back to its place; the next one tries it from the
// first attempt.
//
// A quorum queue of RabbitMQ 4 drops a message that was lost 21 times with its consumer. From the 15th time on, a
// message that halts its partition is left in the queue, and the partition is not consumed until it is resumed. From the
// 19th time on, it is moved to {queue}.dlq, and the partition stays halted. A policy with a lower limit is not seen.
//
// # What is promised
//
// The entries of a key are handled in the order in which their publishes were confirmed, each at least once. One comes
// twice in a row where its connection was lost while it was handled, or where its publisher sent it twice. One that no
// handler can read is parked, one that an interceptor refuses is dead-lettered at once whatever OnFailure says, and those
// behind it go on.
//
// Not promised is the order of different keys, and the order of a key that two processes consume at once: see
// [Partitions] and [Declaration], SingleActive. A key moves to another partition when the number of partitions changes:
// drain the queues first.
package ordered
