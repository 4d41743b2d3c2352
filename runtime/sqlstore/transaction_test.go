package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/internal/dbtest"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/idempotency"
	"github.com/acemq/acemq-gen/runtime/outbox"
)

// placed returns a record with nothing special about it.
func placed(id string) outbox.Record {
	return outbox.Record{Message: acemq.Outgoing{Exchange: "orders-events", Key: "order.placed", ContentType: "application/json",
		Body: []byte(`{}`), Envelope: acemq.Envelope{ID: id, Type: "order.placed", Version: 1, Attempt: 1}}}
}

func claim(t testing.TB, store *Outbox, token string) []string {
	t.Helper()
	claimed, err := store.Claim(t.Context(), outbox.Lease{Token: token, Length: time.Hour}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, c := range claimed {
		ids = append(ids, c.ID())
	}
	return ids
}

// A record exists if and only if the transaction of the data does.
func TestRollback(t *testing.T) {
	onEach(t, func(t *testing.T, kind dbtest.Kind) {
		db := dbtest.Open(t, kind)
		store := newOutbox(t, db, kind)
		declined := errors.New("declined")
		err := inTx(t.Context(), db, func(tx *sql.Tx) error {
			return errors.Join(store.Add(t.Context(), tx, placed("a")), declined)
		})
		if !errors.Is(err, declined) {
			t.Fatal(err)
		}
		if err := add(t.Context(), db, store, placed("b")); err != nil {
			t.Fatal(err)
		}
		if got := claim(t, store, "t"); !slices.Equal(got, []string{"b"}) {
			t.Errorf("the store has %v, want b alone", got)
		}
	})
}

// A transaction that began first and commits last is not passed over, though its row has the lower number.
func TestCommitsInReverseOrder(t *testing.T) {
	for _, kind := range []dbtest.Kind{dbtest.PostgreSQL, dbtest.MariaDB} { // SQLite has one writer at a time
		t.Run(kind.String(), func(t *testing.T) {
			db := dbtest.Open(t, kind)
			store := newOutbox(t, db, kind)
			var open []*sql.Tx
			for i := range 3 {
				tx, err := db.BeginTx(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				defer tx.Rollback()
				if err := store.Add(t.Context(), tx, placed(fmt.Sprint(i))); err != nil {
					t.Fatal(err)
				}
				open = append(open, tx)
			}
			for i := range slices.Backward(open) {
				if got := claim(t, store, fmt.Sprint("before", i)); len(got) != 0 {
					t.Errorf("%v was claimed before its commit", got)
				}
				if err := open[i].Commit(); err != nil {
					t.Fatal(err)
				}
				if got := claim(t, store, fmt.Sprint("after", i)); !slices.Equal(got, []string{fmt.Sprint(i)}) {
					t.Errorf("after the commit of %d, %v was claimed", i, got)
				}
			}
		})
	}
}

// Writers wait for each other, and for the relay.
func TestWritersAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, kind dbtest.Kind) {
		const writers, each = 8, 25
		db := dbtest.Open(t, kind)
		store := newOutbox(t, db, kind)
		if _, err := db.ExecContext(t.Context(), "CREATE TABLE orders (id VARCHAR(50) PRIMARY KEY)"); err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for writer := range writers {
			group.Go(func() {
				for n := range each {
					id := fmt.Sprint(writer, "-", n)
					if err := placeOrder(t.Context(), db, kind, store, id, placed(id)); err != nil {
						t.Errorf("writer %d: %v", writer, err)
						return
					}
				}
			})
		}
		taken := 0
		for deadline := time.Now().Add(time.Minute); taken < writers*each && time.Now().Before(deadline) && !t.Failed(); {
			ids := claim(t, store, "t")
			n, err := store.Published(t.Context(), "t", ids)
			if err != nil || n != len(ids) {
				t.Fatalf("%d of %d were settled: %v", n, len(ids), err)
			}
			taken += n
		}
		group.Wait()
		if taken != writers*each {
			t.Errorf("%d records were taken, want %d", taken, writers*each)
		}
	})
}

