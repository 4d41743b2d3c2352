package emit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// defaultFailure is what an ordered queue does that declares nothing else (contract: ordered by key, failure modes).
var defaultFailure = model.Failure{Mode: "Halt", Attempts: 3, Delay: time.Second}

// destination says what is published and where it goes.
func (s *source) destination(p *model.Publish) string {
	text := "It sends " + s.messageWords(p.Message)
	if exchange, named := s.flow.Exchange(p.Exchange); !named {
		text += fmt.Sprintf(" through the default exchange to the queue %q", p.Key)
	} else {
		text += fmt.Sprintf(" to the %s exchange %q", exchange.Kind, exchange.Broker)
		if exchange.External {
			text += ", which another service declares,"
		}
		if p.Key != "" {
			text += fmt.Sprintf(" with the key %q", p.Key)
		}
	}
	text = strings.TrimSuffix(text, ",") + "."
	if p.Transient {
		text += " The messages are transient: a broker that restarts loses them."
	}
	if p.Expires != 0 {
		text += " One that waits in a queue for " + model.Spoken(p.Expires) + " expires."
	}
	if p.Priority != 0 {
		text += fmt.Sprintf(" They have the priority %d.", p.Priority)
	}
	return text
}

// messageWords names a message as both sides know it: "OrderPlaced (order.placed, version 1)".
func (s *source) messageWords(t model.Type) string {
	text := s.imports.typeName(t)
	if m, marked := s.flow.Message(t); marked {
		text += fmt.Sprintf(" (%s, version %d)", m.Type, m.Version)
	}
	return text
}

// lifeWords says when a consumer ends.
const lifeWords = "ctx bounds the start alone: close the consumer, or conn, to stop."

// takesWords says what a consumer takes, and where the messages go that fail or that it cannot read.
func takesWords(messages, unreadable string, q *model.Queue) string {
	return fmt.Sprintf("It takes %s from %s. %s %s goes to %q.%s", messages, queueWords(q), failureWords(q),
		unreadable, wire.ParkedQueue(q.Broker), loadWords(q))
}

// queueWords names the queue of a consumer.
func queueWords(q *model.Queue) string {
	if q.External {
		return fmt.Sprintf("the queue %q, which another service declares", q.Broker)
	}
	return fmt.Sprintf("the queue %q", q.Broker)
}

// stepWords says what a step or a stop takes and returns, and where the messages go that fail or that it cannot read.
func (s *source) stepWords(step *model.Step) string {
	text := fmt.Sprintf("takes %s from the queue %q", s.imports.typeName(step.In.Message), step.Queue.Broker)
	if !step.Sink {
		text += " and returns " + s.imports.typeName(step.Out.Message)
	}
	return fmt.Sprintf("%s. %s One that cannot be read goes to %q.%s", text, failureWords(&step.Queue),
		wire.ParkedQueue(step.Queue.Broker), loadWords(&step.Queue))
}

// pipelineWords says what enters a pipeline, and what becomes of it.
func (s *source) pipelineWords(p *model.Pipeline) string {
	names := make([]string, len(p.Steps))
	for i, step := range p.Steps {
		names[i] = fmt.Sprintf("%q", step.Name)
	}
	return fmt.Sprintf("%s enters through the direct exchange %q and passes %s. Send, Close and the counters are those of "+
		"[%s.Pipeline].", s.messageWords(p.Steps[0].In.Message), p.Broker, listed(names), s.imports.name(pipelinePath))
}

// addressWords names the address of a stop: `exchange "orders-events" with the key "order.price"`.
func (s *source) addressWords(stop *model.Stop) string {
	exchange, named := s.flow.Exchange(stop.Exchange)
	if !named {
		return fmt.Sprintf("queue %q", stop.Queue.Broker)
	}
	return fmt.Sprintf("%s exchange %q with the key %q", exchange.Kind, exchange.Broker, stop.Key)
}

// loadWords says how many messages a consumer has in hand, where the flow says it.
func loadWords(q *model.Queue) string {
	text := ""
	switch {
	case q.Prefetch == 1:
		text += " It holds 1 message at most (prefetch)."
	case q.Prefetch > 1:
		text += fmt.Sprintf(" It holds %d messages at most (prefetch).", q.Prefetch)
	}
	switch {
	case q.Concurrency == 1:
		text += " One handler runs at a time."
	case q.Concurrency > 1:
		text += fmt.Sprintf(" Up to %d handlers run at once.", q.Concurrency)
	}
	return text + leaseWords(q.Idempotent)
}

