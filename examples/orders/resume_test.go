package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/acemq/acemq-gen/examples/orders/orders"
	"github.com/acemq/acemq-gen/internal/brokertest"
	acemq "github.com/acemq/acemq-gen/runtime"
)

// The walk of docs/replay.md: orders that no courier would take are replayed when couriers go there, and are shipped.
func TestReplayWalk(t *testing.T) {
	url, db := brokertest.URL(t), filepath.Join(t.TempDir(), "orders.db")
	conn, err := acemq.Dial(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := orders.Declare(t.Context(), conn); err != nil {
		t.Fatal(err)
	}
	norwegian := strings.NewReplacer("France", "Norway", `"quantity": 2`, `"quantity": 9`).Replace(orderLine(1, 4.5))
	path := writeOrders(t, norwegian, strings.Replace(orderLine(2, 4.5), `"lines"`, `"total": 1, "lines"`, 1))
	code, out, errs := runOrders(t, "-url", url, "-orders", path, "-closed", "Peru, Norway", "-db", db)
	if code != 0 || lastLine(out) != "published 2 settled 2 lost 0" {
		t.Fatalf("exit %d, stderr %q, stdout\n%s", code, errs, out)
	}
	wantRows(t, db, 2, 0)
	result, err := orders.ReplayBilling(conn).Where(func(m *acemq.Message[orders.OrderPlaced]) bool {
		return m.Payload.OrderID == 1 && strings.Contains(m.Envelope.Error, errNoCourier.Error())
	}).All(t.Context())
	if err != nil || result.Moved == 0 {
		t.Fatalf("replayed %+v, %v", result, err)
	}
	code, out, errs = runOrders(t, "-url", url, "-resume", "-db", db)
	if code != 0 || !strings.Contains(out, " orders from the queues, kept in SQLite") {
		t.Errorf("exit %d, stderr %q, stdout\n%s", code, errs, out)
	}
	if shipped := "fulfilment.ship                1         0"; !strings.Contains(out, shipped) {
		t.Errorf("%q is missing in\n%s", shipped, out)
	}
	wantRows(t, db, 2, 1)
}
