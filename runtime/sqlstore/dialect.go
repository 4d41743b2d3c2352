package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
)

// Dialect is the SQL of a database.
type Dialect int

const (
	PostgreSQL Dialect = iota + 1
	MySQL              // MySQL from 8.0, and MariaDB from 10.6
	SQLite             // from 3.38
)

// String returns the name of the database.
func (d Dialect) String() string {
	if g := d.grammar(); g != nil {
		return g.name
	}
	return fmt.Sprintf("dialect %d", int(d))
}

// grammar is what the databases say differently.
type grammar struct {
	name       string
	now        string // milliseconds since 1970 by the database's clock
	numbered   bool   // placeholders are $1, $2, ... and not ?
	lightly    string // has the transaction commit without waiting for the disk
	skipLocked string // locks the rows of a query, and passes over those that somebody else has locked
	byState    string // has a query use the index {table}_state
	insertNew  string // begins an insert that passes over what is there
	isNew      string // ends it
	keepOld    string // ends an insert that leaves the row as it is where its id is there
	confirmOld string // ends an insert that confirms the row where its id is there
	outbox     []string
	idempotent []string
}

func (d Dialect) grammar() *grammar {
	switch d {
	case PostgreSQL:
		return &postgres
	case MySQL:
		return &mysql
	case SQLite:
		return &sqlite
	}
	return nil
}

var postgres = grammar{
	name:       "PostgreSQL",
	now:        "CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000 AS BIGINT)",
	numbered:   true,
	lightly:    "SET LOCAL synchronous_commit TO OFF",
	skipLocked: " FOR UPDATE SKIP LOCKED",
	insertNew:  "INSERT",
	isNew:      " ON CONFLICT (id) DO NOTHING",
	keepOld:    " ON CONFLICT (id) DO NOTHING",
	confirmOld: " ON CONFLICT (id) DO UPDATE SET confirmed = 1, expires_at = excluded.expires_at",
	outbox:     postgresOutbox,
	idempotent: postgresIdempotency,
}

var mysql = grammar{
	name:       "MySQL",
	now:        "CAST(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000 AS SIGNED)",
	skipLocked: " FOR UPDATE SKIP LOCKED",
	byState:    " FORCE INDEX ({table}_state)", // for LIMIT, MySQL prefers the primary key, through all published rows
	insertNew:  "INSERT IGNORE",                // counts 0 rows where the id is there, whatever clientFoundRows says
	keepOld:    " ON DUPLICATE KEY UPDATE id = VALUES(id)",
	confirmOld: " ON DUPLICATE KEY UPDATE confirmed = 1, expires_at = VALUES(expires_at)",
	outbox:     mysqlOutbox,
	idempotent: mysqlIdempotency,
}

var sqlite = grammar{
	name:       "SQLite",
	now:        "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)",
	insertNew:  "INSERT",
	isNew:      " ON CONFLICT (id) DO NOTHING",
	keepOld:    " ON CONFLICT (id) DO NOTHING",
	confirmOld: " ON CONFLICT (id) DO UPDATE SET confirmed = 1, expires_at = excluded.expires_at",
	outbox:     sqliteOutbox,
	idempotent: sqliteIdempotency,
}

// table is a table with the SQL of its database.
type table struct {
	*grammar
	name string
	fill *strings.Replacer
}

// newTable checks a name, which cannot be a parameter of a statement.
func newTable(d Dialect, name string) (table, error) {
	g := d.grammar()
	if g == nil {
		return table{}, fmt.Errorf("sqlstore: %v is none that is known: say PostgreSQL, MySQL or SQLite", d)
	}
	if err := checkName(name); err != nil {
		return table{}, err
	}
	inner := strings.NewReplacer("{table}", name)
	return table{grammar: g, name: name, fill: strings.NewReplacer(
		"{table}", name,
		"{now}", g.now,
		"{never}", "9223372036854775807",
		"{skip locked}", g.skipLocked,
		"{by state}", inner.Replace(g.byState),
		"{insert new}", g.insertNew,
		"{is new}", g.isNew,
		"{keep old}", g.keepOld,
		"{confirm old}", g.confirmOld,
	)}, nil
}

// maxName leaves room for the names of indexes in the 63 bytes that PostgreSQL keeps of one.
const maxName = 48

func checkName(name string) error {
	for i, c := range []byte(name) {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return fmt.Errorf("sqlstore: the table name %q: say letters, digits and _, and no digit first", name)
		}
	}
	if name == "" || len(name) > maxName {
		return fmt.Errorf("sqlstore: the table name %q has %d bytes: say 1 to %d", name, len(name), maxName)
	}
	return nil
}

// sql returns a statement for the table, whose placeholders are given as ?.
func (t table) sql(text string) string {
	text = t.fill.Replace(text)
	if !t.numbered {
		return text
	}
	var numbered strings.Builder
	for n := 1; ; n++ {
		before, after, found := strings.Cut(text, "?")
		numbered.WriteString(before)
		if !found {
			return numbered.String()
		}
		numbered.WriteString("$" + strconv.Itoa(n))
		text = after
	}
}

// marks returns n placeholders in brackets, for IN.
func marks(n int) string { return "(" + strings.Repeat("?, ", n-1) + "?)" }

// anys returns values as arguments.
func anys[T any](values []T, before ...any) []any {
	args := before
	for _, value := range values {
		args = append(args, value)
	}
	return args
}

// create makes the table where it is missing, and checks the one that is there.
func (t table) create(ctx context.Context, db *sql.DB, statements []string, s shape) error {
	for _, statement := range statements {
		if _, err := db.ExecContext(ctx, t.fill.Replace(statement)); err != nil {
			if other := s.check(ctx, t, db); other != nil {
				return other // the index of ours that another one's table cannot have
			}
			return fmt.Errorf("sqlstore: create the table %s: %w", t.name, err)
		}
	}
	return s.check(ctx, t, db)
}

// script returns statements as one text for a migration.
func (t table) script(statements []string) string {
	return t.fill.Replace(strings.Join(statements, ";\n\n") + ";\n")
}
