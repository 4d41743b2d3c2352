package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	"github.com/acemq/acemq-gen/runtime/outbox"
	"github.com/acemq/acemq-gen/runtime/sqlstore"
)

// database is the service's own. It keeps orders and bills, and beside them what is to be said of them, and which
// messages were handled, so that a transaction changes all of it or nothing.
type database struct {
	db      *sql.DB
	dialect sqlstore.Dialect
	outbox  *sqlstore.Outbox
	handled *sqlstore.Idempotency
	scratch string // a directory that goes with it, empty for none
}

// schema has a row for each order that was accepted and for each that was paid, under the correlation id that all
// messages about the order share.
var schema = []string{
	`CREATE TABLE IF NOT EXISTS orders` + columns,
	`CREATE TABLE IF NOT EXISTS bills` + columns,
	`SELECT id, order_id, total_cents FROM orders WHERE 1 = 0`, // fails where the table is somebody else's
	`SELECT id, order_id, total_cents FROM bills WHERE 1 = 0`,
}

const columns = ` (id VARCHAR(64) PRIMARY KEY, order_id BIGINT NOT NULL, total_cents BIGINT NOT NULL)`

// databaseTimeout is how long a database may take to let us in.
const databaseTimeout = 10 * time.Second

// openDatabase opens the database that -db names, and makes the tables that are missing.
func openDatabase(ctx context.Context, name string) (*database, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, databaseTimeout, fmt.Errorf("no answer within %v", databaseTimeout))
	defer cancel()
	d, err := connect(name)
	if err != nil {
		return nil, fmt.Errorf("-db: %w", err)
	}
	if err := d.prepare(ctx); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = context.Cause(ctx)
		}
		d.close()
		return nil, fmt.Errorf("-db: %s: %w", d.dialect, err)
	}
	return d, nil
}

// connect finds the driver of a database, and asks nothing yet. Without a name, the database is a SQLite file that is
// removed in the end, so that nothing of it needs to reach the disk.
func connect(name string) (*database, error) {
	scheme, _, isURL := strings.Cut(name, "://")
	switch {
	case name == "":
		scratch, err := os.MkdirTemp("", "orders-")
		if err != nil {
			return nil, err
		}
		return sqlite(filepath.Join(scratch, "orders.db"), scratch, "OFF")
	case !isURL:
		return sqlite(name, "", "FULL")
	case scheme == "postgres" || scheme == "postgresql":
		db, err := sql.Open("pgx", name)
		if err != nil {
			return nil, err
		}
		db.SetMaxOpenConns(20)
		return &database{db: db, dialect: sqlstore.PostgreSQL}, nil
	}
	return nil, fmt.Errorf("the scheme is %q: name a SQLite file, or a PostgreSQL database as postgres://…", scheme)
}

// sqlite opens a file for one transaction at a time, which takes turns without asking the file again and again.
func sqlite(file, scratch, synchronous string) (*database, error) {
	path, err := filepath.Abs(file) // a URL has no other
	if err != nil {
		return nil, err
	}
	options := url.Values{
		"_txlock": {"immediate"},
		"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(" + synchronous + ")"},
	}
	source := url.URL{Scheme: "file", Path: path, RawQuery: options.Encode()}
	db, err := sql.Open("sqlite", source.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return &database{db: db, dialect: sqlstore.SQLite, scratch: scratch}, nil
}

// prepare makes the tables, or none of its own where one of them is somebody else's.
func (d *database) prepare(ctx context.Context) error {
	err := d.inTx(ctx, func(tx *sql.Tx) error {
		for _, statement := range schema {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if d.outbox, err = sqlstore.NewOutbox(d.db, d.dialect); err != nil {
		return err
	}
	if d.handled, err = sqlstore.NewIdempotency(d.db, d.dialect); err != nil {
		return err
	}
	return errors.Join(d.outbox.CreateTable(ctx), d.handled.CreateTable(ctx))
}

func (d *database) close() error {
	err := d.db.Close()
	if d.scratch != "" {
		err = errors.Join(err, os.RemoveAll(d.scratch))
	}
	return err
}

// accept writes an order down together with what is said of it. One that is there was accepted before.
func (d *database) accept(ctx context.Context, id string, o orders.Order, said outbox.Record) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `INSERT INTO orders (id, order_id, total_cents) VALUES ($1, $2, $3)
			ON CONFLICT DO NOTHING`, id, o.OrderID, o.TotalCents)
		if err != nil {
			return err
		}
		if rows, err := result.RowsAffected(); err != nil || rows == 0 {
			return err
		}
		return d.outbox.Add(ctx, tx, said)
	})
}

// bill writes down that an order was paid, what is said of it, and that the message under key was handled.
func (d *database) bill(ctx context.Context, id string, o orders.Order, said outbox.Record, key string) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO bills (id, order_id, total_cents) VALUES ($1, $2, $3)`,
			id, o.OrderID, o.TotalCents)
		if err != nil {
			return err
		}
		if err := d.outbox.Add(ctx, tx, said); err != nil {
			return err
		}
		return d.handled.ConfirmIn(ctx, tx, key)
	})
}

// isPaid reports whether an order has a bill.
func (d *database) isPaid(ctx context.Context, id string) (bool, error) {
	var bills int
	err := d.db.QueryRowContext(ctx, `SELECT COUNT(*) FROM bills WHERE id = $1`, id).Scan(&bills)
	return bills > 0, err
}

// inTx runs f in a transaction, and commits it unless f fails.
func (d *database) inTx(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // changes nothing once it is committed
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}
