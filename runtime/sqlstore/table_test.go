package sqlstore

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/acemq/acemq-gen/internal/dbtest"
	"github.com/acemq/acemq-gen/runtime/outbox"
)

// What is no transaction cannot be given to Add.
func TestOnlyTransactionsFit(t *testing.T) {
	for name, test := range map[string]struct {
		value any
		fits  bool
	}{
		"*sql.Tx":                {(*sql.Tx)(nil), true},
		"a wrapper of a *sql.Tx": {struct{ *sql.Tx }{}, true},
		"*sql.DB":                {(*sql.DB)(nil), false},
		"*sql.Conn":              {(*sql.Conn)(nil), false},
	} {
		if _, fits := test.value.(Tx); fits != test.fits {
			t.Errorf("%s fits: %v, want %v", name, fits, test.fits)
		}
	}
}

func TestTableNames(t *testing.T) {
	for name, want := range map[string]bool{
		"acemq_gen_outbox": true, "_x9": true, "Outbox": true, strings.Repeat("x", 48): true,
		"": false, "9x": false, "a-b": false, "a.b": false, "a b": false, `a"`: false, "a;drop table b": false, "ä": false,
		strings.Repeat("x", 49): false,
	} {
		_, err := NewOutbox(nil, SQLite, WithOutboxTable(name))
		_, other := NewIdempotency(nil, SQLite, WithIdempotencyTable(name))
		if (err == nil) != want || (other == nil) != want {
			t.Errorf("the table name %q: %v, %v", name, err, other)
		}
	}
	if _, err := NewOutbox(nil, Dialect(0)); err == nil {
		t.Error("the dialect 0 is taken")
	}
}

// The statements for a migration are one script, and may run twice.
func TestCreateTableSQL(t *testing.T) {
	onEach(t, func(t *testing.T, kind dbtest.Kind) {
		db := dbtest.Open(t, kind)
		box, err := NewOutbox(db, dialects[kind], WithOutboxTable("my_outbox"))
		if err != nil {
			t.Fatal(err)
		}
		keys, err := NewIdempotency(db, dialects[kind], WithIdempotencyTable("my_keys"))
		if err != nil {
			t.Fatal(err)
		}
		for _, check := range []func(context.Context) error{box.Check, keys.Check} {
			if err := check(t.Context()); err == nil || !strings.Contains(err.Error(), "CreateTableSQL") {
				t.Errorf("a missing table: %v", err)
			}
		}
		if _, err := box.Claim(t.Context(), outbox.Lease{Token: "t", Length: 1}, 1); err == nil {
			t.Error("records of a missing table were claimed")
		}
		for range 2 {
			for _, statement := range strings.Split(box.CreateTableSQL()+keys.CreateTableSQL(), ";\n") {
				if strings.TrimSpace(statement) == "" {
					continue
				}
				if _, err := db.ExecContext(t.Context(), statement); err != nil {
					t.Fatalf("%v in\n%s", err, statement)
				}
			}
		}
		for _, check := range []func(context.Context) error{box.Check, keys.Check} {
			if err := check(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
}

// The tables of the other libraries, as far as columns go (contract: outbox, tables; idempotency, tables).
var foreignTables = []struct{ library, outbox, keys string }{
	{
		"Java",
		"id, exchange_name, routing_key, message_type, payload, correlation_id, causation_id, created_at, published_at, attempts, " +
			"last_error, locked_by, locked_until",
		"message_id, state, claimed_by, recorded_at, expires_at",
	},
	{
		".NET",
		"id, exchange, routing_key, type, payload, correlation_id, causation_id, created_at, published, attempts, last_error, " +
			"leased_until",
		"message_id, claimed_at, confirmed",
	},
	{
		"AceMQ Go",
		"id, exchange, routing_key, body, content_type, headers, created_at, attempts, last_error",
		"`key`, handled_at, confirmed",
	},
	{
		"Python",
		"id, exchange_name, routing_key, body, content_type, headers, created_at, attempts, last_error",
		"message_id, state, claimed_by, recorded_at, expires_at",
	},
	{
		"Ruby",
		"id, exchange_name, routing_key, body, body_encoding, content_type, headers, created_at, published_at, attempts, last_error, " +
			"locked_by, locked_until",
		"",
	},
	{"CreateTableSQL", "id, what", "id, what"}, // nobody's
}

func TestTablesOfOtherLibraries(t *testing.T) {
	onEach(t, func(t *testing.T, kind dbtest.Kind) {
		for _, foreign := range foreignTables {
			t.Run(foreign.library, func(t *testing.T) {
				db := dbtest.Open(t, kind)
				makeTable(t, db, kind, DefaultOutboxTable, foreign.outbox)
				makeTable(t, db, kind, DefaultIdempotencyTable, foreign.keys)
				box, err := NewOutbox(db, dialects[kind])
				if err != nil {
					t.Fatal(err)
				}
				wantForeign(t, box.Check(t.Context()), foreign.library, DefaultOutboxTable)
				wantForeign(t, box.CreateTable(t.Context()), foreign.library, DefaultOutboxTable)
				_, err = box.Claim(t.Context(), outbox.Lease{Token: "t", Length: 1}, 1)
				wantForeign(t, err, foreign.library, DefaultOutboxTable)
				if foreign.keys == "" {
					return
				}
				keys, err := NewIdempotency(db, dialects[kind])
				if err != nil {
					t.Fatal(err)
				}
				wantForeign(t, keys.Check(t.Context()), foreign.library, DefaultIdempotencyTable)
				wantForeign(t, keys.CreateTable(t.Context()), foreign.library, DefaultIdempotencyTable)
			})
		}
	})
}

func makeTable(t *testing.T, db *sql.DB, kind dbtest.Kind, name, columns string) {
	t.Helper()
	if columns == "" {
		return
	}
	columns = strings.ReplaceAll(columns, ",", " VARCHAR(50),")
	if kind != dbtest.MariaDB {
		columns = strings.ReplaceAll(columns, "`", `"`)
	}
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE "+name+" ("+columns+" VARCHAR(50))"); err != nil {
		t.Fatal(err)
	}
}

func wantForeign(t *testing.T, err error, library, table string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), library) || !strings.Contains(err.Error(), table) {
		t.Errorf("the table of %q: %v", library, err)
	}
}
