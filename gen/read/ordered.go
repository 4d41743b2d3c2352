package read

import (
	"go/ast"
	"go/types"
	"strings"
	"time"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// The constants of runtime/flow, in their order.
var (
	forms        = strings.Fields("Declared Itinerary")
	failureModes = strings.Fields("Halt RetryInPlace Skip")
	partitioners = strings.Fields("DotNet Java Unsigned")
)

func (r *reader) ordered(d declaredSpec) {
	o := model.Ordered{
		Broker: r.text(d.call, 0), BrokerPos: r.pkg.Pos(d.call.at(0)), PartitionsPos: r.pkg.Pos(d.call.at(1)),
	}
	o.Decl = r.decl(d, model.Identifier(o.Broker))
	o.Partitions = 1 // where it cannot be read
	if n, read := r.number(d.call, 1); read {
		o.Partitions = int(n)
	}
	message := r.keyedMessage(d.call)
	o.Message, o.MessagePos = message.Message, message.Pos
	o.Key = r.function(d.call, 2)
	for _, option := range r.options(d.call, 3) {
		r.orderedOption(&o, d.call, option)
	}
	r.flow.Ordered = append(r.flow.Ordered, o)
}

// keyedMessage returns the message of a flow.Ordered, whose type is mostly that of the key's parameter. Where the key is
// of a wrong shape, there is no type to judge.
func (r *reader) keyedMessage(c call) model.Case {
	if len(c.argExprs)+len(c.args) == 0 {
		return model.Case{Pos: r.pkg.Pos(c.Pos())}
	}
	return r.messageCase(c, 0)
}

func (r *reader) orderedOption(o *model.Ordered, c, option call) {
	read, known := r.option(option)
	if !known {
		return
	}
	switch option.function {
	case "OnFailure":
		o.Failure = r.failure(option)
	case "PartitionedAs":
		if n, read := r.oneOf(option, 0, partitioners); read {
			partitioner := wire.Partitioner(n)
			o.Partitioner = &partitioner
		}
	case "SingleActive":
		o.SingleActive = true
	case "Idempotent":
		o.Idempotent = lease(read)
	case "Concurrency", "Prefetch":
		r.report(diag.WrongOption, option.Pos(), "take it out, and use more partitions to handle more at once",
			"flow.%s is not an option of flow.Ordered: a partition handles one message at a time, or the order is lost",
			option.function)
		return
	default:
		r.wrongOption(c, option)
		return
	}
	o.Options = append(o.Options, read)
}

// failure reads flow.OnFailure.
func (r *reader) failure(c call) model.Failure {
	mode, isMode := r.oneOf(c, 0, failureModes)
	attempts, isCount := r.number(c, 1)
	delay, isTime := r.number(c, 2)
	if !isMode || !isCount || !isTime {
		return model.Failure{}
	}
	return model.Failure{
		Pos: r.pkg.Pos(c.Pos()), Mode: failureModes[mode], Attempts: int(attempts), Delay: time.Duration(delay),
	}
}

// oneOf reads an argument that is one of the constants of runtime/flow, which are numbered from 0 as names are.
func (r *reader) oneOf(c call, i int, names []string) (n int, read bool) {
	value, read := r.number(c, i)
	if read && (value < 0 || value >= int64(len(names))) {
		r.report(diag.OutOfRange, c.at(i), "write flow."+strings.Join(names, " or flow."),
			"flow.%s is given %d, which is none of its constants", c.function, value)
		return 0, false
	}
	return int(value), read
}

// function reads the key of an ordered queue: a named function, or a method expression.
func (r *reader) function(c call, i int) model.Function {
	e, given := c.arg(i)
	if !given {
		return model.Function{}
	}
	if fault := r.wrongKey(e); fault != "" {
		r.report(diag.KeyFunction, e.Pos(),
			"name a function or a method of the message: func (e LedgerEntry) Account() string, as LedgerEntry.Account",
			"%s", fault)
		r.refused = append(r.refused, span{c.Pos(), c.End()})
		return model.Function{}
	}
	name := nameOf(e)
	fn, is := r.pkg.Info.Uses[name].(*types.Func)
	if !is || fn.Pkg() == nil {
		return model.Function{} // the compiler reports it
	}
	at := r.pkg.Pos(e.Pos())
	if fn.Signature().Recv() != nil {
		return model.Function{Pos: at, Of: r.receiver(e), Method: fn.Name()}
	}
	of := model.Type{Path: fn.Pkg().Path(), Package: fn.Pkg().Name(), Name: fn.Name()}
	of.Name += r.typeArguments(r.pkg.Info.Instances[name].TypeArgs)
	return model.Function{Pos: at, Of: of}
}

// receiver returns the type of a method expression, the zero Type for a pointer, which is no message either.
func (r *reader) receiver(e ast.Expr) model.Type {
	if selector, is := ast.Unparen(e).(*ast.SelectorExpr); is {
		if named, is := types.Unalias(r.pkg.Info.TypeOf(selector.X)).(*types.Named); is {
			return r.typeOf(named)
		}
	}
	return model.Type{}
}

// wrongKey says why an expression cannot be the key of an ordered queue, "" where it can.
func (r *reader) wrongKey(e ast.Expr) string {
	name := nameOf(e)
	if name == nil {
		return "the key of an ordered queue is written in place: the generator can repeat only what has a name"
	}
	fn, is := r.pkg.Info.Uses[name].(*types.Func)
	if !is {
		if r.pkg.Info.Uses[name] == nil {
			return "" // the compiler reports it
		}
		return "the key of an ordered queue is a function of its messages, and " + name.Name + " is none"
	}
	sig, is := r.pkg.Info.TypeOf(e).(*types.Signature)
	switch {
	case !is:
		return ""
	case fn.Signature().Recv() != nil && sig.Params().Len() == fn.Signature().Params().Len():
		return name.Name + " is a method of one value: the key of an ordered queue takes the message"
	case sig.Params().Len() != 1 || sig.Variadic() || sig.Results().Len() != 1 ||
		!types.Identical(sig.Results().At(0).Type(), types.Typ[types.String]):
		return "the key of an ordered queue is a func(message) string, and " + name.Name + " is " +
			strings.Replace(r.display(sig), "func", "a func", 1)
	}
	return ""
}
