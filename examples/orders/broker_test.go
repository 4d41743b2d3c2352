package main

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/internal/brokertest"
)

func TestOnBroker(t *testing.T) {
	url := brokertest.URL(t)
	for range 2 { // what the first run leaves in the queues is nothing to the second
		code, out, errs := runOrders(t, "-url", url)
		if code != 0 || lastLine(out) != "published 36 settled 36 lost 0" {
			t.Errorf("exit %d, stderr %q, stdout\n%s", code, errs, out)
		}
	}
}

// mixedOrder is a line of a file with small, large and very large orders of several customers.
func mixedOrder(id int) string {
	price, quantity := float64(id%40)/2, 1+id%50
	switch {
	case id%97 == 0:
		price, quantity = 4000, 3
	case id%31 == 0:
		price, quantity = 3000, 2
	}
	return fmt.Sprintf(`{"orderId": %d, "customerId": "C%d", "orderDate": "1996-07-04", "shipTo": {"country": "France"}, `+
		`"lines": [{"productId": 11, "unitPrice": %v, "quantity": %d, "discount": 0}]}`, id, id%30, price, quantity)
}

// TestBrokerKilled kills the broker twice while orders are on their way. Nothing that was confirmed is lost, every
// order is billed once, and the ledger stays in order.
func TestBrokerKilled(t *testing.T) {
	node := brokertest.Node(t)
	const n = 4_000
	var lines []string
	for id := 1; id <= n; id++ {
		lines = append(lines, mixedOrder(id))
	}
	path, db := writeOrders(t, lines...), filepath.Join(t.TempDir(), "orders.db")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		code, out, errs := runOrders(t, "-url", node.URL(), "-orders", path, "-db", db, "-timeout", "3m")
		if want := fmt.Sprintf("published %d settled %d lost 0", n, n); code != 0 || lastLine(out) != want {
			t.Errorf("exit %d, want the last line %q; stderr %q, stdout\n%s", code, want, errs, out)
		}
	}()
	for kill := range 2 {
		time.Sleep(2 * time.Second)
		awaitOrders(t, db, 100+kill*400, ended)
		if err := node.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := node.Restart(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	<-ended
	wantRows(t, db, n, n)
}

// awaitOrders waits until some orders are in the books of a run, which has begun to work then. RabbitMQ may not find a
// quorum queue again that was declared less than a second before it is killed.
func awaitOrders(t *testing.T, name string, n int, ended <-chan struct{}) {
	t.Helper()
	d, err := connect(name)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	for accepted := 0; accepted < n; {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ended:
			t.Fatal("the run was over before the broker was killed")
		}
		if d.db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM orders").Scan(&accepted) != nil {
			accepted = 0 // there is no table yet
		}
	}
}
