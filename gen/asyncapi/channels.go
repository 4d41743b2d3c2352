package asyncapi

import (
	"strings"

	"github.com/acemq/acemq-gen/gen/outline"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// site is what a channel stands for.
type site struct {
	kind     string // "exchange", "queue", "reply"
	exchange string
	name     string // the routing key, or the queue
}

// partitionField stands for a partition in an address.
const partitionField = "partition"

// channel returns the name of a channel, which is made where it is not there.
func (b *builder) channel(at site, made channel) string {
	if name, known := b.channels[at]; known {
		return name
	}
	parts := []string{at.kind}
	for _, part := range []string{at.exchange, at.name} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	name := free(b.document.Channels, safe(strings.Join(parts, ".")))
	made.Messages = map[string]reference{}
	b.channels[at] = name
	b.document.Channels[name] = &made
	return name
}

// carry adds messages to a channel, and returns references to them there.
func (b *builder) carry(channel string, messages ...outline.Message) []reference {
	refs := make([]reference, len(messages))
	for i, m := range messages {
		name := b.message(m)
		b.document.Channels[channel].Messages[name] = to("components", "messages", name)
		refs[i] = to("channels", channel, "messages", name)
	}
	return refs
}

// sent returns the channel that a publisher sends to.
func (b *builder) sent(p *outline.Publisher) string {
	if q, found := b.outline.Queue(p.Exchange); found && p.Kind == "Ordered" {
		return b.exchange(outline.Address{Exchange: p.Exchange, Key: "{" + partitionField + "}"}, partitions(q))
	}
	return b.address(p.Address)
}

// address returns the channel of what is sent to an address.
func (b *builder) address(a outline.Address) string {
	if a.Exchange != "" {
		return b.exchange(a, fields(a.Key))
	}
	if q, found := b.outline.Queue(a.Key); found {
		return b.queue(q)
	}
	return b.foreign(a.Key)
}

// exchange returns the channel of an exchange and a routing key.
func (b *builder) exchange(a outline.Address, parameters map[string]parameter) string {
	made := channel{Address: &a.Key, Parameters: parameters}
	if e, found := b.outline.Exchange(a.Exchange); found {
		made.Description = exchangeWords(e)
		made.Bindings = onExchange(e)
	}
	return b.channel(site{"exchange", a.Exchange, a.Key}, made)
}

// queue returns the channel of a queue.
func (b *builder) queue(q *outline.Queue) string {
	address := q.Name
	bound := queueBinding{Name: q.Name}
	made := channel{Address: &address, Description: queueWords(q)}
	if len(q.Partitions) > 0 {
		address += ".{" + partitionField + "}"
		bound.Name = ""
		made.Parameters = partitions(q)
	}
	if strings.ContainsAny(q.Name, "{}") { // AsyncAPI would take what is in the braces for a parameter
		made.Address, made.Parameters = nil, nil
	}
	if !q.External {
		bound.queueLife = owned()
	}
	made.Bindings, made.Queue = onQueue(bound), notes(q, address)
	return b.channel(site{kind: "queue", name: q.Name}, made)
}

// foreign returns the channel of a queue that no flow here declares, named by the key of a publication.
func (b *builder) foreign(key string) string {
	parameters := fields(key)
	bound := queueBinding{Name: key}
	if len(parameters) > 0 {
		bound.Name = ""
	}
	return b.channel(site{kind: "queue", name: key}, channel{
		Address: &key, Description: foreignQueue, Parameters: parameters, Bindings: onQueue(bound),
	})
}

// reply returns the channel of the answers to what is asked in a queue.
func (b *builder) reply(queue string) string {
	return b.channel(site{kind: "reply", name: queue}, channel{
		Description: "The answers. Each connection that asks has a queue of its own for them, which it names in its requests. " +
			"An answer with the header " + wire.HeaderReplyError + " says that the request failed, and has no payload.",
		Bindings: onQueue(queueBinding{queueLife: owned()}),
	})
}

// fields are the parameters of a key.
func fields(key string) map[string]parameter {
	names, err := wire.KeyFields(key)
	if err != nil { // gen/check has refused it
		return nil
	}
	parameters := map[string]parameter{}
	for _, name := range names {
		parameters[name] = parameter{Description: "The field " + name + " of the message."}
	}
	return parameters
}

// partitions are the parameters of what leads to the partitions of an ordered queue.
func partitions(q *outline.Queue) map[string]parameter {
	labels := make([]string, len(q.Partitions))
	for i, queue := range q.Partitions {
		labels[i] = strings.TrimPrefix(queue, q.Name+".")
	}
	return map[string]parameter{partitionField: {
		Enum: labels, Description: "The partition: messages of one key are in the same one, in order.",
	}}
}
