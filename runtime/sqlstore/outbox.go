package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/acemq/acemq-gen/runtime/outbox"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// The tables of stores that name none.
const (
	DefaultOutboxTable      = "acemq_gen_outbox"
	DefaultIdempotencyTable = "acemq_gen_idempotency"
)

// Outbox is an [outbox.Store] in a table. It may be used concurrently, by any number of processes.
type Outbox struct {
	db        *sql.DB
	table     table
	retention time.Duration
	checked   atomic.Bool // the table is of our shape
}

var _ outbox.Store = (*Outbox)(nil)

// OutboxOption changes an [Outbox].
type OutboxOption func(*outboxSettings)

type outboxSettings struct {
	table     string
	retention time.Duration
}

// WithOutboxTable names the table. The default is [DefaultOutboxTable]. A name has letters, digits and _, and 48 bytes at
// most.
func WithOutboxTable(name string) OutboxOption { return func(s *outboxSettings) { s.table = name } }

// KeepPublished keeps published records for a time, for somebody to look at. By default they are deleted when they are
// published. The relay removes them when the time is over.
func KeepPublished(d time.Duration) OutboxOption { return func(s *outboxSettings) { s.retention = d } }

// NewOutbox returns a store in a table of db. It asks the database nothing; [Outbox.Check] does.
func NewOutbox(db *sql.DB, d Dialect, opts ...OutboxOption) (*Outbox, error) {
	s := outboxSettings{table: DefaultOutboxTable}
	for _, option := range opts {
		option(&s)
	}
	if s.retention < 0 {
		return nil, fmt.Errorf("sqlstore: published records are kept for %v: say a positive time", s.retention)
	}
	t, err := newTable(d, s.table)
	if err != nil {
		return nil, err
	}
	return &Outbox{db: db, table: t, retention: s.retention}, nil
}

// CreateTableSQL returns the statements that make the table and its indexes, for a migration. They end with semicolons.
func (o *Outbox) CreateTableSQL() string { return o.table.script(o.table.outbox) }

// CreateTable makes the table and its indexes where they are missing. A table of another shape is refused.
func (o *Outbox) CreateTable(ctx context.Context) error {
	return o.table.create(ctx, o.db, o.table.outbox, outboxShape)
}

// Check says why the table cannot be used: it is missing, or it is another library's.
func (o *Outbox) Check(ctx context.Context) error { return outboxShape.check(ctx, o.table, o.db) }

const insertRecord = `INSERT INTO {table} (id, exchange, routing_key, content_type, reply_to, priority, expires_ms,
	headers, body, ordering_key, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now}){keep old}`

// Add writes records down in the caller's transaction: they exist if it commits, and only then. A record whose id is there
// already is passed over. One that could never be published is refused before anything is written.
func (o *Outbox) Add(ctx context.Context, tx Tx, records ...outbox.Record) error {
	for _, record := range records {
		if err := record.Check(); err != nil {
			return err
		}
	}
	for _, record := range records {
		args, err := columns(record)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, o.table.sql(insertRecord), args...); err != nil {
			return fmt.Errorf("sqlstore: add the record %s to %s: %w", record.ID(), o.table.name, err)
		}
	}
	return nil
}

// columns returns the values of insertRecord.
func columns(r outbox.Record) ([]any, error) {
	m := r.Message
	headers, err := outbox.EncodeHeaders(m.Envelope.Headers(m.Headers))
	if err != nil {
		return nil, fmt.Errorf("sqlstore: the record %s: %w", r.ID(), err)
	}
	body := m.Body
	if body == nil {
		body = []byte{} // nil is NULL
	}
	key := sql.NullString{String: r.OrderingKey, Valid: r.OrderingKey != ""}
	return []any{r.ID(), m.Exchange, m.Key, m.ContentType, m.ReplyTo, int64(m.Priority), m.Expires.Milliseconds(), headers, body,
		key}, nil
}

const selectRecords = `SELECT id, exchange, routing_key, content_type, reply_to, priority, expires_ms, headers, body,
	ordering_key, attempts, last_error, settled_at, {now} - created_at FROM {table} `

// stored is a row of selectRecords.
type stored struct {
	record   outbox.Record
	attempts int
	reason   string
	settled  time.Time
	age      time.Duration
	spoiled  error // the row cannot be read: somebody changed it
}

// records reads rows of selectRecords.
func (o *Outbox) records(ctx context.Context, where string, args ...any) ([]stored, error) {
	rows, err := o.db.QueryContext(ctx, o.table.sql(selectRecords+where), args...)
	if err != nil {
		return nil, o.fault("read", err)
	}
	defer rows.Close()
	var list []stored
	for rows.Next() {
		s, err := scan(rows)
		if err != nil {
			return nil, o.fault("read", err)
		}
		list = append(list, s)
	}
	if err := rows.Err(); err != nil {
		return nil, o.fault("read", err)
	}
	return list, nil
}

func scan(rows *sql.Rows) (stored, error) {
	var s stored
	var id, headers string
	var key, reason sql.NullString
	var expires, age int64
	var settled sql.NullInt64
	m := &s.record.Message
	err := rows.Scan(&id, &m.Exchange, &m.Key, &m.ContentType, &m.ReplyTo, &m.Priority, &expires, &headers, &m.Body, &key,
		&s.attempts, &reason, &settled, &age)
	if err != nil {
		return s, err
	}
	table, spoiled := outbox.DecodeHeaders(headers)
	s.spoiled = spoiled
	if m.Body == nil {
		m.Body = []byte{} // SQLite's driver has nil for none
	}
	m.Expires = time.Duration(expires) * time.Millisecond
	m.Envelope, m.Headers = wire.ReadHeaders(table, wire.Arrival{MessageID: id, RoutingKey: m.Key, Now: time.Now()})
	m.Envelope.ID = id // the column is what settling goes by
	s.record.OrderingKey = key.String
	s.reason = reason.String
	s.age = time.Duration(age) * time.Millisecond
	if settled.Valid {
		s.settled = time.UnixMilli(settled.Int64)
	}
	return s, nil
}

func (o *Outbox) fault(what string, err error) error {
	return fmt.Errorf("sqlstore: %s %s: %w", what, o.table.name, err)
}
