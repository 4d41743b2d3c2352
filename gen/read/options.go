package read

import (
	"cmp"
	"go/ast"
	"strings"
	"time"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// options returns the options of a call, from argument i on. They are calls themselves; anything else is reported.
func (r *reader) options(c call, i int) []call {
	var options []call
	for j := i; j < len(c.Args); j++ {
		o, is := r.callOf(c.Args[j])
		switch {
		case is && !c.Ellipsis.IsValid():
			options = append(options, o)
		case !r.failsIn(c.Args[j]):
			r.report(diag.NotACall, c.Args[j].Pos(), "write the option in place: flow.Prefetch(50)",
				"the generator cannot see into this option of flow.%s: it is not a call of runtime/flow", c.function)
		}
	}
	return options
}

// option keeps an option as it was written. It reports false where its number cannot be read.
func (r *reader) option(o call) (model.Option, bool) {
	option, read := model.Option{Pos: r.pkg.Pos(o.Pos()), Name: o.function}, true
	switch o.function {
	case "TTL", "Expires", "RetryDelay", "Prefetch", "Concurrency", "MaxLength", "Priority", "Idempotent":
		option.Number, read = r.number(o, 0)
	}
	return option, read
}

// wrongOption reports an option of another construct. The compiler refuses it too, in its own words.
func (r *reader) wrongOption(c, o call) {
	help := "see the documentation of flow." + c.function + " for its options"
	switch o.function {
	case "NoRetry", "Exponential", "Fixed":
		help = "a retry policy stands in flow.Retry: flow.Retry(flow." + o.function + "(…))"
	}
	r.report(diag.WrongOption, o.Pos(), help, "flow.%s is not an option of flow.%s", o.function, c.function)
}

// publishOption reads an option of flow.Publish.
func (r *reader) publishOption(p *model.Publish, c, o call) {
	option, read := r.option(o)
	if !read {
		return
	}
	switch o.function {
	case "Optional":
		p.Optional = true
	case "Transient":
		p.Transient = true
	case "Expires":
		p.Expires = time.Duration(option.Number)
	case "Priority":
		p.Priority = int(option.Number)
	case "Outbox":
		p.Outbox = true
	case "Schedulable":
		p.Schedulable = true
	default:
		r.wrongOption(c, o)
		return
	}
	p.Options = append(p.Options, option)
}

// queueOption reads an option of flow.Consume or flow.Dispatch.
func (r *reader) queueOption(q *model.Queue, c, o call) {
	option, read := r.option(o)
	if !read {
		return
	}
	switch o.function {
	case "From":
		r.from(q, o)
		return
	case "Bind":
		r.bind(q, o)
		return
	case "RequeueOnFailure":
		q.RequeueOnFailure = true
	default:
		if !declarationOption(q, option) && !r.handlerOption(q, option, o) {
			r.wrongOption(c, o)
			return
		}
	}
	q.Options = append(q.Options, option)
}

// ownQueueOption reads an option of a call whose queue is its own: it says how messages are handled, and nothing else.
func (r *reader) ownQueueOption(q *model.Queue, c, o call) {
	option, read := r.option(o)
	switch {
	case !read:
	case r.handlerOption(q, option, o):
		q.Options = append(q.Options, option)
	default:
		r.wrongOption(c, o)
	}
}

// handlerOption reads an option that says how messages are handled, wherever they are.
func (r *reader) handlerOption(q *model.Queue, option model.Option, o call) bool {
	switch option.Name {
	case "Retry":
		q.Retry = r.retry(o)
	case "Prefetch":
		q.Prefetch = int(option.Number)
	case "Concurrency":
		q.Concurrency = int(option.Number)
	case "RetryDelay":
		q.RetryDelay = time.Duration(option.Number)
	case "Idempotent":
		q.Idempotent = lease(option)
	default:
		return false
	}
	return true
}

// lease returns the time that flow.Idempotent gives a handler.
func lease(option model.Option) time.Duration {
	return cmp.Or(time.Duration(option.Number), model.DefaultLease)
}

// declarationOption reads an option that says how the queue is declared on the broker.
func declarationOption(q *model.Queue, option model.Option) bool {
	switch option.Name {
	case "External":
		q.External = true
	case "Classic":
		q.Classic = true
	case "SingleActive":
		q.SingleActive = true
	case "TTL":
		q.TTL = time.Duration(option.Number)
	case "MaxLength":
		q.MaxLength = option.Number
	default:
		return false
	}
	return true
}

// from reads flow.From: the exchange of a publication, and the pattern of its key.
func (r *reader) from(q *model.Queue, o call) {
	e, given := o.arg(0)
	if !given {
		return
	}
	name := nameOf(e)
	if name == nil || r.declared[r.pkg.Info.Uses[name]].construct != "Publish" {
		r.notDeclared(e, "a publication", "name the variable of a flow.Publish of this package, "+
			"or bind to the exchange with flow.Bind")
		return
	}
	ref := model.Ref{Pos: r.pkg.Pos(e.Pos()), Name: r.declared[r.pkg.Info.Uses[name]].name}
	b := model.Binding{Pos: r.pkg.Pos(o.Pos()), Publication: &ref}
	if p, known := r.flow.Publication(ref); known {
		b.Exchange = p.Exchange
		b.Keys = r.pattern(p)
	}
	q.Bindings = append(q.Bindings, b)
}

// pattern returns the keys that bind a queue to what a publication sends: none where its exchange reads no key.
func (r *reader) pattern(p *model.Publish) []string {
	exchange, known := r.flow.Exchange(p.Exchange)
	if !known || exchange.Kind == "fanout" || exchange.Kind == "headers" {
		return nil
	}
	return []string{wire.KeyPattern(p.Key)}
}

// bind reads flow.Bind.
func (r *reader) bind(q *model.Queue, o call) {
	b := model.Binding{Pos: r.pkg.Pos(o.Pos()), Exchange: r.exchangeRef(o, 0)}
	if o.Ellipsis.IsValid() {
		r.report(diag.NotConstant, o.at(1), "write the keys one by one", "the keys of flow.Bind are not constants")
		return
	}
	for i := 1; i < len(o.Args); i++ {
		b.Keys = append(b.Keys, r.text(o, i))
	}
	q.Bindings = append(q.Bindings, b)
}

// retry reads flow.Retry, nil where its policy cannot be read.
func (r *reader) retry(o call) *model.Retry {
	e, given := o.arg(0)
	if !given {
		return nil
	}
	return r.policy(e)
}

// policy reads a constructor of a policy with the methods behind it.
func (r *reader) policy(e ast.Expr) *model.Retry {
	c, is := r.callOf(e)
	if !is {
		if !r.failsIn(e) {
			r.report(diag.NotACall, e.Pos(), "write the policy in place: flow.Retry(flow.Fixed(3, time.Second))",
				"the generator cannot see into this retry policy: it is not a call of runtime/flow")
		}
		return nil
	}
	if isMethod(c.function) {
		return r.policyMethod(c)
	}
	p := &model.Retry{Pos: r.pkg.Pos(c.Pos()), Constructor: c.function}
	count, known := policies[c.function]
	if !known { // not a policy, which the compiler reports
		return nil
	}
	numbers, read := [3]int64{1}, true
	for i := range count {
		n, is := r.number(c, i)
		numbers[i], read = n, read && is
	}
	if !read {
		return nil
	}
	p.Attempts, p.Initial, p.Limit = int(numbers[0]), time.Duration(numbers[1]), time.Duration(numbers[2])
	return p
}

// policies are the constructors of policies, with how many arguments each has: attempts, delay, limit.
var policies = map[string]int{"NoRetry": 0, "Fixed": 2, "Exponential": 3}

// policyMethod reads `policy.GiveUpAfter(d)` and its kin.
func (r *reader) policyMethod(c call) *model.Retry {
	selector, is := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !is {
		return nil
	}
	p := r.policy(selector.X)
	if p == nil {
		return nil
	}
	method := strings.TrimPrefix(c.function, "Policy.")
	if method == "Jitter" {
		factor, read := r.factor(c, 0)
		if !read {
			return nil
		}
		p.Jitter = &factor
		return p
	}
	n, read := r.number(c, 0)
	if !read {
		return nil
	}
	switch d := time.Duration(n); method {
	case "GiveUpAfter":
		p.GiveUpAfter = &d
	case "WaitInBrokerFrom":
		p.BrokerFrom = &d
	}
	return p
}
