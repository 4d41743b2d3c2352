package sqlstore

import (
	"context"
	"database/sql"
)

// Tx is a transaction of the caller's: a *sql.Tx, or what wraps one. This package neither commits nor rolls back; the two
// methods are here so that nothing but a transaction fits. A *sql.DB and a *sql.Conn do not.
type Tx interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	Commit() error
	Rollback() error
}

// querier is what runs a statement: a pool or a transaction.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// affected runs a statement and returns how many rows it changed.
func affected(ctx context.Context, q interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}, query string, args ...any) (int, error) {
	result, err := q.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}
