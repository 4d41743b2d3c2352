package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/acemq/acemq-gen/runtime/outbox"
)

// A claim takes the records that head their key, and those that have none, and then what follows the heads. Whoever has the
// head of a key on lease has the key: no other record of it is a head. So two relays never hold parts of one key.

const (
	selectHeads = `SELECT o.seq, o.ordering_key FROM {table} o{by state} WHERE o.state = 0 AND o.due_at <= {now}
	AND (o.ordering_key IS NULL OR NOT EXISTS (SELECT 1 FROM {table} p
		WHERE p.ordering_key = o.ordering_key AND p.state IN (0, 1) AND p.seq < o.seq))`
	amongOldest = `
	AND o.seq <= (SELECT MAX(w.seq) FROM (SELECT seq FROM {table}{by state} WHERE state = 0 ORDER BY seq LIMIT ?) w)`
	inOrder = `
	ORDER BY o.seq LIMIT ?{skip locked}`
)

// oldest is how many records are looked at first: a long backlog of few keys has few heads, at its beginning.
const oldest = 1000

const selectFollowers = `SELECT seq, ordering_key, CASE WHEN state = 0 AND due_at <= {now} THEN 1 ELSE 0 END FROM {table}
	WHERE state IN (0, 1) AND (locked_by IS NULL OR locked_by <> ?) AND ordering_key IN `

const selectLeased = `SELECT seq, ordering_key FROM {table} WHERE locked_by = ? AND seq IN `

const giveBackRows = `UPDATE {table} SET due_at = 0, locked_by = NULL WHERE locked_by = ? AND seq IN `

// The state is left out: PostgreSQL, which may think that few records wait, would look through all that do. What does not
// wait is never due.
const leaseRecords = `UPDATE {table} SET locked_by = ?, due_at = {now} + ? WHERE due_at <= {now} AND seq IN `

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
	seqs, err := o.leaseRows(ctx, lease, limit)
	for try := 1; isDeadlock(err) && try < deadlockTries; try++ {
		seqs, err = o.leaseRows(ctx, lease, limit)
	}
	if err != nil {
		return nil, o.fault("claim records of", err)
	}
	if len(seqs) == 0 {
		return nil, nil
	}
	rows, err := o.records(ctx, "WHERE locked_by = ? AND seq IN "+marks(len(seqs))+" ORDER BY seq", anys(seqs, lease.Token)...)
	if err != nil {
		return nil, err
	}
	var claimed []outbox.Claimed
	for _, row := range rows {
		if row.spoiled == nil {
			claimed = append(claimed, outbox.Claimed{Record: row.record, Attempts: row.attempts, Age: row.age})
			continue
		}
		_, err := o.Retire(ctx, lease.Token, outbox.Failure{ID: row.record.ID(), Reason: row.spoiled.Error()})
		if err != nil {
			return nil, err
		}
	}
	return claimed, nil
}

// leaseRows leases rows and returns their numbers. When it fails, it gives back what it has.
func (o *Outbox) leaseRows(ctx context.Context, lease outbox.Lease, limit int) ([]int64, error) {
	heads, err := o.leaseHeads(ctx, lease, limit)
	if err != nil {
		return nil, err
	}
	seqs, keys := split(heads)
	room := limit - len(seqs)
	if room == 0 || len(keys) == 0 {
		return seqs, nil
	}
	followers, err := o.leaseFollowers(ctx, lease, keys, room)
	if err == nil {
		return append(seqs, followers...), nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveBackTimeout)
	defer cancel()
	_, backErr := affected(ctx, o.db, o.table.sql(giveBackRows+marks(len(seqs))), anys(seqs, lease.Token)...)
	return nil, errors.Join(err, backErr)
}

// giveBackTimeout bounds giving back what a claim has that failed.
const giveBackTimeout = 5 * time.Second

// head is a row that waits for no other.
type head struct {
	seq int64
	key sql.NullString
}

// split returns the numbers of rows, and the keys that they head.
func split(heads []head) (seqs []int64, keys []string) {
	for _, h := range heads {
		seqs = append(seqs, h.seq)
		if h.key.Valid {
			keys = append(keys, h.key.String)
		}
	}
	return seqs, keys
}

// leaseHeads leases rows that wait for no other, and returns those that it got.
func (o *Outbox) leaseHeads(ctx context.Context, lease outbox.Lease, limit int) ([]head, error) {
	var got []head
	err := o.claiming(ctx, func(q querier) error {
		heads, err := o.selectHeads(ctx, q, limit)
		if err != nil || len(heads) == 0 {
			return err
		}
		seqs, _ := split(heads)
		n, err := o.lease(ctx, q, lease, seqs)
		if err == nil && n < len(seqs) { // somebody was faster, as may be where rows are not locked
			heads, err = o.heads(ctx, q, selectLeased+marks(len(seqs)), anys(seqs, lease.Token)...)
		}
		got = heads
		return err
	})
	return got, err
}

// selectHeads finds rows that wait for no other, and locks them where the database does.
func (o *Outbox) selectHeads(ctx context.Context, q querier, limit int) ([]head, error) {
	heads, err := o.heads(ctx, q, selectHeads+amongOldest+inOrder, max(oldest, limit), limit)
	if err != nil || len(heads) > 0 {
		return heads, err
	}
	return o.heads(ctx, q, selectHeads+inOrder, limit)
}

// heads reads rows.
func (o *Outbox) heads(ctx context.Context, q querier, query string, args ...any) ([]head, error) {
	rows, err := q.QueryContext(ctx, o.table.sql(query), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var heads []head
	for rows.Next() {
		var h head
		if err := rows.Scan(&h.seq, &h.key); err != nil {
			return nil, err
		}
		heads = append(heads, h)
	}
	return heads, rows.Err()
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
	if o.table.lightly != "" { // a lease that a crash of the database undoes costs a duplicate at most
		if _, err := tx.ExecContext(ctx, o.table.lightly); err != nil {
			return err
		}
	}
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
