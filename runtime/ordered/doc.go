// Package ordered applies messages in the order they were sent in, key by key (contract: ordered by key).
//
// Order in AMQP holds while one consumer reads one queue and handles one message at a time. So an ordered queue is
// split into partitions, a queue each: all messages of a key go to the same one, and each partition is consumed by one
// worker.
package ordered
