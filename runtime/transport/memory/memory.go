// Package memory is a broker in the process, for tests and for programs that are shown without a broker. It behaves as
// RabbitMQ does where a service can tell, and is never kinder: arguments are kept and compared, messages expire at the
// head of their queue only, dead letters get lost where nothing takes them, quorum queues have delivery limits.
//
// Open connects to a broker by its name. Connections of one name share exchanges, queues and messages. A broker begins
// with its first connection and ends, with all that is in it, when the last connection and the last Server handle on
// it are closed, so that each test starts with an empty one. A program that opens its connections one after another
// and not at the same time holds the broker with Serve in between.
//
// Serve gives a handle on a broker: to choose the RabbitMQ version it behaves as, to look into queues, and to have
// accidents happen, once or at a given message.
//
// Nothing here runs a goroutine of its own. All waiting is on timers of package time and on channels, so a test in a
// bubble of testing/synctest passes an hour of retries in no time. A broker belongs to the bubble that opened it: tests
// that run at the same time choose names of their own.
//
// Streams, at-least-once dead-lettering, exclusive and transient queues, and policies are not modelled.
package memory

import (
	"sync"
	"time"

	"github.com/acemq/acemq-gen/runtime/topology"
	"github.com/acemq/acemq-gen/runtime/transport"
)

// Open connects to the broker of this name, which begins when it is not there. It never fails and never waits.
func Open(name string) transport.Broker {
	return connect(join(name))
}

// node is one broker. Its mutex guards all that is in it: exchanges, queues, connections and consumers. Methods that
// are not called from outside the package expect it to be held; none of them waits.
type node struct {
	name string

	mu          sync.Mutex
	config      config
	exchanges   map[string]*exchange
	queues      map[string]*queue
	connections map[*connection]struct{}
	scripts     []*Script
	alarm       string // why publishers are blocked; empty when they are not
	down        bool   // the broker takes no connections
	routed      uint64 // counts routings, to tell which queues one of them has reached
}

// brokers are the brokers of the process by name, with the number of connections and handles on each.
var brokers = struct {
	sync.Mutex
	nodes map[string]*node
	users map[*node]int
}{nodes: map[string]*node{}, users: map[*node]int{}}

// join returns the broker of a name for one more user.
func join(name string) *node {
	brokers.Lock()
	defer brokers.Unlock()
	n := brokers.nodes[name]
	if n == nil {
		n = newNode(name)
		brokers.nodes[name] = n
	}
	brokers.users[n]++
	return n
}

// leave takes a user off a broker, which ends with its last one.
func (n *node) leave() {
	brokers.Lock()
	brokers.users[n]--
	last := brokers.users[n] == 0
	if last {
		delete(brokers.users, n)
		delete(brokers.nodes, n.name)
	}
	brokers.Unlock()
	if !last {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, q := range n.queues {
		q.stopTimers()
	}
}

func newNode(name string) *node {
	n := &node{
		name:        name,
		config:      defaults,
		exchanges:   map[string]*exchange{},
		queues:      map[string]*queue{},
		connections: map[*connection]struct{}{},
	}
	for name, kind := range map[string]topology.Kind{
		"amq.direct": topology.Direct, "amq.fanout": topology.Fanout, "amq.topic": topology.Topic,
		"amq.headers": topology.Headers, "amq.match": topology.Headers,
	} {
		n.exchanges[name] = newExchange(name, kind)
	}
	return n
}

// stop ends a timer that may not have been started.
func stop(t *time.Timer) {
	if t != nil {
		t.Stop()
	}
}
