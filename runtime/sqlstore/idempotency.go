package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/acemq/acemq-gen/runtime/idempotency"
)

// Idempotency is an [idempotency.Store] in a table. It may be used concurrently, by any number of processes.
type Idempotency struct {
	db    *sql.DB
	table table
	keep  time.Duration
}

var _ idempotency.Store = (*Idempotency)(nil)

// IdempotencyOption changes an [Idempotency].
type IdempotencyOption func(*idempotencySettings)

type idempotencySettings struct {
	table string
	keep  time.Duration
}

// WithIdempotencyTable names the table. The default is [DefaultIdempotencyTable]. A name has letters, digits and _, and 48
// bytes at most.
func WithIdempotencyTable(name string) IdempotencyOption {
	return func(s *idempotencySettings) { s.table = name }
}

// KeepKeys sets how long a key stays confirmed. After that a message under it would be handled again. The default is
// [idempotency.DefaultAge].
func KeepKeys(d time.Duration) IdempotencyOption { return func(s *idempotencySettings) { s.keep = d } }

// NewIdempotency returns a store in a table of db. It asks the database nothing; [Idempotency.Check] does.
func NewIdempotency(db *sql.DB, d Dialect, opts ...IdempotencyOption) (*Idempotency, error) {
	s := idempotencySettings{table: DefaultIdempotencyTable, keep: idempotency.DefaultAge}
	for _, option := range opts {
		option(&s)
	}
	if s.keep <= 0 {
		return nil, fmt.Errorf("sqlstore: keys are kept for %v: say a positive time", s.keep)
	}
	t, err := newTable(d, s.table)
	if err != nil {
		return nil, err
	}
	return &Idempotency{db: db, table: t, keep: s.keep}, nil
}

// CreateTableSQL returns the statements that make the table and its index, for a migration. They end with semicolons.
func (i *Idempotency) CreateTableSQL() string { return i.table.script(i.table.idempotent) }

// CreateTable makes the table and its index where they are missing. A table of another shape is refused.
func (i *Idempotency) CreateTable(ctx context.Context) error {
	return i.table.create(ctx, i.db, i.table.idempotent, idempotencyShape)
}

// Check says why the table cannot be used: it is missing, or it is another library's.
func (i *Idempotency) Check(ctx context.Context) error {
	return idempotencyShape.check(ctx, i.table, i.db)
}

const (
	insertClaim = `{insert new} INTO {table} (id, confirmed, expires_at) VALUES (?, 0, {now} + ?){is new}`
	renewClaim  = `UPDATE {table} SET confirmed = 0, expires_at = {now} + ? WHERE id = ? AND expires_at <= {now}`
	readClaim   = `SELECT confirmed FROM {table} WHERE id = ?`
	confirm     = `INSERT INTO {table} (id, confirmed, expires_at) VALUES (?, 1, {now} + ?){confirm old}`
	confirmIn   = `UPDATE {table} SET confirmed = 1, expires_at = {now} + ? WHERE id = ? AND confirmed = 0`
	deleteClaim = `DELETE FROM {table} WHERE id = ? AND confirmed = 0`
	deleteKeys  = `DELETE FROM {table} WHERE expires_at <= {now}`
)

// claimTries is how often a claim is tried where the key is released between two of its statements.
const claimTries = 3

// Claim implements [idempotency.Store].
func (i *Idempotency) Claim(ctx context.Context, key string, lease time.Duration) (idempotency.Claim, error) {
	id, length := storedKey(key), lease.Milliseconds()
	for range claimTries {
		n, err := affected(ctx, i.db, i.table.sql(insertClaim), id, length)
		if err == nil && n == 0 {
			n, err = affected(ctx, i.db, i.table.sql(renewClaim), length, id)
		}
		if err != nil {
			return 0, i.fault("claim", key, err)
		}
		if n > 0 {
			return idempotency.Claimed, nil
		}
		var confirmed int
		err = i.db.QueryRowContext(ctx, i.table.sql(readClaim), id).Scan(&confirmed)
		switch {
		case errors.Is(err, sql.ErrNoRows): // released
		case err != nil:
			return 0, i.fault("claim", key, err)
		case confirmed == 1:
			return idempotency.Duplicate, nil
		default:
			return idempotency.InProgress, nil
		}
	}
	return 0, i.fault("claim", key, errors.New("it was neither there nor could it be written"))
}

// Confirm implements [idempotency.Store].
func (i *Idempotency) Confirm(ctx context.Context, key string) error {
	if _, err := i.db.ExecContext(ctx, i.table.sql(confirm), storedKey(key), i.keep.Milliseconds()); err != nil {
		return i.fault("confirm", key, err)
	}
	return nil
}

// ErrNotClaimed says that a key has no claim to confirm: somebody else has handled the message.
var ErrNotClaimed = errors.New("the key has no claim: somebody else has handled its message, so roll back")

// ConfirmIn confirms a claim in the caller's transaction, with which the effects of the handler happen exactly once: of two
// handlers that run because a lease has ended, one commits and the other gets an [ErrNotClaimed] and rolls back. A handler
// has its key from [idempotency.Key]; the confirmation by the engine afterwards changes nothing.
func (i *Idempotency) ConfirmIn(ctx context.Context, tx Tx, key string) error {
	n, err := affected(ctx, tx, i.table.sql(confirmIn), i.keep.Milliseconds(), storedKey(key))
	if err == nil && n == 0 {
		err = ErrNotClaimed
	}
	if err != nil {
		return i.fault("confirm", key, err)
	}
	return nil
}

// Release implements [idempotency.Store].
func (i *Idempotency) Release(ctx context.Context, key string) error {
	if _, err := i.db.ExecContext(ctx, i.table.sql(deleteClaim), storedKey(key)); err != nil {
		return i.fault("release", key, err)
	}
	return nil
}

// Purge removes the keys whose time is over, and returns how many. They count as unknown with or without it; a service
// calls it now and then, once an hour say, so that the table does not grow.
func (i *Idempotency) Purge(ctx context.Context) (int, error) {
	n, err := affected(ctx, i.db, i.table.sql(deleteKeys))
	if err != nil {
		return 0, fmt.Errorf("sqlstore: purge %s: %w", i.table.name, err)
	}
	return n, nil
}

func (i *Idempotency) fault(what, key string, err error) error {
	return fmt.Errorf("sqlstore: %s the key %q in %s: %w", what, key, i.table.name, err)
}

// storedKey returns a key as databases take it, which want UTF-8 and, in PostgreSQL, no zero byte.
func storedKey(key string) string {
	if utf8.ValidString(key) && !strings.Contains(key, "\x00") {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	return "#" + hex.EncodeToString(sum[:])
}
