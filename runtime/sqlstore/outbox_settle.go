package sqlstore

import (
	"context"
	"time"

	"github.com/acemq/acemq-gen/runtime/outbox"
)

// What becomes of records on lease. The token is in every condition, so that a relay whose lease has ended changes nothing
// that another one has.
const (
	deletePublished = `DELETE FROM {table} WHERE locked_by = ? AND id IN `
	keepPublished   = `UPDATE {table} SET state = 2, settled_at = {now}, due_at = {never}, locked_by = NULL
		WHERE locked_by = ? AND id IN `
	postpone = `UPDATE {table} SET attempts = attempts + 1, last_error = ?, due_at = {now} + ?, locked_by = NULL
		WHERE id = ? AND locked_by = ?`
	retire = `UPDATE {table} SET attempts = attempts + 1, last_error = ?, state = 1, settled_at = {now}, due_at = {never},
		locked_by = NULL
		WHERE id = ? AND locked_by = ?`
	giveBack = `UPDATE {table} SET due_at = 0, locked_by = NULL WHERE locked_by = ? AND id IN `
	release  = `UPDATE {table} SET attempts = 0, due_at = 0, state = 0, settled_at = NULL WHERE state = 1 AND id IN `

	selectPast   = `SELECT seq FROM {table} WHERE state = 2 AND settled_at <= {now} - ? ORDER BY settled_at LIMIT 1000`
	deletePast   = `DELETE FROM {table} WHERE state = 2 AND seq IN `
	countPending = `SELECT COUNT(*) FROM {table} WHERE state IN (0, 1)`
	whereRetired = `WHERE state = 1 ORDER BY seq LIMIT ?`
)

// Published implements [outbox.Store].
func (o *Outbox) Published(ctx context.Context, token string, ids []string) (int, error) {
	if o.retention > 0 {
		return o.eachID(ctx, "settle records of", keepPublished, ids, token)
	}
	return o.eachID(ctx, "settle records of", deletePublished, ids, token)
}

// Postpone implements [outbox.Store].
func (o *Outbox) Postpone(ctx context.Context, token string, f outbox.Failure, wait time.Duration) (bool, error) {
	return o.one(ctx, postpone, f.Reason, wait.Milliseconds(), f.ID, token)
}

// Retire implements [outbox.Store].
func (o *Outbox) Retire(ctx context.Context, token string, f outbox.Failure) (bool, error) {
	return o.one(ctx, retire, f.Reason, f.ID, token)
}

// GiveBack implements [outbox.Store].
func (o *Outbox) GiveBack(ctx context.Context, token string, ids []string) (int, error) {
	return o.eachID(ctx, "give back records of", giveBack, ids, token)
}

// Release implements [outbox.Store].
func (o *Outbox) Release(ctx context.Context, ids ...string) (int, error) {
	return o.eachID(ctx, "release records of", release, ids)
}

// Pending implements [outbox.Store].
func (o *Outbox) Pending(ctx context.Context) (int, error) {
	var n int
	if err := o.db.QueryRowContext(ctx, o.table.sql(countPending)).Scan(&n); err != nil {
		return 0, o.fault("count", err)
	}
	return n, nil
}

// Retired implements [outbox.Store].
func (o *Outbox) Retired(ctx context.Context, limit int) ([]outbox.Retired, error) {
	rows, err := o.records(ctx, whereRetired, limit)
	if err != nil {
		return nil, err
	}
	list := make([]outbox.Retired, len(rows))
	for i, row := range rows {
		list[i] = outbox.Retired{Record: row.record, Attempts: row.attempts, Reason: row.reason, Since: row.settled}
	}
	return list, nil
}

// Purge implements [outbox.Store].
func (o *Outbox) Purge(ctx context.Context) (int, error) {
	rows, err := o.db.QueryContext(ctx, o.table.sql(selectPast), o.retention.Milliseconds())
	if err != nil {
		return 0, o.fault("purge", err)
	}
	defer rows.Close()
	var seqs []int64
	for rows.Next() {
		var seq int64
		if err := rows.Scan(&seq); err != nil {
			return 0, o.fault("purge", err)
		}
		seqs = append(seqs, seq)
	}
	if err := rows.Err(); err != nil {
		return 0, o.fault("purge", err)
	}
	rows.Close()
	if len(seqs) == 0 {
		return 0, nil
	}
	n, err := affected(ctx, o.db, o.table.sql(deletePast+marks(len(seqs))), anys(seqs)...)
	if err != nil {
		return 0, o.fault("purge", err)
	}
	return n, nil
}

// one runs a statement that changes one row, and reports whether it did.
func (o *Outbox) one(ctx context.Context, statement string, args ...any) (bool, error) {
	n, err := affected(ctx, o.db, o.table.sql(statement), args...)
	if err != nil {
		return false, o.fault("settle a record of", err)
	}
	return n > 0, nil
}

// eachID runs a statement that ends with a list of ids, and returns how many rows it changed.
func (o *Outbox) eachID(ctx context.Context, what, statement string, ids []string, args ...any) (int, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	n, err := affected(ctx, o.db, o.table.sql(statement+marks(len(ids))), anys(ids, args...)...)
	if err != nil {
		return 0, o.fault(what, err)
	}
	return n, nil
}
