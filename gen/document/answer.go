package document

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/acemq/acemq-gen/gen/outline"
)

// Answer writes what flows have to say about a name: of a message in Go or on the wire, an exchange, a queue, one of
// those around a queue, a step, or a declaration. It reports false where they do not know it. Where a name stands for
// several things, it writes about all of them. The function schemas returns the files of the schemas of a message.
func Answer(
	w io.Writer, o *outline.Outline, name string, schemas func(outline.Message) []string,
) (known bool, err error) {
	if name == "" {
		return false, nil
	}
	a := &answer{outline: o, name: name, schemas: schemas}
	a.messages()
	a.exchanges()
	a.publishers()
	a.queues()
	a.sagas()
	_, err = io.WriteString(w, strings.Join(a.sections, "\n"))
	return len(a.sections) > 0, err
}

// Names returns every name that [Answer] knows, sorted. A name in it may have several meanings.
func Names(o *outline.Outline) []string {
	var names []string
	add := func(more ...string) { names = append(names, more...) }
	for _, m := range o.Messages {
		add(m.Go, m.Type)
	}
	for _, e := range o.Exchanges {
		add(e.Name)
		for _, place := range e.Places {
			add(place.Name)
		}
	}
	for _, p := range o.Publishers {
		add(p.Name)
	}
	for i := range o.Queues {
		add(queueNames(&o.Queues[i])...)
		for _, c := range o.Queues[i].Consumers {
			add(c.Name, c.Title, c.Route)
		}
	}
	for _, s := range o.Sagas {
		add(s.Name, s.Title)
		for _, action := range s.Actions {
			add(action.Name)
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
}

// queueNames are the names of a queue, of its partitions, and of the queues around it.
func queueNames(q *outline.Queue) []string {
	names := append([]string{q.Name}, q.Partitions...)
	for _, rung := range q.Failure.Rungs {
		names = append(names, rung.Queue)
	}
	return append(append(names, q.Failure.DeadLetter...), q.Failure.Parked...)
}

// answer is what is known about a name.
type answer struct {
	outline  *outline.Outline
	name     string
	schemas  func(outline.Message) []string
	sections []string
}

// add adds a section: what it is about, where that is declared, and lines of facts.
func (a *answer) add(head string, facts ...string) {
	text := head + "\n"
	for _, fact := range facts {
		if fact != "" {
			text += "  " + fact + "\n"
		}
	}
	a.sections = append(a.sections, text)
}

func (a *answer) messages() {
	for _, m := range a.outline.Messages {
		if m.Go != a.name && m.Type != a.name {
			continue
		}
		var facts []string
		for _, p := range a.outline.Senders(m) {
			facts = append(facts, "sent by "+route(p))
		}
		for _, t := range a.outline.Returning(m) {
			facts = append(facts, "returned by "+taker(t))
		}
		for _, t := range a.outline.Takers(m) {
			facts = append(facts, "taken by "+taker(t))
		}
		if len(facts) == 0 {
			facts = []string{"no publisher and no consumer is declared for it"}
		}
		for _, file := range a.schemas(m) {
			facts = append(facts, "its schema is "+file)
		}
		a.add(fmt.Sprintf("message %s, declared at %s", messageText(m), m.Pos), facts...)
	}
}

func (a *answer) exchanges() {
	for _, e := range a.outline.Exchanges {
		isPlace := func(p outline.Place) bool { return p.Name == a.name }
		if e.Name != a.name && !slices.ContainsFunc(e.Places, isPlace) {
			continue
		}
		head := fmt.Sprintf("%s exchange %s", e.Kind, e.Name)
		if e.External {
			head += " of another service"
		}
		var facts []string
		for _, place := range e.Places {
			facts = append(facts, fmt.Sprintf("declared by %s at %s", place.Name, place.Pos))
		}
		for i := range a.outline.Publishers {
			if p := &a.outline.Publishers[i]; p.Exchange == e.Name {
				sent := messageText(p.Message) + withKey(p.Key)
				facts = append(facts, fmt.Sprintf("%s sends %s (%s)", p.Name, sent, p.Pos))
			}
		}
		for _, q := range a.outline.Bound(e.Name) {
			facts = append(facts, "queue "+q.Name+" is bound"+boundWith(q, e.Name))
		}
		a.add(head, facts...)
	}
}

func (a *answer) publishers() {
	for i := range a.outline.Publishers {
		p := &a.outline.Publishers[i]
		if p.Name != a.name {
			continue
		}
		facts := []string{"sends " + messageText(p.Message) + " to " + address(p)}
		if manner := p.Manner(); len(manner) > 0 {
			facts = append(facts, strings.Join(manner, ", "))
		}
		reached := a.outline.Reached(p)
		for _, q := range reached {
			facts = append(facts, "reaches the queue "+q.Name+consumers(q))
		}
		if len(reached) == 0 {
			facts = append(facts, "reaches no queue that is declared here")
		}
		a.add(fmt.Sprintf("publisher %s (flow.%s), declared at %s", p.Name, p.Kind, p.Pos), facts...)
	}
}

func (a *answer) queues() {
	for i := range a.outline.Queues {
		q := &a.outline.Queues[i]
		if !slices.Contains(queueNames(q), a.name) && !slices.ContainsFunc(q.Consumers, a.isConsumer) {
			continue
		}
		head := "queue " + q.Name
		if len(q.Partitions) > 0 {
			head += " in the partitions " + q.Partitions[0] + " to " + q.Partitions[len(q.Partitions)-1]
		}
		if q.External {
			head += " of another service"
		}
		facts := slices.Concat(a.incoming(q), consumed(q), failing(q))
		if len(q.Properties) > 0 {
			facts = append([]string{strings.Join(q.Properties, "; ")}, facts...)
		}
		a.add(head, facts...)
	}
}

func (a *answer) isConsumer(c outline.Consumer) bool {
	return c.Name == a.name || c.Title == a.name || c.Route == a.name
}

// incoming tells what brings messages to a queue.
func (a *answer) incoming(q *outline.Queue) []string {
	var facts []string
	for _, b := range q.Bindings {
		keys := withKey(strings.Join(b.Keys, ", "))
		facts = append(facts, fmt.Sprintf("bound to the exchange %s%s (%s)", b.Exchange, keys, b.Pos))
	}
	for _, p := range a.outline.Reaching(q) {
		facts = append(facts, "filled by "+route(p))
	}
	for _, t := range a.outline.Before(q) {
		facts = append(facts, "filled by "+taker(t))
	}
	return facts
}

// consumed tells who takes the messages of a queue.
func consumed(q *outline.Queue) []string {
	var facts []string
	for i := range q.Consumers {
		c := &q.Consumers[i]
		var takes []string
		for _, m := range c.Takes {
			takes = append(takes, messageText(m))
		}
		fact := fmt.Sprintf("consumed by %s, which takes %s", consumer(c), strings.Join(takes, ", "))
		if c.Returns != nil {
			fact += " and returns " + messageText(*c.Returns)
		}
		if len(c.Load) > 0 {
			fact += "; " + strings.Join(c.Load, ", ")
		}
		facts = append(facts, fact)
	}
	return facts
}

// failing tells what becomes of a message that fails.
func failing(q *outline.Queue) []string {
	var facts []string
	if q.Failure.Words != "" {
		facts = append(facts, "a message that fails "+q.Failure.Words)
	}
	for _, t := range q.Failure.Tries {
		where := "in the consumer"
		if t.In != "" {
			where = "in " + t.In
		}
		facts = append(facts, fmt.Sprintf("  delivery %d after %s %s", t.Number, t.After, where))
	}
	return append(facts,
		"what was given up is in "+span(q.Failure.DeadLetter),
		"what could not be read is in "+span(q.Failure.Parked))
}

func (a *answer) sagas() {
	for _, s := range a.outline.Sagas {
		isAction := func(action outline.Action) bool { return action.Name == a.name }
		if s.Name != a.name && s.Title != a.name && !slices.ContainsFunc(s.Actions, isAction) {
			continue
		}
		var facts []string
		for i, action := range s.Actions {
			fact := fmt.Sprintf("%d. %s (%s)", i+1, action.Name, action.Pos)
			if action.Undo != "" {
				fact += ", undone by " + action.Undo
			}
			facts = append(facts, fact)
		}
		a.add(fmt.Sprintf("saga %s about %s (%s), declared at %s", s.Title, s.Subject, s.Name, s.Pos), facts...)
	}
}
