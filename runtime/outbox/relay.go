package outbox

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	acemq "github.com/acemq/acemq-gen/runtime"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// Relay publishes the records of a store until it is closed. Its methods may be called concurrently.
type Relay struct {
	conn     *acemq.Conn
	store    Store
	settings settings
	policy   wire.Policy
	tally    tally

	kicked   chan struct{}
	turn     sync.Mutex      // of the batch that is claimed and begun
	backlog  chan struct{}   // a full batch was claimed: there may be enough for two at once
	stopping context.Context // ended by Close: nothing further is claimed or begun
	stop     context.CancelFunc
	working  context.Context // ended when Close can wait no longer: what was begun is broken off
	abandon  context.CancelFunc
	done     chan struct{}

	troubles atomic.Int64 // how often in a row the store failed
}

// Start starts a relay from store to conn. It polls the store, and works on while there is something to publish.
//
// Any number of relays may run on one store, in one process or many. Close each before its connection.
func Start(conn *acemq.Conn, store Store, opts ...Option) (*Relay, error) {
	s, policy, err := newSettings(conn, opts)
	if err != nil {
		return nil, err
	}
	r := &Relay{
		conn:     conn,
		store:    store,
		settings: s,
		policy:   policy,
		kicked:   make(chan struct{}, 1),
		backlog:  make(chan struct{}, 1),
		done:     make(chan struct{}),
	}
	r.stopping, r.stop = context.WithCancel(context.Background())
	r.working, r.abandon = context.WithCancel(context.Background())
	if _, inMemory := store.(*Memory); inMemory {
		s.logger.Warn("acemq: the outbox is in memory: its records are in no transaction, and a restart loses them")
	}
	go r.run()
	return r, nil
}

// Kick has the relay look for records at once. Call it after a transaction that added some was committed; it never
// waits.
func (r *Relay) Kick() { signal(r.kicked) }

// signal sends a signal, unless one waits already.
func signal(to chan<- struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// Close ends the relay. It begins no further publish, waits for the answers to those that were begun, marks what was
// published, and gives the rest back for other relays to take. When ctx ends first, it breaks off what it waits for and
// returns the context's error; records that it could not settle are due again when their lease ends.
func (r *Relay) Close(ctx context.Context) error {
	r.stop()
	select {
	case <-r.done:
	case <-ctx.Done():
		r.abandon()
		return context.Cause(ctx)
	}
	r.abandon()
	return nil
}

// run works until the relay is closed.
func (r *Relay) run() {
	defer close(r.done)
	var group sync.WaitGroup
	defer group.Wait()
	group.Go(r.help)
	purged := time.Now()
	for r.stopping.Err() == nil {
		moved := r.pass()
		if time.Since(purged) >= purgeInterval {
			purged = time.Now()
			r.purge()
		}
		if !moved {
			r.rest()
		}
	}
}

// help works beside run through a backlog, so that one batch is claimed and settled while another one is published.
func (r *Relay) help() {
	for {
		select {
		case <-r.backlog:
		case <-r.stopping.Done():
			return
		}
		for r.stopping.Err() == nil && r.pass() {
		}
	}
}

// purgeInterval is how often published records that are past their retention are removed.
const purgeInterval = time.Minute
