package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acemq/acemq-gen/internal/dbtest"
)

// wantRows compares what is in a database with the numbers of orders that were accepted, and that were paid. Everything
// that was to be said was said.
func wantRows(t *testing.T, name string, accepted, paid int) {
	t.Helper()
	d, err := connect(name)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	for query, want := range map[string]int{
		"SELECT COUNT(*) FROM orders":                accepted,
		"SELECT COUNT(*) FROM bills":                 paid,
		"SELECT COUNT(DISTINCT order_id) FROM bills": paid,
		"SELECT COUNT(*) FROM acemq_gen_outbox":      0,
		"SELECT COUNT(*) FROM acemq_gen_idempotency": paid,
	} {
		var got int
		if err := d.db.QueryRowContext(t.Context(), query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %d, %v; want %d", query, got, err, want)
		}
	}
}

// The sample has 34 orders from tills that work, of which 31 can be paid, and 28 of those can be delivered.
func TestDatabases(t *testing.T) {
	for _, test := range []struct {
		kind dbtest.Kind
		name func(*testing.T) string
	}{
		{dbtest.SQLite, func(t *testing.T) string { return filepath.Join(t.TempDir(), "a file?.db") }},
		{dbtest.PostgreSQL, func(t *testing.T) string { return dbtest.Source(t, dbtest.PostgreSQL) }},
	} {
		t.Run(test.kind.String(), func(t *testing.T) {
			t.Parallel()
			name := test.name(t)
			code, out, errs := runOrders(t, "-url", "memory://"+t.Name(), "-db", name)
			if code != 0 || errs != "" || lastLine(out) != "published 36 settled 36 lost 0" {
				t.Errorf("exit %d, stderr %q, stdout\n%s", code, errs, out)
			}
			if want := "36 orders from the sample, kept in " + test.kind.String(); !strings.HasPrefix(out, want) {
				t.Errorf("the report begins with %q, want %q", strings.SplitN(out, "\n", 2)[0], want)
			}
			wantRows(t, name, 34, 28)
		})
	}
}

// A run on the database of another one takes its orders for orders of its own.
func TestSameDatabaseTwice(t *testing.T) {
	name := filepath.Join(t.TempDir(), "orders.db")
	path := writeOrders(t, orderLine(1, 4.5), orderLine(2, 5.5))
	for range 2 {
		code, out, errs := runOrders(t, "-url", "memory://"+t.Name(), "-orders", path, "-db", name)
		if code != 0 || lastLine(out) != "published 2 settled 2 lost 0" {
			t.Fatalf("exit %d, stderr %q, stdout\n%s", code, errs, out)
		}
	}
	d, err := connect(name)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	var bills int
	if err := d.db.QueryRow("SELECT COUNT(*) FROM bills").Scan(&bills); err != nil || bills != 4 {
		t.Errorf("%d bills, %v; want 4", bills, err)
	}
}

// A file that is named without its directory is where the program was started.
func TestRelativeDatabase(t *testing.T) {
	t.Chdir(t.TempDir())
	code, out, errs := runOrders(t, "-url", "memory://"+t.Name(), "-orders", writeOrders(t, orderLine(1, 4.5)), "-db", "orders.db")
	if code != 0 || lastLine(out) != "published 1 settled 1 lost 0" {
		t.Fatalf("exit %d, stderr %q, stdout\n%s", code, errs, out)
	}
	wantRows(t, "orders.db", 1, 1)
}

// A database whose table of orders is somebody else's is left alone.
func TestForeignTable(t *testing.T) {
	name := filepath.Join(t.TempDir(), "shop.db")
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE orders (number INTEGER PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	code, out, errs := runOrders(t, "-url", "memory://"+t.Name(), "-db", name)
	if code != 1 || out != "" || !strings.Contains(errs, "-db: SQLite: ") || !strings.Contains(errs, "no such column: id") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, out, errs)
	}
	var tables int
	if err := db.QueryRow("SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table'").Scan(&tables); err != nil || tables != 1 {
		t.Errorf("the database has %d tables, %v; want its own", tables, err)
	}
}
