package main

import (
	"fmt"
	"strings"
)

// shape is one way to use a broker.
type shape struct {
	name     string
	messages int
	body     int // bytes
	window   int // unanswered publishes at once; 0 for a consuming shape
	prefetch int // 0 for a publishing shape
	handlers int // goroutines that handle deliveries; 0 for a publishing shape
}

func (s shape) matches(only string) bool { return strings.Contains(s.name, only) }

// shapes returns what is measured: one at a time and pipelined publishing, and consuming.
func shapes(messages int) []shape {
	var all []shape
	for _, body := range []int{64, 1024} {
		for _, window := range []int{1, 64, 512} {
			n := messages
			if window == 1 {
				n /= 10
			}
			all = append(all, shape{
				name: fmt.Sprintf("publish window %d, %d B", window, body), messages: n, body: body, window: window,
			})
		}
		for _, prefetch := range []int{20, 200} {
			for _, handlers := range []int{1, prefetch} {
				all = append(all, shape{
					name:     fmt.Sprintf("consume prefetch %d, %s, %d B", prefetch, handlersName(handlers), body),
					messages: messages, body: body, prefetch: prefetch, handlers: handlers,
				})
			}
		}
	}
	return all
}

func handlersName(n int) string {
	if n == 1 {
		return "1 handler"
	}
	return fmt.Sprintf("%d handlers", n)
}
