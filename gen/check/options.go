package check

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// limits are the numbers that an option takes.
var limits = map[string]struct{ min, max int64 }{
	"Prefetch":    {1, math.MaxUint16},
	"Concurrency": {1, math.MaxUint16},
	"MaxLength":   {1, math.MaxInt64},
	"Priority":    {0, math.MaxUint8},
}

// options checks the options of every declaration.
func (c *checker) options() {
	for i := range c.flow.Exchanges {
		c.written(c.flow.Exchanges[i].Options)
	}
	for i := range c.flow.Publishes {
		c.written(c.flow.Publishes[i].Options)
		c.together(c.flow.Publishes[i].Options)
	}
	for _, consumer := range c.consumers {
		c.written(consumer.queue.Options)
		c.together(consumer.queue.Options)
		c.described(consumer.queue)
	}
}

// written checks each option by itself, and finds those that are given twice.
func (c *checker) written(options []model.Option) {
	first := map[string]model.Pos{}
	for _, o := range options {
		if at, taken := first[o.Name]; taken {
			c.report(diag.OptionTwice, o.Pos, "keep one of them",
				"flow.%s is given twice", o.Name).Relate(at, "the first time")
			continue
		}
		first[o.Name] = o.Pos
		if limit, limited := limits[o.Name]; limited && (o.Number < limit.min || o.Number > limit.max) {
			c.report(diag.OutOfRange, o.Pos, "",
				"flow.%s is %d, and has to be %s", o.Name, o.Number, span(limit.min, limit.max))
		}
		switch o.Name {
		case "TTL", "Expires", "RetryDelay":
			c.duration(o)
		case "Idempotent":
			if o.Number < 0 {
				c.report(diag.BadDuration, o.Pos, "write a time, or 0 for the default of "+model.DefaultLease.String(),
					"flow.Idempotent is %v, which is no time to wait", time.Duration(o.Number))
			}
		}
	}
}

// duration checks a time that the broker or a consumer has to keep.
func (c *checker) duration(o model.Option) {
	d := time.Duration(o.Number)
	switch {
	case d <= 0:
		c.report(diag.BadDuration, o.Pos, "write 1 ms or more", "flow.%s is %v, which is no time to wait", o.Name, d)
	case d%time.Millisecond != 0:
		c.report(diag.BadDuration, o.Pos, "round it", "flow.%s is %v, and times are whole milliseconds", o.Name, d)
	case d > wire.MaxTTL:
		c.report(diag.BadDuration, o.Pos, "shorten it",
			"flow.%s is %v, and the broker takes %v at most", o.Name, d, wire.MaxTTL)
	}
}

// contradictions are pairs of options that cannot both be kept, with the reason.
var contradictions = []struct{ first, second, why string }{
	{"Retry", "RequeueOnFailure", "flow.RequeueOnFailure has no effect beside flow.Retry"},
	{"Retry", "RetryDelay", "flow.RetryDelay has no effect beside flow.Retry"},
	{"RequeueOnFailure", "RetryDelay", "flow.RetryDelay has no effect beside flow.RequeueOnFailure"},
	{"Outbox", "Optional", "a record of an outbox is done once a queue has its message: flow.Optional cannot be kept"},
	{"Outbox", "Transient", "what an outbox wrote down must not be lost: flow.Transient cannot be kept"},
	{"Outbox", "Expires", "what an outbox wrote down must not be lost: flow.Expires cannot be kept"},
	{"Schedulable", "Optional", "a scheduler keeps a message until a queue takes it: flow.Optional cannot be kept"},
	{"Schedulable", "Transient", "a message that waits to be delivered is on disk: flow.Transient cannot be kept"},
}

// together finds options of one declaration that do not go together.
func (c *checker) together(options []model.Option) {
	at := places(options)
	for _, pair := range contradictions {
		first, has := at[pair.first]
		second, both := at[pair.second]
		if has && both {
			c.report(diag.OptionsContradict, second, "keep one of them", "%s", pair.why).
				Relate(first, "flow."+pair.first+" stands here")
		}
	}
}

// described finds options that describe a queue which somebody else declares.
func (c *checker) described(q *model.Queue) {
	at := places(q.Options)
	for _, name := range strings.Fields("Classic TTL MaxLength SingleActive") {
		if external, is := at["External"]; is && at[name] != (model.Pos{}) {
			c.report(diag.ExternalOption, at[name], "leave it out: the queue is what its owner declared",
				"flow.%s describes the queue %q, which somebody else declares", name, q.Broker).
				Relate(external, "flow.External stands here")
		}
	}
}

// places returns where each option stands.
func places(options []model.Option) map[string]model.Pos {
	at := map[string]model.Pos{}
	for _, o := range options {
		at[o.Name] = o.Pos
	}
	return at
}

// retries checks every policy as the runtime does.
func (c *checker) retries() {
	for _, consumer := range c.consumers {
		r := consumer.queue.Retry
		if r == nil {
			continue
		}
		if _, err := r.Wire().Policy(); err != nil {
			c.report(diag.BadRetry, r.Pos, "", "%s", strings.TrimPrefix(err.Error(), "retry: "))
		}
	}
}

// span writes the numbers from min to max.
func span(min, max int64) string {
	if max == math.MaxInt64 {
		return fmt.Sprintf("%d or more", min)
	}
	return fmt.Sprintf("from %d to %d", min, max)
}
