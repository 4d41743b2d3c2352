package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/internal/dbtest"
	"github.com/acemq/acemq-gen/runtime/idempotency"
	idempotencyconformance "github.com/acemq/acemq-gen/runtime/idempotency/conformance"
	"github.com/acemq/acemq-gen/runtime/outbox"
	outboxconformance "github.com/acemq/acemq-gen/runtime/outbox/conformance"
)

// dialects are the kinds of databases with their SQL.
var dialects = map[dbtest.Kind]Dialect{dbtest.PostgreSQL: PostgreSQL, dbtest.MariaDB: MySQL, dbtest.SQLite: SQLite}

// onEach runs a test on a database of each kind.
func onEach(t *testing.T, test func(t *testing.T, kind dbtest.Kind)) {
	for _, kind := range dbtest.Kinds {
		t.Run(kind.String(), func(t *testing.T) { test(t, kind) })
	}
}

// newOutbox returns a store with its table made.
func newOutbox(t testing.TB, db *sql.DB, kind dbtest.Kind, opts ...OutboxOption) *Outbox {
	t.Helper()
	store, err := NewOutbox(db, dialects[kind], opts...)
	if err == nil {
		err = store.CreateTable(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func newIdempotency(t testing.TB, db *sql.DB, kind dbtest.Kind, opts ...IdempotencyOption) *Idempotency {
	t.Helper()
	store, err := NewIdempotency(db, dialects[kind], opts...)
	if err == nil {
		err = store.CreateTable(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// add adds records in a transaction of their own.
func add(ctx context.Context, db *sql.DB, store *Outbox, records ...outbox.Record) error {
	return inTx(ctx, db, func(tx *sql.Tx) error { return store.Add(ctx, tx, records...) })
}

func inTx(ctx context.Context, db *sql.DB, f func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func TestOutbox(t *testing.T) {
	onEach(t, func(t *testing.T, kind dbtest.Kind) {
		outboxconformance.Run(t, func(t *testing.T, retention time.Duration) outboxconformance.Fixture {
			db := dbtest.Open(t, kind)
			store := newOutbox(t, db, kind, KeepPublished(retention))
			return outboxconformance.Fixture{
				Store: store,
				Add: func(ctx context.Context, records ...outbox.Record) error {
					return add(ctx, db, store, records...)
				},
			}
		})
	})
}

func TestIdempotency(t *testing.T) {
	onEach(t, func(t *testing.T, kind dbtest.Kind) {
		idempotencyconformance.Run(t, func(t *testing.T) idempotency.Store {
			return newIdempotency(t, dbtest.Open(t, kind), kind)
		})
	})
}
