package outline

import (
	"fmt"
	"slices"

	"github.com/acemq/acemq-gen/gen/model"
)

// Of returns the outline of flows that have no mistakes.
func Of(flows ...*model.Flow) *Outline {
	o := &Outline{}
	for _, flow := range flows {
		b := builder{flow, o}
		b.messages()
		b.exchanges()
		b.publications()
		b.consumers()
		b.pipelines()
		b.slips()
		b.ordered()
		b.requests()
		b.sagas()
	}
	return o
}

// builder adds a flow to an outline.
type builder struct {
	flow    *model.Flow
	outline *Outline
}

func (b builder) place(d model.Decl, kind string) Place {
	return Place{Package: b.flow.Package.Name, Name: d.Name, Doc: d.Doc, Kind: kind, Pos: d.Pos}
}

func (b builder) message(t model.Type) Message {
	if m, marked := b.flow.Message(t); marked {
		return message(m)
	}
	return Message{Go: t.String()}
}

func message(m *model.Message) Message {
	return Message{Go: m.Go.String(), Type: m.Type, Version: m.Version, Pos: m.Pos}
}

func (b builder) messages() {
	for i := range b.flow.Messages {
		m := message(&b.flow.Messages[i])
		if !slices.Contains(b.outline.Messages, m) {
			b.outline.Messages = append(b.outline.Messages, m)
		}
	}
}

func (b builder) exchanges() {
	for _, e := range b.flow.Exchanges {
		b.exchange(e.Broker, e.Kind, e.External, b.place(e.Decl, model.Exported(e.Kind)))
	}
}

// exchange adds an exchange, or another place of one that is there.
func (b builder) exchange(name, kind string, external bool, at Place) {
	if known, found := b.outline.Exchange(name); found {
		known.External = known.External && external
		known.Places = append(known.Places, at)
		return
	}
	b.outline.Exchanges = append(b.outline.Exchanges, Exchange{name, kind, external, []Place{at}})
}

// named returns the name on the broker of an exchange that is used.
func (b builder) named(ref model.Ref) string {
	if e, found := b.flow.Exchange(ref); found {
		return e.Broker
	}
	return ""
}

func (b builder) publisher(p Publisher) { b.outline.Publishers = append(b.outline.Publishers, p) }

func (b builder) publications() {
	for i := range b.flow.Publishes {
		p := &b.flow.Publishes[i]
		b.publisher(Publisher{
			Place: b.place(p.Decl, "Publish"), Message: b.message(p.Message), Address: Address{b.named(p.Exchange), p.Key},
			Options: options(p),
		})
	}
}

func (b builder) consumers() {
	for i := range b.flow.Consumes {
		c := &b.flow.Consumes[i]
		b.consumer(&c.Queue, Consumer{
			Place: b.place(c.Decl, "Consume"), Title: c.Name, Takes: []Message{b.message(c.Message)},
		})
	}
	for i := range b.flow.Dispatches {
		d := &b.flow.Dispatches[i]
		c := Consumer{Place: b.place(d.Decl, "Dispatch"), Title: d.Name}
		for _, taken := range d.Cases {
			c.Takes = append(c.Takes, b.message(taken.Message))
		}
		b.consumer(&d.Queue, c)
	}
}

// consumer adds a consumer of a queue, and the queue where it is not there.
func (b builder) consumer(q *model.Queue, c Consumer) {
	c.Load = load(q)
	added := Queue{Name: q.Broker, Properties: properties(q), External: q.External, Failure: failure(q)}
	for _, binding := range q.Bindings {
		if exchange := b.named(binding.Exchange); exchange != "" {
			added.Bindings = append(added.Bindings, Binding{exchange, binding.Keys, binding.Pos})
		}
	}
	b.queue(added, c)
}

// queue adds a queue and a consumer of it. Where the queue is there, it gets the consumer, and the
// further bindings and rungs.
func (b builder) queue(q Queue, c Consumer) {
	known, found := b.outline.Queue(q.Name)
	if !found {
		q.Consumers = []Consumer{c}
		b.outline.Queues = append(b.outline.Queues, q)
		return
	}
	known.External = known.External && q.External
	known.Consumers = append(known.Consumers, c)
	for _, rung := range q.Failure.Rungs {
		if !slices.Contains(known.Failure.Rungs, rung) {
			known.Failure.Rungs = append(known.Failure.Rungs, rung)
		}
	}
	for _, further := range q.Bindings {
		same := func(have Binding) bool {
			return have.Exchange == further.Exchange && slices.Equal(have.Keys, further.Keys)
		}
		if !slices.ContainsFunc(known.Bindings, same) {
			known.Bindings = append(known.Bindings, further)
		}
	}
}

func (b builder) ordered() {
	for i := range b.flow.Ordered {
		o := &b.flow.Ordered[i]
		at := b.place(o.Decl, "Ordered")
		q := Queue{Name: o.Broker, Properties: []string{fmt.Sprintf("%d partitions", o.Partitions)}}
		if o.SingleActive {
			q.Properties = append(q.Properties, "one active consumer")
		}
		exchange := o.PartitionedBy().PartitionExchange(o.Broker)
		if exchange != "" {
			b.exchange(exchange, "direct", false, at)
		}
		for n := range o.Partitions {
			q.Partitions = append(q.Partitions, o.Queue(n))
		}
		if exchange != "" {
			q.Bindings = []Binding{{Exchange: exchange, Pos: o.Pos}}
		}
		q.Failure = orderedFailure(o, q.Partitions)
		to := Publisher{Place: at, Message: b.message(o.Message), Address: Address{Exchange: exchange}}
		if exchange == "" {
			to.Key = o.Broker
		}
		b.publisher(to)
		b.queue(q, Consumer{Place: at, Title: o.Name, Takes: []Message{b.message(o.Message)}})
	}
}

func (b builder) requests() {
	for i := range b.flow.Requests {
		r := &b.flow.Requests[i]
		at := b.place(r.Decl, "Request")
		answer := b.message(r.Answer.Message)
		b.publisher(Publisher{
			Place: at, Message: b.message(r.Question.Message), Address: Address{Key: r.Queue.Broker}, Answer: &answer,
		})
		q := r.Queue
		if q.Retry == nil && q.RetryDelay == 0 { // runtime/request takes the first failure for the last
			q.Retry = &model.Retry{Constructor: "NoRetry"}
		}
		b.consumer(&q, Consumer{
			Place: at, Title: r.Name, Takes: []Message{b.message(r.Question.Message)}, Returns: &answer,
		})
	}
}

func (b builder) sagas() {
	for i := range b.flow.Sagas {
		s := &b.flow.Sagas[i]
		saga := Saga{Place: b.place(s.Decl, "Saga"), Title: s.Title, Subject: s.Subject.String()}
		for _, a := range s.Actions {
			action := Action{Name: a.Name, Pos: a.Pos}
			if a.Undo != nil {
				action.Undo = a.Undo.Name
			}
			saga.Actions = append(saga.Actions, action)
		}
		b.outline.Sagas = append(b.outline.Sagas, saga)
	}
}
