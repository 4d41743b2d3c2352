package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/acemq/acemq-gen/runtime/outbox"
)

// A claim takes the records that head their key, and those that have none, and then what follows the heads. Whoever has the
// head of a key on lease has the key: no other record of it is a head. So two relays never hold parts of one key.

const selectHeads = `SELECT o.seq, o.ordering_key FROM {table} o{by state} WHERE o.state = 0 AND o.due_at <= {now}
	AND (o.ordering_key IS NULL OR NOT EXISTS (SELECT 1 FROM {table} p
		WHERE p.ordering_key = o.ordering_key AND p.state IN (0, 1) AND p.seq < o.seq))
	ORDER BY o.seq LIMIT ?{skip locked}`

const selectFollowers = `SELECT seq, ordering_key, CASE WHEN state = 0 AND due_at <= {now} THEN 1 ELSE 0 END FROM {table}
	WHERE state IN (0, 1) AND (locked_by IS NULL OR locked_by <> ?) AND ordering_key IN `

const leaseRecords = `UPDATE {table} SET locked_by = ?, due_at = {now} + ? WHERE state = 0 AND due_at <= {now} AND seq IN `

// Claim implements [outbox.Store].
func (o *Outbox) Claim(ctx context.Context, lease outbox.Lease, limit int) ([]outbox.Claimed, error) {
	if lease.Token == "" {
		return nil, errors.New("sqlstore: a lease without a token proves nothing")
	}
	if !o.checked.Load() {
		if err := o.Check(ctx); err != nil {
			return nil, err
		}
		o.checked.Store(true)
	}
	seqs, keys, err := o.leaseHeads(ctx, lease, limit)
	if err != nil {
		return nil, o.fault("claim records of", err)
	}
	if len(seqs) == 0 {
		return nil, nil
	}
	if room := limit - len(seqs); room > 0 && len(keys) > 0 {
		followers, err := o.leaseFollowers(ctx, lease, keys, room)
		if err != nil {
			return nil, o.fault("claim records of", err)
		}
		seqs = append(seqs, followers...)
	}
	rows, err := o.records(ctx, "WHERE locked_by = ? AND seq IN "+marks(len(seqs))+" ORDER BY seq", anys(seqs, lease.Token)...)
	if err != nil {
		return nil, err
	}
	claimed := make([]outbox.Claimed, len(rows))
	for i, row := range rows {
		claimed[i] = outbox.Claimed{Record: row.record, Attempts: row.attempts, Age: row.age}
	}
	return claimed, nil
}

// leaseHeads leases records that wait for no other, and returns them with their keys.
func (o *Outbox) leaseHeads(ctx context.Context, lease outbox.Lease, limit int) (seqs []int64, keys []string, err error) {
	err = o.claiming(ctx, func(q querier) error {
		rows, err := q.QueryContext(ctx, o.table.sql(selectHeads), limit)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var seq int64
			var key sql.NullString
			if err := rows.Scan(&seq, &key); err != nil {
				return err
			}
			seqs = append(seqs, seq)
			if key.Valid {
				keys = append(keys, key.String)
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil || len(seqs) == 0 {
			return err
		}
		_, err = o.lease(ctx, q, lease, seqs)
		return err
	})
	return seqs, keys, err
}

// claiming runs f in a transaction where that is what keeps rows locked. Elsewhere the update decides.
func (o *Outbox) claiming(ctx context.Context, f func(querier) error) error {
	if o.table.skipLocked == "" {
		return f(o.db)
	}
	tx, err := o.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted}) // MySQL locks gaps otherwise
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// leaseFollowers leases what follows the heads of keys, as far as nothing of a key is held back.
func (o *Outbox) leaseFollowers(ctx context.Context, lease outbox.Lease, keys []string, room int) ([]int64, error) {
	query := o.table.sql(selectFollowers + marks(len(keys)) + " ORDER BY seq LIMIT ?")
	rows, err := o.db.QueryContext(ctx, query, append(anys(keys, lease.Token), room)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var seqs []int64
	var stopped []string
	for rows.Next() {
		var seq, due int64
		var key string
		if err := rows.Scan(&seq, &key, &due); err != nil {
			return nil, err
		}
		switch {
		case slices.Contains(stopped, key):
		case due == 0:
			stopped = append(stopped, key)
		default:
			seqs = append(seqs, seq)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil || len(seqs) == 0 {
		return nil, err
	}
	n, err := o.lease(ctx, o.db, lease, seqs)
	if err == nil && n < len(seqs) {
		err = fmt.Errorf("somebody changed %d records of keys that are on lease", len(seqs)-n)
	}
	return seqs, err
}

// lease leases rows that are due, and returns how many were.
func (o *Outbox) lease(ctx context.Context, q querier, lease outbox.Lease, seqs []int64) (int, error) {
	query := o.table.sql(leaseRecords + marks(len(seqs)))
	return affected(ctx, q, query, anys(seqs, lease.Token, lease.Length.Milliseconds())...)
}
