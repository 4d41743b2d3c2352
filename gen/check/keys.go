package check

import (
	"strings"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// publications checks the keys of publications against their exchanges and their messages.
func (c *checker) publications() {
	for i := range c.flow.Publishes {
		p := &c.flow.Publishes[i]
		c.publicationKey(p, c.kind(p.Exchange))
		for _, field := range p.Fields {
			c.keyField(p, field)
		}
	}
}

// kind returns the kind of the exchange that ref names: "default" for the default exchange, "" for one that nobody
// declares.
func (c *checker) kind(ref model.Ref) string {
	if ref.Name == "" {
		return "default"
	}
	if exchange, known := c.flow.Exchange(ref); known {
		return exchange.Kind
	}
	return ""
}

func (c *checker) publicationKey(p *model.Publish, kind string) {
	if _, err := wire.KeyFields(p.Key); err != nil {
		c.report(diag.KeyMalformed, p.KeyPos, "write the name of a field in braces: order.placed.{Region}", "%v", err)
		return
	}
	switch {
	case kind == "" || p.Key == model.Unread:
	case readsNoKey(kind) && p.Key != "":
		c.report(diag.KeyIgnored, p.KeyPos, `write "" for the key, or publish to a topic exchange`,
			"a %s exchange reads no key: %q would have no effect", kind, p.Key)
	case readsNoKey(kind) && p.Schedulable:
		c.report(diag.KeyMissing, p.KeyPos, "publish to a topic or a direct exchange",
			"a message that is delivered later needs a key, and a %s exchange reads none", kind)
	case readsNoKey(kind):
	case p.Key == "" && kind == "default":
		c.report(diag.KeyMissing, p.KeyPos, "write the name of the queue as the key",
			"the key is empty, and the default exchange brings a message to the queue that the key names")
	case p.Key == "":
		c.report(diag.KeyMissing, p.KeyPos, "write a key, such as order.placed",
			"the key is empty, and a %s exchange goes by it", kind)
	case kind == "topic" && strings.ContainsAny(p.Key, "*#"):
		c.report(diag.KeyMalformed, p.KeyPos, `publish with whole words; "*" and "#" belong into flow.Bind`,
			"the key %q is a pattern: a message is published with a key, and bound with a pattern", p.Key)
	default:
		c.keyShape(p.KeyPos, p.Key, kind)
	}
}

// readsNoKey reports whether an exchange of that kind passes messages on whatever their keys are.
func readsNoKey(kind string) bool { return kind == "fanout" || kind == "headers" }

// keyShape checks the length of a key, and its words where the exchange looks at words.
func (c *checker) keyShape(at model.Pos, key, kind string) {
	if err := wire.CheckShort("the key", key); err != nil {
		c.report(diag.NameTooLong, at, "shorten it", "%v", err)
		return
	}
	if kind != "topic" {
		return
	}
	for word := range strings.SplitSeq(key, ".") {
		if word == "" {
			c.report(diag.KeyMalformed, at, "put a word between two dots, and none before the first or after the last",
				"the key %q has an empty word", key)
			return
		}
	}
}

func (c *checker) keyField(p *model.Publish, field model.KeyField) {
	if field.Kind != model.InvalidField {
		return
	}
	help := "fill it from a field that is a string, an integer, or has a String method"
	if field.Near != "" {
		help = "did you mean {" + field.Near + "}?"
	}
	c.report(diag.KeyField, p.KeyPos, help, "{%s} cannot fill the key: %s", field.Name, field.Reason)
}

// boundKeys checks the keys of a flow.Bind.
func (c *checker) boundKeys(b model.Binding, kind string) {
	switch {
	case readsNoKey(kind) && len(b.Keys) > 0:
		c.report(diag.KeyIgnored, b.Pos, "leave the keys out, or bind to a topic exchange",
			"a %s exchange reads no key: %q would have no effect", kind, b.Keys[0])
	case !readsNoKey(kind) && len(b.Keys) == 0:
		c.report(diag.KeyMissing, b.Pos, "add the keys: flow.Bind(Events, \"order.placed\")",
			"the binding has no key, and a %s exchange goes by it", kind)
	case !readsNoKey(kind):
		for _, key := range b.Keys {
			c.boundKey(b.Pos, key, kind)
		}
	}
}

func (c *checker) boundKey(at model.Pos, key, kind string) {
	switch {
	case key == model.Unread:
	case key == "":
		c.report(diag.KeyMissing, at, `write a key; on a topic exchange "#" takes every message`,
			"a key of the binding is empty, and a %s exchange goes by it", kind)
	case strings.ContainsAny(key, "{}"):
		c.report(diag.KeyMalformed, at, `write "*" for one word and "#" for any number of them, or bind with flow.From`,
			"the key %q has a field in it, and a binding has no message to fill it from", key)
	case kind == "direct" && strings.ContainsAny(key, "*#"):
		c.report(diag.KeyMalformed, at, "write the whole key, or use a topic exchange",
			"the key %q is a pattern, and a direct exchange compares whole keys", key)
	case kind == "topic" && brokenPattern(key) != "":
		c.report(diag.KeyMalformed, at, `let "*" and "#" stand for whole words`,
			"the word %q of the key %q is no pattern: the broker would take it literally", brokenPattern(key), key)
	default:
		c.keyShape(at, key, kind)
	}
}

// brokenPattern returns the first word of a key in which a wildcard is only a part.
func brokenPattern(key string) string {
	for word := range strings.SplitSeq(key, ".") {
		if len(word) > 1 && strings.ContainsAny(word, "*#") {
			return word
		}
	}
	return ""
}