// placeOrder reads, writes and adds in one transaction, as a service does.
func placeOrder(ctx context.Context, db *sql.DB, kind dbtest.Kind, store *Outbox, id string, record outbox.Record) error {
	insert := "INSERT INTO orders (id) VALUES (?)"
	if kind == dbtest.PostgreSQL {
		insert = "INSERT INTO orders (id) VALUES ($1)"
	}
	return inTx(ctx, db, func(tx *sql.Tx) error {
		var n int
		if err := tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM orders").Scan(&n); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, insert, id); err != nil {
			return err
		}
		return store.Add(ctx, tx, record)
	})
}

// Of two handlers that run for one message, because a lease has ended, one commits.
func TestConfirmInATransaction(t *testing.T) {
	onEach(t, func(t *testing.T, kind dbtest.Kind) {
		ctx, db := t.Context(), dbtest.Open(t, kind)
		store := newIdempotency(t, db, kind)
		const key, lease = "billing.orders:1", 50 * time.Millisecond
		for range 2 {
			if got, err := store.Claim(ctx, key, lease); err != nil || got != idempotency.Claimed {
				t.Fatalf("claim: %v, %v", got, err)
			}
			time.Sleep(2 * lease)
		}
		confirm := func(tx *sql.Tx) error { return store.ConfirmIn(ctx, tx, key) }
		aborted := errors.New("aborted")
		if err := inTx(ctx, db, func(tx *sql.Tx) error { return errors.Join(confirm(tx), aborted) }); errors.Is(err, ErrNotClaimed) {
			t.Errorf("the handler that aborts: %v", err)
		}
		if err := inTx(ctx, db, confirm); err != nil {
			t.Errorf("the first handler: %v", err)
		}
		if err := inTx(ctx, db, confirm); !errors.Is(err, ErrNotClaimed) {
			t.Errorf("the second handler: %v, want ErrNotClaimed", err)
		}
		if err := errors.Join(store.Confirm(ctx, key), store.Release(ctx, key)); err != nil {
			t.Error(err)
		}
		if got, err := store.Claim(ctx, key, lease); err != nil || got != idempotency.Duplicate {
			t.Errorf("claim: %v, %v, want a duplicate", got, err)
		}
	})
}

func TestKeysAreForgotten(t *testing.T) {
	onEach(t, func(t *testing.T, kind dbtest.Kind) {
		ctx := t.Context()
		store := newIdempotency(t, dbtest.Open(t, kind), kind, KeepKeys(100*time.Millisecond))
		for _, key := range []string{"a", "b"} {
			if err := store.Confirm(ctx, key); err != nil {
				t.Fatal(err)
			}
		}
		if n, err := store.Purge(ctx); n != 0 || err != nil {
			t.Errorf("purged %d, %v, want none", n, err)
		}
		time.Sleep(200 * time.Millisecond)
		if got, err := store.Claim(ctx, "a", time.Hour); err != nil || got != idempotency.Claimed {
			t.Errorf("claim: %v, %v", got, err)
		}
		if n, err := store.Purge(ctx); n != 1 || err != nil {
			t.Errorf("purged %d, %v, want b", n, err)
		}
	})
}

// A row that cannot be read is retired, and holds up no others.
func TestSpoiledRow(t *testing.T) {
	onEach(t, func(t *testing.T, kind dbtest.Kind) {
		db := dbtest.Open(t, kind)
		store := newOutbox(t, db, kind)
		if err := add(t.Context(), db, store, placed("a"), placed("spoiled"), placed("b")); err != nil {
			t.Fatal(err)
		}
		_, err := db.ExecContext(t.Context(), "UPDATE "+DefaultOutboxTable+" SET headers = 'x' WHERE id = 'spoiled'")
		if err != nil {
			t.Fatal(err)
		}
		if got := claim(t, store, "t"); !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("%v was claimed, want a and b", got)
		}
		list, err := store.Retired(t.Context(), 10)
		if err != nil || len(list) != 1 || list[0].ID() != "spoiled" || list[0].Reason == "" {
			t.Errorf("retired: %+v, %v", list, err)
		}
	})
}
