package memory

import (
	"strings"

	"github.com/acemq/acemq-gen/runtime/transport"
)

// topicRouter routes by the words of keys. It is a tree with a word of the binding keys at each branch: "*" takes any
// one word, "#" any number of them.
type topicRouter struct {
	branches map[string]*topicRouter
	queues   []*queue // of the bindings that end here
}

func (r *topicRouter) add(b binding) {
	at := r
	for _, word := range words(b.key) {
		next := at.branches[word]
		if next == nil {
			next = &topicRouter{}
			if at.branches == nil {
				at.branches = map[string]*topicRouter{}
			}
			at.branches[word] = next
		}
		at = next
	}
	at.queues = append(at.queues, b.queue)
}

func (r *topicRouter) route(m *transport.Message, found func(*queue)) { r.follow(words(m.Key), found) }

func (r *topicRouter) follow(rest []string, found func(*queue)) {
	if hash := r.branches["#"]; hash != nil {
		for skipped := range len(rest) + 1 {
			hash.follow(rest[skipped:], found)
		}
	}
	if len(rest) == 0 {
		for _, q := range r.queues {
			found(q)
		}
		return
	}
	if star := r.branches["*"]; star != nil {
		star.follow(rest[1:], found)
	}
	if rest[0] == "*" || rest[0] == "#" {
		return // a word of a message is never a pattern, and the branch of that name was followed
	}
	if next := r.branches[rest[0]]; next != nil {
		next.follow(rest[1:], found)
	}
}

// words splits a key. The empty key has no words.
func words(key string) []string {
	if key == "" {
		return nil
	}
	return strings.Split(key, ".")
}
