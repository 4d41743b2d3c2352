package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/internal/brokertest"
	"github.com/acemq/acemq-gen/internal/dbtest"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/idempotency"
	"github.com/acemq/acemq-gen/runtime/outbox"
	"github.com/acemq/acemq-gen/runtime/topology"
)

// service is an order service, of which every process has a relay for its outbox and a consumer that bills each order once.
type service struct {
	Kind   dbtest.Kind
	Source string
	Name   string // of its exchange and its queue
}

// serviceVariable holds the service that a process runs which a test has started.
const serviceVariable = "ACEMQ_TEST_SERVICE"

// TestMain runs the tests, or, in a process that a test has started, the service.
func TestMain(m *testing.M) {
	text := os.Getenv(serviceVariable)
	if text == "" {
		os.Exit(m.Run())
	}
	var s service
	err := json.Unmarshal([]byte(text), &s)
	if err == nil {
		err = s.run(context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type order struct {
	ID string `json:"id"`
}

func (s *service) route() acemq.Route[order] {
	return acemq.Route[order]{Exchange: s.Name, Key: "order.placed", Type: "order.placed", Version: 1}
}

// run serves until the process is killed, or its parent is gone.
func (s *service) run(ctx context.Context) error {
	db, err := sql.Open(s.Kind.Driver(), s.Source)
	if err != nil {
		return err
	}
	box, err := NewOutbox(db, dialects[s.Kind])
	if err != nil {
		return err
	}
	conn, err := acemq.Dial(ctx, os.Getenv(brokertest.URLVariable), acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		return err
	}
	if _, err := outbox.Start(conn, box, outbox.WithPoll(20*time.Millisecond), outbox.WithLease(time.Second)); err != nil {
		return err
	}
	if err := s.bill(ctx, conn, db); err != nil {
		return err
	}
	fmt.Println("running")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// bill starts the consumer.
func (s *service) bill(ctx context.Context, conn *acemq.Conn, db *sql.DB) error {
	keys, err := NewIdempotency(db, dialects[s.Kind])
	if err != nil {
		return err
	}
	insert := "INSERT INTO bills (order_id) VALUES (?)"
	if s.Kind == dbtest.PostgreSQL {
		insert = "INSERT INTO bills (order_id) VALUES ($1)"
	}
	handler := acemq.Handle(func(ctx context.Context, m *acemq.Message[order]) error {
		return inTx(ctx, db, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, insert, m.Payload.ID); err != nil {
				return err
			}
			time.Sleep(rand.N(10 * time.Millisecond)) // for a kill to happen here too
			return keys.ConfirmIn(ctx, tx, idempotency.Key(m.Queue, m.Envelope.ID))
		})
	})
	queue := acemq.Queue{Name: s.Name, Prefetch: 10, Idempotent: time.Second, RetryDelay: 100 * time.Millisecond}
	_, err = acemq.Consume(ctx, conn, queue, handler, acemq.WithIdempotency(keys))
	return err
}

// start starts a process of the service and returns once it works.
func (s *service) start(t *testing.T) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return brokertest.Process(t, serviceVariable+"="+string(text))
}

func kill(cmd *exec.Cmd) {
	cmd.Process.Kill()
	cmd.Wait()
}

// declare makes what the service needs, in its database and on its broker.
func (s *service) declare(t *testing.T, db *sql.DB) *Outbox {
	t.Helper()
	box := newOutbox(t, db, s.Kind)
	newIdempotency(t, db, s.Kind)
	for _, table := range []string{"orders (id VARCHAR(50) PRIMARY KEY)", "bills (order_id VARCHAR(50) NOT NULL)"} {
		if _, err := db.ExecContext(t.Context(), "CREATE TABLE "+table); err != nil {
			t.Fatal(err)
		}
	}
	conn := dial(t, brokertest.URL(t))
	err := conn.Declare(t.Context(), topology.New().Exchange(s.Name, topology.Topic).Queue(s.Name).Bind(s.Name, s.Name, "order.#"))
	if err != nil {
		t.Fatal(err)
	}
	return box
}

func dial(t *testing.T, url string) *acemq.Conn {
	t.Helper()
	conn, err := acemq.Dial(t.Context(), url, acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// Processes of an order service are killed while they relay and bill: in the end every order is billed, and none twice.
func TestEveryOrderIsBilledOnce(t *testing.T) {
	for _, kind := range []dbtest.Kind{dbtest.PostgreSQL, dbtest.MariaDB} { // SQLite is for one process
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			brokertest.URL(t)
			s := service{Kind: kind, Source: dbtest.Source(t, kind), Name: "sqlstore-" + acemq.NewID()}
			db, err := sql.Open(kind.Driver(), s.Source)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			box := s.declare(t, db)

			const orders, kills = 400, 6
			placing := make(chan error, 1)
			go func() { placing <- s.place(t.Context(), db, box, orders) }()
			processes := []*exec.Cmd{s.start(t), s.start(t)}
			for i := range kills {
				time.Sleep(200*time.Millisecond + rand.N(300*time.Millisecond))
				kill(processes[i%2])
				processes[i%2] = s.start(t)
			}
			if err := <-placing; err != nil {
				t.Fatal(err)
			}
			s.wantBilled(t, db, orders)
		})
	}
}

// place places orders.
func (s *service) place(ctx context.Context, db *sql.DB, box *Outbox, orders int) error {
	for n := range orders {
		id := fmt.Sprint("order-", n)
		record, err := outbox.NewRecord(s.route(), order{id})
		if err == nil {
			err = placeOrder(ctx, db, s.Kind, box, id, record)
		}
		if err != nil {
			return err
		}
		time.Sleep(rand.N(8 * time.Millisecond))
	}
	return nil
}

// wantBilled waits until every order is billed, and a little for what comes too often.
func (s *service) wantBilled(t *testing.T, db *sql.DB, orders int) {
	t.Helper()
	count := func(query string) (n int) {
		if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	const distinct = "SELECT COUNT(DISTINCT order_id) FROM bills"
	for deadline := time.Now().Add(time.Minute); count(distinct) < orders; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d orders are billed", count(distinct), orders)
		}
	}
	time.Sleep(2 * time.Second)
	if bills := count("SELECT COUNT(*) FROM bills"); bills != orders {
		t.Errorf("%d orders have %d bills", orders, bills)
	}
}
