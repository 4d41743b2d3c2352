package wire

import (
	"fmt"
	"strconv"
)

// Partitioner is how the libraries of the family spread the keys of an ordered queue over its partitions, and what the
// partitions are on the broker (contract: ordered by key, topology and hash). The zero Partitioner is that of .NET.
type Partitioner int

// The partitioners. They give a key the same partition wherever [PartitionsAgree].
const (
	DotNet   Partitioner = iota // the hash without its top bit; queues {name}.{i} behind the default exchange
	Java                        // the hash as a signed number; queues {name}.p{i} behind the exchange {name}
	Unsigned                    // the hash as it is, as in Go, Python and Ruby; queues as for DotNet
)

// MaxPartitions is the largest number of partitions: a consumer of all of them has a channel for each, and RabbitMQ
// gives a connection 2,047.
const MaxPartitions = 1024

// CheckPartitions checks a number of partitions.
func CheckPartitions(partitions int) error {
	if partitions < 1 || partitions > MaxPartitions {
		return fmt.Errorf("%d partitions: say 1 to %d", partitions, MaxPartitions)
	}
	return nil
}

// PartitionsAgree reports whether all libraries of the family put a key into the same one of so many partitions: where
// the number is a power of two. With any other, they differ for about half of all keys.
func PartitionsAgree(partitions int) bool { return partitions > 0 && partitions&(partitions-1) == 0 }

// KeyHash returns the hash of a key: FNV-1a of 32 bits over its bytes (contract: ordered by key, hash).
func KeyHash(key string) uint32 {
	const offset, prime = 2166136261, 16777619
	hash := uint32(offset)
	for i := range len(key) {
		hash = (hash ^ uint32(key[i])) * prime
	}
	return hash
}

// Partition returns the partition of a key, counted from 0. Fewer than two partitions are one.
func (p Partitioner) Partition(key string, partitions int) int {
	if partitions < 2 {
		return 0
	}
	hash, n := KeyHash(key), int64(partitions)
	switch p {
	case Java:
		return int((int64(int32(hash))%n + n) % n) // the remainder that is never negative
	case Unsigned:
		return int(int64(hash) % n)
	default:
		return int(int64(hash&0x7fffffff) % n)
	}
}

// PartitionQueue returns the queue of a partition.
func (p Partitioner) PartitionQueue(name string, partition int) string {
	return name + "." + p.label(partition)
}

// PartitionExchange returns the exchange that messages are sent to: the direct exchange {name}, which is declared, or ""
// for the default one.
func (p Partitioner) PartitionExchange(name string) string {
	if p == Java {
		return name
	}
	return ""
}

// PartitionKey returns the routing key of a partition, which binds its queue where there is an exchange.
func (p Partitioner) PartitionKey(name string, partition int) string {
	if p == Java {
		return p.label(partition)
	}
	return p.PartitionQueue(name, partition)
}

func (p Partitioner) label(partition int) string {
	if p == Java {
		return "p" + strconv.Itoa(partition)
	}
	return strconv.Itoa(partition)
}

// String returns the partitioner as flow.go spells it.
func (p Partitioner) String() string {
	switch p {
	case DotNet:
		return "DotNet"
	case Java:
		return "Java"
	case Unsigned:
		return "Unsigned"
	}
	return "Partitioner(" + strconv.Itoa(int(p)) + ")"
}
