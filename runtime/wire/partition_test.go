package wire

import (
	"fmt"
	"hash/fnv"
	"math/big"
	"testing"
)

// The hashes and partitions of the contract (contract: ordered by key, hash).
func TestPartition(t *testing.T) {
	type spread struct{ java, unsigned, dotNet int }
	for _, c := range []struct {
		key   string
		hash  uint32
		three spread
		eight int // for all three
		ten   spread
	}{
		{"a", 0xe40c292c, spread{0, 1, 2}, 4, spread{4, 0, 2}},
		{"foobar", 0xbf9cf968, spread{0, 1, 2}, 0, spread{4, 0, 2}},
		{"acct-7", 0x8a421c36, spread{0, 1, 2}, 6, spread{0, 6, 8}},
		{"customer-100", 0x9be48ecf, spread{2, 0, 1}, 7, spread{1, 7, 9}},
		{"account-1", 0x3aa68c96, spread{1, 1, 1}, 6, spread{4, 4, 4}},
		{"account-2", 0x39a68b03, spread{2, 2, 2}, 3, spread{5, 5, 5}},
		{"order-42", 0x572446f4, spread{2, 2, 2}, 4, spread{2, 2, 2}},
	} {
		if got := KeyHash(c.key); got != c.hash {
			t.Errorf("the hash of %q is %#x, want %#x", c.key, got, c.hash)
		}
		for n, want := range map[int]spread{1: {}, 3: c.three, 8: {c.eight, c.eight, c.eight}, 10: c.ten} {
			got := spread{Java.Partition(c.key, n), Unsigned.Partition(c.key, n), DotNet.Partition(c.key, n)}
			if got != want {
				t.Errorf("%q is in the partitions %+v of %d, want %+v", c.key, got, n, want)
			}
		}
	}
	if got := KeyHash(""); got != 0x811c9dc5 {
		t.Errorf("the hash of no key is %#x", got)
	}
}

func TestPartitionsAgree(t *testing.T) {
	for n := 1; n <= MaxPartitions; n++ {
		differ := 0
		for i := range 200 {
			key := fmt.Sprintf("key-%d", i)
			dotNet := DotNet.Partition(key, n)
			if Java.Partition(key, n) != dotNet || Unsigned.Partition(key, n) != dotNet {
				differ++
			}
		}
		if got := PartitionsAgree(n); got != (differ == 0) {
			t.Errorf("%d of 200 keys differ with %d partitions, and they agree: %v", differ, n, got)
		}
	}
	if PartitionsAgree(0) || PartitionsAgree(-8) {
		t.Error("the libraries agree on less than one partition")
	}
}

// derived computes a partition with the standard library's hash and with numbers of any size.
func derived(p Partitioner, key string, partitions int) int {
	h := fnv.New32a()
	h.Write([]byte(key))
	hash := new(big.Int).SetUint64(uint64(h.Sum32()))
	switch p {
	case Java: // two's complement, and a modulus that is never negative
		if hash.Bit(31) == 1 {
			hash.Sub(hash, new(big.Int).Lsh(big.NewInt(1), 32))
		}
	case DotNet:
		hash.SetBit(hash, 31, 0)
	}
	return int(hash.Mod(hash, big.NewInt(int64(partitions))).Int64())
}

func FuzzPartition(f *testing.F) {
	for _, key := range []string{"", "a", "foobar", "acct-7", "Kontö", "\xff\x00", "👩‍👧"} {
		for _, n := range []uint16{1, 2, 3, 7, 8, 10, 1000} {
			f.Add(key, n)
		}
	}
	f.Fuzz(func(t *testing.T, key string, n uint16) {
		partitions := int(n)%MaxPartitions + 1
		for _, p := range []Partitioner{DotNet, Java, Unsigned} {
			got, want := p.Partition(key, partitions), derived(p, key, partitions)
			if got != want || got < 0 || got >= partitions {
				t.Errorf("%v puts %q into %d of %d, want %d", p, key, got, partitions, want)
			}
		}
	})
}

func TestPartitionNames(t *testing.T) {
	for _, c := range []struct {
		partitioner          Partitioner
		queue, exchange, key string
	}{
		{DotNet, "ledger.11", "", "ledger.11"},
		{Java, "ledger.p11", "ledger", "p11"},
		{Unsigned, "ledger.11", "", "ledger.11"},
	} {
		p := c.partitioner
		queue, exchange, key := p.PartitionQueue("ledger", 11), p.PartitionExchange("ledger"), p.PartitionKey("ledger", 11)
		if queue != c.queue || exchange != c.exchange || key != c.key {
			t.Errorf("%v has the queue %q behind %q with the key %q, want %q, %q and %q",
				p, queue, exchange, key, c.queue, c.exchange, c.key)
		}
	}
}

func TestCheckPartitions(t *testing.T) {
	for n, fine := range map[int]bool{-1: false, 0: false, 1: true, 3: true, MaxPartitions: true, MaxPartitions + 1: false} {
		if err := CheckPartitions(n); (err == nil) != fine {
			t.Errorf("%d partitions: %v", n, err)
		}
	}
}
