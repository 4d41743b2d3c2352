package asyncapi

import (
	"fmt"
	"strings"

	"github.com/acemq/acemq-gen/gen/outline"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// What is said of what a flow does not declare itself.
const (
	foreignExchange = "Another service declares the exchange."
	foreignQueue    = "Another service declares the queue."
)

// exchangeWords are the doc comments of an exchange.
func exchangeWords(e *outline.Exchange) string {
	var said []string
	for _, place := range e.Places {
		if place.Kind == "Pipeline" || place.Kind == "Ordered" { // the operations say it
			continue
		}
		said = append(said, place.Doc)
	}
	if e.External {
		said = append(said, foreignExchange)
	}
	return paragraphs(said...)
}

// queueWords say what becomes of a message in a queue.
func queueWords(q *outline.Queue) string {
	var said []string
	if q.External {
		said = append(said, foreignQueue)
	}
	if q.Failure.Words != "" {
		said = append(said, "A message that fails "+q.Failure.Words+".")
	}
	return strings.Join(said, " ")
}

// notes are what else is known about a queue at an address.
func notes(q *outline.Queue, address string) *queueNotes {
	n := &queueNotes{
		Properties: q.Properties, DeadLetter: wire.DeadLetterQueue(address), Parked: wire.ParkedQueue(address),
	}
	for _, b := range q.Bindings {
		n.Bindings = append(n.Bindings, binding{b.Exchange, b.Keys})
	}
	for _, rung := range q.Failure.Rungs {
		n.Retry = append(n.Retry, rung.Queue)
	}
	return n
}

// title names a consumer: Billing, or the step pack of fulfilment.
func title(c *outline.Consumer) string {
	if c.Route == "" {
		return c.Title
	}
	return fmt.Sprintf("%s, a %s of %s", c.Title, strings.ToLower(c.Kind), c.Route)
}

// paragraphs joins texts, each of which is said once.
func paragraphs(texts ...string) string {
	var said []string
	known := map[string]bool{"": true}
	for _, text := range texts {
		text = strings.TrimSpace(text)
		if !known[text] {
			known[text] = true
			said = append(said, text)
		}
	}
	return strings.Join(said, "\n\n")
}