// leaseWords says that a message is handled once, and what that needs.
func leaseWords(lease time.Duration) string {
	if lease == 0 {
		return ""
	}
	return " Each message is handled once: the option WithIdempotency brings the store, and a handler that takes longer than " +
		model.Spoken(lease) + " is taken to be dead."
}

// failureWords says what becomes of a message whose handler fails.
func failureWords(q *model.Queue) string {
	switch {
	case q.RequeueOnFailure:
		return "A message that fails goes back to the queue at once, for ever."
	case q.Retry == nil && q.RetryDelay != 0:
		return "A message that fails is tried again every " + model.Spoken(q.RetryDelay) + ", for ever."
	case q.Retry == nil:
		return "A message that fails is tried again every " + model.Spoken(model.DefaultRetryDelay) + ", for ever."
	}
	dead := fmt.Sprintf("%q", wire.DeadLetterQueue(q.Broker))
	policy, err := q.Retry.Wire().Policy()
	if err != nil {
		return "A message that fails for the last time goes to " + dead + "."
	}
	delays := policy.Schedule()
	if len(delays) == 0 {
		return "A message that fails goes to " + dead + " at once."
	}
	end := "; then it goes to " + dead + "."
	if age := policy.MaxAge(); age != 0 {
		end = "; then, or once it is " + model.Spoken(age) + " old, it goes to " + dead + "."
	}
	return fmt.Sprintf("A message that fails is delivered %d times at most, %s%s%s",
		policy.MaxAttempts(), scheduleWords(delays), end, rungWords(q.Broker, policy.RungDelays()))
}

// haltWords says what becomes of a message of an ordered queue whose handler fails.
func haltWords(o *model.Ordered) string { return failedInPlace(o) + leaseWords(o.Idempotent) }

func failedInPlace(o *model.Ordered) string {
	f := o.Failure
	if f.Mode == "" {
		f = defaultFailure
	}
	tries := fmt.Sprintf("is tried %d times, %s apart", f.Attempts, model.Spoken(f.Delay))
	if f.Attempts == 1 {
		tries = "is tried once"
	}
	switch f.Mode {
	case "RetryInPlace":
		return "A message that fails is tried again every " + model.Spoken(f.Delay) + ", for ever, and holds those behind it."
	case "Skip":
		return fmt.Sprintf("A message that fails %s; then it goes to the dead letters of its partition, such as %q, "+
			"and the next one is taken.", tries, wire.DeadLetterQueue(o.Queue(0)))
	}
	return "A message that fails " + tries + "; then its partition halts, with the message in hand, until Resume."
}

// scheduleWords tells the delays between attempts: "after 1s, 2s and 4s", "after 1s, 2s and then 4s each time".
func scheduleWords(delays []time.Duration) string {
	last := delays[len(delays)-1]
	settled := slices.Index(delays, last)
	words := make([]string, 0, settled+1)
	for _, delay := range delays[:settled] {
		words = append(words, model.Spoken(delay))
	}
	const shown = 8
	switch alike := len(delays) - settled; {
	case settled == 0 && alike > 1:
		return model.Spoken(last) + " apart"
	case settled >= shown:
		return "after " + words[0] + ", " + words[1] + ", " + words[2] + " and so on up to " + model.Spoken(last)
	case alike > 1:
		return "after " + listed(append(words, "then "+model.Spoken(last)+" each time"))
	default:
		return "after " + listed(append(words, model.Spoken(last)))
	}
}

// rungWords names the queues in which the broker holds a message until its next attempt.
func rungWords(queue string, rungs []time.Duration) string {
	switch len(rungs) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" The wait of %s is spent in %q.", model.Spoken(rungs[0]), wire.RungQueue(queue, rungs[0]))
	default:
		first, last := rungs[0], rungs[len(rungs)-1]
		return fmt.Sprintf(" The waits of %s to %s are spent in %q to %q.",
			model.Spoken(first), model.Spoken(last), wire.RungQueue(queue, first), wire.RungQueue(queue, last))
	}
}
