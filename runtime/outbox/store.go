package outbox

import (
	"context"
	"time"
)

// Store keeps records until they are published. The package sqlstore has stores in SQL databases, and a [Memory] is for
// tests. How records are added is each store's own: a store in a database takes the caller's transaction.
//
// Its methods are called concurrently, by relays of several processes. Time is the store's own clock throughout.
type Store interface {
	// Claim leases at most limit records that are due, the oldest first, and returns them in that order. A record with
	// an ordering key is due only while no older one of its key, in the store or on lease to somebody else, is waiting
	// or retired. A record whose lease has ended is due again.
	Claim(ctx context.Context, lease Lease, limit int) ([]Claimed, error)

	// Published removes records of a lease, or keeps them as published where the store has a retention. It returns how
	// many were still of the lease; the others are left as they are.
	Published(ctx context.Context, token string, ids []string) (int, error)

	// Postpone counts a failed attempt for a record of a lease, and has it due again after wait. It reports whether the
	// record was still of the lease.
	Postpone(ctx context.Context, token string, f Failure, wait time.Duration) (bool, error)

	// Retire counts a failed attempt for a record of a lease, and offers it no more until Release. It reports whether
	// the record was still of the lease.
	Retire(ctx context.Context, token string, f Failure) (bool, error)

	// GiveBack has records of a lease due again at once, with their attempts as they were. It returns how many were
	// still of the lease.
	GiveBack(ctx context.Context, token string, ids []string) (int, error)

	// Purge removes published records that are kept for longer than the retention, a bounded number at a time, and
	// returns how many. A relay calls it until nothing is left to remove.
	Purge(ctx context.Context) (int, error)

	// Pending counts the records that are not published: due, on lease, postponed and retired.
	Pending(ctx context.Context) (int, error)

	// Retired returns at most limit records that are no longer tried, the oldest first.
	Retired(ctx context.Context, limit int) ([]Retired, error)

	// Release has retired records tried again as if they had never failed, and returns how many were. Ids of other
	// records are passed over.
	Release(ctx context.Context, ids ...string) (int, error)
}

// Lease is for how long a claim holds, and the random token that proves it.
type Lease struct {
	Token  string
	Length time.Duration
}

// Claimed is a record on lease.
type Claimed struct {
	Record
	Attempts int           // how often publishing it has failed
	Age      time.Duration // since it was added, by the store's clock
}

// Failure says which record could not be published, and why. The reason has 1000 bytes at most.
type Failure struct {
	ID     string
	Reason string
}

// Retired is a record that is no longer tried. Somebody has to read why, mend it, and release the record.
type Retired struct {
	Record
	Attempts int
	Reason   string    // the last failure
	Since    time.Time // by the store's clock
}
