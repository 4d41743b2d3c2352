package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runOrders runs the program and returns its exit code and what it printed.
func runOrders(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, &out, &errs)
	return code, out.String(), errs.String()
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// writeOrders writes lines to a file of orders.
func writeOrders(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "orders.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func orderLine(id int, price float64) string {
	return fmt.Sprintf(`{"orderId": %d, "customerId": "VINET", "orderDate": "1996-07-04", "shipTo": {"country": "France"}, `+
		`"lines": [{"productId": 11, "unitPrice": %v, "quantity": 2, "discount": 0}]}`, id, price)
}

func TestSampleInMemory(t *testing.T) {
	code, out, errs := runOrders(t, "-url", "memory://"+t.Name())
	if code != 0 || errs != "" {
		t.Fatalf("exit %d, stderr %q", code, errs)
	}
	if got, want := lastLine(out), "published 36 settled 36 lost 0"; got != want {
		t.Errorf("last line %q, want %q", got, want)
	}
	for _, row := range []string{
		"quotes                        30         0              0         0",
		"checkout.price                34         0              0         0",
		"checkout.fraud                 3         3              0         0   large orders alone",
		"checkout.accept               34         0              0         0",
		"billing.orders                28         3              6         2   3 refunded, for no courier goes there",
		"billing.reminders              6         0              0         0   3 not paid",
		"accounting.receipts           28         0              0         0",
		"warehouse.orders              28         0              0         0",
		"fulfilment.validate           28         0              0         0   28 entered, 3 ended early",
		"fulfilment.pack               22         2              3         0",
		"fulfilment.ship               22         0              0         0   22 completed",
		"audit.orders                  62         0              0         2",
		"accounting.ledger             28         3              0         0   11 accounts, each in order",
		"\naudit: confirmed 71 cart, 28 ledger.entry, 75 order, 28 order.billed, 36 order.placed, 6 payment.due, 30 quote, " +
			"30 quote.request; not confirmed none",
	} {
		if !strings.Contains(out, row+"\n") {
			t.Errorf("the row %q is missing in\n%s", row, out)
		}
	}
}

func TestWrongInput(t *testing.T) {
	good := orderLine(1, 4.5)
	dated := func(date string) string { return strings.Replace(good, "1996-07-04", date, 1) }
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"unknown flag", []string{"-order", "x"}, "flag provided but not defined: -order"},
		{"argument", []string{"x.jsonl"}, `"x.jsonl" is not a flag: name the file with -orders`},
		{"timeout", []string{"-timeout", "-1s"}, "-timeout -1s: say a time above 0"},
		{"resume with orders", []string{"-resume", "-orders", writeOrders(t, good)}, "-resume sells nothing: leave -orders out"},
		{"no file", []string{"-orders", "none.jsonl"}, "open none.jsonl: no such file or directory"},
		{"empty file", []string{"-orders", writeOrders(t, "")}, "there is no order in it"},
		{"not JSON", []string{"-orders", writeOrders(t, good, "{")}, "orders.jsonl:2: this is not an order: unexpected end of JSON input"},
		{"no id", []string{"-orders", writeOrders(t, strings.Replace(good, `"orderId": 1`, `"orderId": 0`, 1))}, "orders.jsonl:1: the orderId is missing or not above 0"},
		{"no customer", []string{"-orders", writeOrders(t, strings.Replace(good, "VINET", "", 1))}, "the customerId is missing"},
		{"country with a dot", []string{"-orders", writeOrders(t, strings.Replace(good, "France", "U.K.", 1))}, `the shipTo.country is "U.K."`},
		{"no country", []string{"-orders", writeOrders(t, strings.Replace(good, "France", "", 1))}, `the shipTo.country is ""`},
		{"country with a control character", []string{"-orders", writeOrders(t, strings.Replace(good, "France", `Fr\u0000ance`, 1))}, `the shipTo.country is "Fr\x00ance"`},
		{"endless country", []string{"-orders", writeOrders(t, strings.Replace(good, "France", strings.Repeat("France", 99), 1))}, "200 bytes at most"},
		{"no lines", []string{"-orders", writeOrders(t, `{"orderId": 1, "customerId": "A", "orderDate": "2026-01-31", "shipTo": {"country": "Peru"}}`)}, "there are no lines"},
		{"date", []string{"-orders", writeOrders(t, dated("4 July"))}, `the orderDate is "4 July": write it as 2026-01-31`},
		{"twice", []string{"-orders", writeOrders(t, good, "", good)}, "orders.jsonl:3: order 1 is there twice, first on line 1"},
		{"scheme", []string{"-url", "http://localhost"}, `the broker's URL has the scheme "http"`},
		{"no scheme", []string{"-url", "localhost"}, "the broker's URL has no scheme"},
		{"no database of ours", []string{"-db", "mysql://root:secret@localhost/orders"}, `-db: the scheme is "mysql": name a SQLite file`},
		{"no database", []string{"-db", t.TempDir()}, "-db: SQLite: unable to open database file"},
		{"no such directory", []string{"-db", filepath.Join(t.TempDir(), "none", "orders.db")}, "-db: SQLite: unable to open database file"},
		{"no SQLite file", []string{"-db", writeOrders(t, strings.Repeat(good, 99))}, "-db: SQLite: file is not a database"},
		{"PostgreSQL is not there", []string{"-db", "postgres://root:secret@127.0.0.1:1/orders"}, "-db: PostgreSQL: failed to connect"},
		{"PostgreSQL's URL", []string{"-db", "postgres://root:secret@127.0.0.1:port/orders"}, "-db: "},
		{"no broker", []string{"-url", "amqp://guest:secret@127.0.0.1:1/", "-timeout", "2s"}, "127.0.0.1:1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			code, out, errs := runOrders(t, test.args...)
			if code != 1 || out != "" {
				t.Errorf("exit %d with stdout %q, want 1 and nothing", code, out)
			}
			if !strings.HasPrefix(errs, "orders: ") || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
				t.Errorf("stderr %q, want one line with %q", errs, test.want)
			}
			if strings.Contains(errs, "secret") {
				t.Errorf("stderr shows the password: %q", errs)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	code, out, errs := runOrders(t, "-h")
	if code != 0 || errs != "" || !strings.Contains(out, "-orders") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, out, errs)
	}
}
