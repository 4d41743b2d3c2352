package ordered

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/acemq/acemq-gen/internal/brokertest"
	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// The tests of this file run on a real RabbitMQ, in real time.

// brokerPatience bounds the wait for what must happen.
const brokerPatience = 8 * time.Minute

// brokerConn connects to a broker and declares an ordered queue on it.
func brokerConn(t *testing.T, url string, ledger Declaration) *acemq.Conn {
	t.Helper()
	conn, err := acemq.Dial(t.Context(), url, acemq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	if err := conn.Declare(t.Context(), ledger.Topology()); err != nil {
		t.Fatal(err)
	}
	return conn
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), brokerPatience)
	defer cancel()
	for !holds() {
		select {
		case <-ctx.Done():
			t.Fatalf("it did not happen that %s", what)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// book is the account book of the test: what was applied to each account, in order.
type book struct {
	mu       sync.Mutex
	applied  map[string][]line
	distinct int
}

// line is an entry as it was applied.
type line struct {
	number      int
	redelivered bool
}

func (b *book) apply(m *acemq.Message[entry]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	lines := b.applied[m.Payload.Account]
	if last := len(lines); last == 0 || lines[last-1].number < m.Payload.Number {
		b.distinct++
	}
	b.applied[m.Payload.Account] = append(lines, line{m.Payload.Number, m.Redelivered})
}

func (b *book) size() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.distinct
}

// desk publishes the entries of accounts, and knows which of them it may have published twice.
type desk struct {
	publisher *Publisher[entry]
	twice     sync.Map // by the id of the message
}

func id(account string, number int) string { return fmt.Sprintf("%s/%d", account, number) }

// publish publishes the entries of one account, one after another, each until it is confirmed. That is what the order
// of an account asks of its publisher.
func (d *desk) publish(ctx context.Context, account string, entries int) error {
	for n := 1; n <= entries; {
		_, err := d.publisher.Publish(ctx, entry{account, n}, acemq.WithID(id(account, n)))
		switch {
		case err == nil:
			n++
			continue
		case errors.As(err, new(*acemq.UnknownError)):
			d.twice.Store(id(account, n), true)
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// The order in which the entries of each account are applied is that in which they were sent, while attempts fail,
// partitions halt, connections are cut and the broker is killed.
func TestBrokerKeepsTheOrder(t *testing.T) {
	t.Parallel()
	const accounts, entries = 200, 100
	node := brokertest.Node(t)
	ledger := Declaration{Name: "ledger", Partitions: 8, Attempts: 3, Delay: time.Millisecond}
	conn := brokerConn(t, node.URL(), ledger)

	sheet := &book{applied: make(map[string][]line)}
	var halts atomic.Int64
	consumer, err := Consume(t.Context(), conn, ledger, func(_ context.Context, m *acemq.Message[entry]) error {
		time.Sleep(time.Millisecond) // so that accidents find handlers at work
		switch chance := wire.KeyHash(m.Envelope.ID) % 1000; {
		case chance < 2 && halts.Add(1)%4 != 0: // fails its three attempts, and is taken once it is resumed
			return errBusy
		case chance < 30 && m.IsFirstAttempt():
			return errBusy
		}
		sheet.apply(m)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	ctx, cancel := context.WithTimeout(t.Context(), brokerPatience)
	defer cancel()
	desk := &desk{publisher: NewPublisher(conn, route(ledger))}
	var working sync.WaitGroup
	for i := range accounts {
		working.Go(func() {
			if err := desk.publish(ctx, fmt.Sprintf("acct-%d", i), entries); err != nil {
				t.Errorf("account %d: %v", i, err)
			}
		})
	}
	working.Go(func() { // the operator
		for sheet.size() < accounts*entries && ctx.Err() == nil {
			for _, partition := range consumer.HaltedPartitions() {
				consumer.Resume(partition)
			}
			time.Sleep(20 * time.Millisecond)
		}
	})
	accidents(t, node, sheet)
	working.Wait()

	if got := sheet.size(); got != accounts*entries {
		t.Errorf("%d entries were applied, want %d", got, accounts*entries)
	}
	again := 0 // entries that were delivered or sent again
	for i := range accounts {
		account := fmt.Sprintf("acct-%d", i)
		checkLines(t, account, sheet.applied[account], entries, desk)
		for _, l := range sheet.applied[account] {
			if _, twice := desk.twice.Load(id(account, l.number)); twice || l.redelivered {
				again++
			}
		}
	}
	if counts := consumer.Counts(); counts.Lost == 0 && again == 0 || counts.Halts == 0 || counts.Failed == 0 {
		t.Errorf("nothing went wrong: %+v", counts)
	}
}

// accidents kills the broker twice, and cuts all connections between.
func accidents(t *testing.T, node *brokertest.Server, sheet *book) {
	t.Helper()
	kill := func() error { return errors.Join(node.Kill(), node.Restart(t.Context())) }
	cut := func() error {
		_, err := node.Ctl(t.Context(), "close_all_connections", "cut by the test")
		return err
	}
	for at, accident := range []func() error{cut, kill, cut, kill, cut} {
		after := 2000 + at*3500
		eventually(t, fmt.Sprintf("%d entries were applied", after), func() bool { return sheet.size() >= after })
		if err := accident(); err != nil {
			t.Error(err)
		}
	}
}

// checkLines checks, line by line, that an account has its entries in order. An entry may be there again right behind
// itself where the broker delivered it again, or where its publisher never heard of it and sent it again.
func checkLines(t *testing.T, account string, lines []line, entries int, d *desk) {
	t.Helper()
	last := 0
	for i, l := range lines {
		_, twice := d.twice.Load(id(account, l.number))
		switch {
		case l.number == last+1:
			last++
		case l.number == last && (l.redelivered || twice):
		default:
			t.Errorf("%s: line %d is entry %d, redelivered %v, behind entry %d", account, i, l.number, l.redelivered, last)
			return
		}
	}
	if last != entries {
		t.Errorf("%s ends with entry %d, want %d", account, last, entries)
	}
}

// A halt survives the consumer timeout of the broker.
func TestBrokerConsumerTimeout(t *testing.T) {
	t.Parallel()
	node := brokertest.Node(t, "consumer_timeout = 3000")
	// The broker looks once a minute, and the setting for that is in no configuration file.
	if _, err := node.Ctl(t.Context(), "eval", "application:set_env(rabbit, channel_tick_interval, 1000)."); err != nil {
		t.Fatal(err)
	}
	testConsumerTimeout(t, node.URL(), func(c *Consumer) bool { return c.Counts().Lost >= 2 })
}

// testConsumerTimeout halts a partition until enough has happened, and resumes it.
func testConsumerTimeout(t *testing.T, url string, enough func(*Consumer) bool) {
	ledger := Declaration{Name: "ledger-" + rand.Text()[:10], Partitions: 1, Attempts: 1}
	conn := brokerConn(t, url, ledger)
	publisher := NewPublisher(conn, route(ledger))
	for n := 1; n <= 3; n++ {
		if _, err := publisher.Publish(t.Context(), entry{"acct-7", n}); err != nil {
			t.Fatal(err)
		}
	}
	l := failingAt(errBusy, 2)
	c, err := Consume(t.Context(), conn, ledger, l.handle)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the broker took the message back", func() bool { return enough(c) })
	wantList(t, "the halted partitions", c.HaltedPartitions(), []int{0})
	wantList(t, "the entries that were handled", l.numbers(), []int{1, 2})
	l.heal()
	if err := c.Resume(0); err != nil {
		t.Error(err)
	}
	eventually(t, "the entries were applied", func() bool { return len(l.numbers()) >= 4 })
	wantList(t, "the entries that were handled", l.numbers(), []int{1, 2, 2, 3})
}

// numbers returns the numbers of the entries that the handler was given.
func (l *ledger) numbers() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.seen)
}
