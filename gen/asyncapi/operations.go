package asyncapi

import (
	"strings"

	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/gen/outline"
	"github.com/acemq/acemq-gen/runtime/wire"
)

func (b *builder) operation(name string, o operation) {
	b.document.Operations[free(b.document.Operations, name)] = &o
}

// publisher adds what a publisher sends.
func (b *builder) publisher(p *outline.Publisher) {
	channel := b.sent(p)
	o := operation{
		Action: "send", Channel: to("channels", channel), Title: p.Name, Description: strings.TrimSpace(p.Doc),
		Messages: b.carry(channel, p.Message), Bindings: sending(p.Options), Options: p.Manner(),
	}
	if p.Answer != nil {
		o.Reply = b.answer(p.Key, *p.Answer)
	}
	b.operation("send"+model.Exported(p.Name), o)
}

// consumers adds what the consumers of a queue receive, and what they send.
func (b *builder) consumers(q *outline.Queue) {
	channel := b.queue(q)
	for i := range q.Consumers {
		c := &q.Consumers[i]
		o := operation{
			Action: "receive", Channel: to("channels", channel), Title: title(c), Description: strings.TrimSpace(c.Doc),
			Messages: b.carry(channel, c.Takes...), Bindings: receiving(), Options: c.Load,
		}
		if c.Kind == "Request" {
			o.Reply = b.answer(q.Name, *c.Returns)
		}
		b.operation("receive"+consumerName(c), o)
		if c.Next != "" {
			b.onward(c)
		}
	}
}

// onward adds what a step or a stop passes on.
func (b *builder) onward(c *outline.Consumer) {
	channel := b.address(c.Onward)
	b.operation("send"+consumerName(c), operation{
		Action: "send", Channel: to("channels", channel), Title: title(c), Description: strings.TrimSpace(c.Doc),
		Messages: b.carry(channel, *c.Returns), Bindings: sending(outline.Options{}),
	})
}

// consumerName names a consumer by its variable, and by its step or stop.
func consumerName(c *outline.Consumer) string {
	if c.Route == "" {
		return model.Exported(c.Name)
	}
	return model.Exported(c.Name) + model.Identifier(c.Title)
}

// answer is the reply to what is asked in a queue.
func (b *builder) answer(queue string, m outline.Message) *reply {
	channel := b.reply(queue)
	return &reply{
		Address:  location{"$message.header#/" + wire.HeaderReplyTo, "The queue of the connection that asks."},
		Channel:  to("channels", channel),
		Messages: b.carry(channel, m),
	}
}

func (b *builder) sagas() {
	for _, s := range b.outline.Sagas {
		told := saga{Name: s.Title, Description: strings.TrimSpace(s.Doc), Subject: s.Subject, Actions: []action{}}
		for _, a := range s.Actions {
			told.Actions = append(told.Actions, action{a.Name, a.Undo})
		}
		b.document.Sagas = append(b.document.Sagas, told)
	}
}
