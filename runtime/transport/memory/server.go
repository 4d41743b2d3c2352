package memory

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// Server is a handle on a broker: what an operator of it can do and see, and accidents to order. The broker does not
// end before its handles are closed. All methods may be called concurrently.
type Server struct {
	node  *node
	close func()
}

// Serve returns a handle on the broker of this name, which begins when it is not there. The options are for the broker
// and all its connections, those that are open too. Close the handle when it is done with.
func Serve(name string, opts ...Option) *Server {
	n := join(name)
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, opt := range opts {
		opt(&n.config)
	}
	return &Server{n, sync.OnceFunc(n.leave)}
}

// Close gives the handle back. It closes no connections.
func (s *Server) Close() { s.close() }

// Queues returns the names of all queues, sorted.
func (s *Server) Queues() []string {
	s.node.mu.Lock()
	defer s.node.mu.Unlock()
	return slices.Sorted(maps.Keys(s.node.queues))
}

// Depth returns how many messages of a queue wait for a consumer, and how many are delivered and not settled. A missing
// queue holds none.
func (s *Server) Depth(queue string) (ready, unsettled int) {
	s.node.mu.Lock()
	defer s.node.mu.Unlock()
	q := s.node.queues[queue]
	if q == nil {
		return 0, 0
	}
	s.node.eachChannel(func(ch *channel) {
		if ch.queue == q {
			unsettled += len(ch.unsettled)
		}
	})
	return q.ready.Len(), unsettled
}

// Peek returns copies of the messages of a queue that wait for a consumer, in their order, and leaves them there.
func (s *Server) Peek(queue string) []transport.Message {
	s.node.mu.Lock()
	defer s.node.mu.Unlock()
	q := s.node.queues[queue]
	if q == nil {
		return nil
	}
	return q.snapshot()
}

// DeleteQueue removes a queue and its messages; its consumers are cancelled. A missing queue is no failure.
func (s *Server) DeleteQueue(queue string) {
	s.node.mu.Lock()
	defer s.node.mu.Unlock()
	if q := s.node.queues[queue]; q != nil {
		s.node.deleteQueue(q)
	}
}

// DeleteExchange removes an exchange and its bindings. A missing exchange is no failure.
func (s *Server) DeleteExchange(exchange string) {
	s.node.mu.Lock()
	defer s.node.mu.Unlock()
	delete(s.node.exchanges, exchange)
}

// Inject has a fault happen to messages that are published, or settled, from now on. Scripts are tried in the order in
// which they were injected.
func (s *Server) Inject(script Script) {
	s.node.mu.Lock()
	defer s.node.mu.Unlock()
	s.node.scripts = append(s.node.scripts, &script)
}

// Cut ends all connections, by force. They come back by themselves.
func (s *Server) Cut() {
	s.node.mu.Lock()
	defer s.node.mu.Unlock()
	s.node.cut("cut by the server")
}

// CutConnection ends one connection, by force, which comes back by itself. The connection is one that Open returned for
// this broker; any other is left alone.
func (s *Server) CutConnection(b transport.Broker) {
	s.node.mu.Lock()
	defer s.node.mu.Unlock()
	if c, ok := b.(*connection); ok && c.node == s.node {
		s.node.fall("cut by the server", c)
	}
}

// Down ends the broker as a crash would, and lets no connection in until up is called. Queues and messages are there
// again then, except for transient messages. Further calls of up do nothing.
func (s *Server) Down() (up func()) {
	s.node.mu.Lock()
	defer s.node.mu.Unlock()
	s.node.down = true
	s.node.cut("the broker is down")
	for _, q := range s.node.queues {
		q.forgetTransient()
	}
	return func() {
		s.node.mu.Lock()
		defer s.node.mu.Unlock()
		s.node.down = false
	}
}

// Block has the broker take no messages, for a reason in words ("low on memory"), until unblock is called. As with
// RabbitMQ, a connection hears of it after its next message.
func (s *Server) Block(reason string) (unblock func()) {
	s.node.mu.Lock()
	defer s.node.mu.Unlock()
	s.node.alarm = fmt.Sprintf("the broker blocks publishers: %s", reason)
	return func() {
		s.node.mu.Lock()
		defer s.node.mu.Unlock()
		s.node.alarm = ""
		for c := range s.node.connections {
			c.blocked = false
		}
	}
}

// cut ends every connection.
func (n *node) cut(reason string) {
	n.fall(reason, slices.Collect(maps.Keys(n.connections))...)
}

// eachChannel visits the channels of all consumers.
func (n *node) eachChannel(visit func(*channel)) {
	for c := range n.connections {
		for consumer := range c.consumers {
			if consumer.channel != nil {
				visit(consumer.channel)
			}
		}
	}
}
