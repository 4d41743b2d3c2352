package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	amqp "github.com/rabbitmq/amqp091-go"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/outbox"
	"github.com/acemq/acemq-gen/runtime/sqlstore"
	"github.com/acemq/acemq-gen/runtime/topology"
)

const (
	outboxTable = "bench_outbox"
	outboxQueue = "bench.outbox"
	outboxBatch = 100
)

// outboxBench is a table of records on PostgreSQL, and a queue for them.
type outboxBench struct {
	url   string
	db    *sql.DB
	store *sqlstore.Outbox
	conn  *acemq.Conn
	added int
}

// compareOutbox measures records a second through the relay, with few and with many published rows kept in the table,
// against a loop by hand that holds a transaction with SKIP LOCKED while it publishes.
func compareOutbox(ctx context.Context, url string, records, rounds int) error {
	source := os.Getenv("ACEMQ_TEST_POSTGRES_URL")
	if source == "" {
		return errors.New("ACEMQ_TEST_POSTGRES_URL names no PostgreSQL: run `make bench`, which starts one")
	}
	b, err := openOutboxBench(ctx, url, source)
	if err != nil {
		return err
	}
	defer b.close()
	fmt.Printf("\n%-28s %8s %8s %5s   records a second, PostgreSQL\n", "outbox", "by hand", "relay", "ratio")
	for _, kept := range []int{1_000, 1_000_000} {
		if err := b.keep(ctx, kept); err != nil {
			return err
		}
		var hand, relay []sample
		for range rounds {
			h, err := b.measure(ctx, records, b.byHand)
			if err != nil {
				return err
			}
			r, err := b.measure(ctx, records, b.byRelay)
			if err != nil {
				return err
			}
			hand, relay = append(hand, h), append(relay, r)
		}
		h, r := median(hand).perSecond, median(relay).perSecond
		fmt.Printf("%-28s %8.0f %8.0f %5.2f\n", fmt.Sprintf("%d published rows kept", kept), h, r, r/h)
	}
	return nil
}

func openOutboxBench(ctx context.Context, url, source string) (*outboxBench, error) {
	db, err := sql.Open("pgx", source)
	if err != nil {
		return nil, err
	}
	conn, err := acemq.Dial(ctx, url, acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	b := &outboxBench{url: url, db: db, conn: conn}
	b.store, err = sqlstore.NewOutbox(db, sqlstore.PostgreSQL, sqlstore.WithOutboxTable(outboxTable),
		sqlstore.KeepPublished(24*time.Hour))
	if err == nil {
		err = b.exec(ctx, "DROP TABLE IF EXISTS "+outboxTable)
	}
	if err == nil {
		err = b.store.CreateTable(ctx)
	}
	if err == nil {
		err = conn.Declare(ctx, topology.New().Queue(outboxQueue, topology.Classic()))
	}
	if err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *outboxBench) close() {
	ctx := context.Background()
	b.exec(ctx, "DROP TABLE IF EXISTS "+outboxTable)
	b.conn.Close(ctx)
	b.db.Close()
}

func (b *outboxBench) exec(ctx context.Context, query string, args ...any) error {
	_, err := b.db.ExecContext(ctx, query, args...)
	return err
}

// keep brings the table to a number of published rows, and the database to rest.
func (b *outboxBench) keep(ctx context.Context, kept int) error {
	err := b.exec(ctx, "TRUNCATE "+outboxTable)
	if err == nil {
		err = b.exec(ctx, `INSERT INTO `+outboxTable+` (id, exchange, routing_key, content_type, reply_to, priority, expires_ms,
			headers, body, state, created_at, settled_at)
			SELECT 'kept-' || n, '', 'k', 'application/json', '', 0, 0, '{}', '{}', 2, 0, 4102444800000
			FROM generate_series(1, $1) n`, kept)
	}
	if err == nil {
		err = b.exec(ctx, "VACUUM ANALYZE "+outboxTable)
	}
	if err == nil {
		err = b.exec(ctx, "CHECKPOINT")
	}
	return err
}

// measure adds records and has them published.
func (b *outboxBench) measure(ctx context.Context, records int, publish func(context.Context, int) error) (sample, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	if err := b.add(ctx, records); err != nil {
		return sample{}, err
	}
	start := time.Now()
	if err := publish(ctx, records); err != nil {
		return sample{}, err
	}
	return sample{perSecond: float64(records) / time.Since(start).Seconds()}, nil
}

func (b *outboxBench) add(ctx context.Context, records int) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for range records {
		b.added++
		record := outbox.Record{Message: acemq.Outgoing{Key: outboxQueue, ContentType: "application/json",
			Body:     []byte(`{"text":"` + strings.Repeat("x", 256) + `"}`),
			Envelope: acemq.Envelope{ID: fmt.Sprint("added-", b.added), Type: "bench", Version: 1, Attempt: 1}}}
		if err := b.store.Add(ctx, tx, record); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// byRelay has the relay publish.
func (b *outboxBench) byRelay(ctx context.Context, records int) error {
	relay, err := outbox.Start(b.conn, b.store, outbox.WithBatch(outboxBatch))
	if err != nil {
		return err
	}
	for relay.Counts().Published < int64(records) && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	return errors.Join(ctx.Err(), relay.Close(ctx))
}

// byHand publishes as services do that write their outbox themselves: the rows stay locked while the broker is asked.
func (b *outboxBench) byHand(ctx context.Context, records int) error {
	conn, err := amqp.Dial(b.url)
	if err != nil {
		return err
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err == nil {
		err = ch.Confirm(false)
	}
	if err != nil {
		return err
	}
	for done := 0; done < records; {
		n, err := b.batchByHand(ctx, ch)
		if err != nil {
			return err
		}
		done += n
	}
	return nil
}

func (b *outboxBench) batchByHand(ctx context.Context, ch *amqp.Channel) (int, error) {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, `SELECT seq, id, routing_key, content_type, body FROM `+outboxTable+`
		WHERE state = 0 ORDER BY seq LIMIT $1 FOR UPDATE SKIP LOCKED`, outboxBatch)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	var seqs []string
	var confirms []*amqp.DeferredConfirmation
	for rows.Next() {
		var seq string
		var m amqp.Publishing
		var key string
		if err := rows.Scan(&seq, &m.MessageId, &key, &m.ContentType, &m.Body); err != nil {
			return 0, err
		}
		m.DeliveryMode = amqp.Persistent
		confirm, err := ch.PublishWithDeferredConfirmWithContext(ctx, "", key, true, false, m)
		if err != nil {
			return 0, err
		}
		seqs, confirms = append(seqs, seq), append(confirms, confirm)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil || len(seqs) == 0 {
		return 0, err
	}
	for _, confirm := range confirms {
		if acked, err := confirm.WaitContext(ctx); err != nil || !acked {
			return 0, fmt.Errorf("a message is not confirmed: %w", err)
		}
	}
	_, err = tx.ExecContext(ctx, `UPDATE `+outboxTable+` SET state = 2, settled_at = 4102444800000 WHERE seq IN (`+
		strings.Join(seqs, ", ")+`)`)
	if err != nil {
		return 0, err
	}
	return len(seqs), tx.Commit()
}
