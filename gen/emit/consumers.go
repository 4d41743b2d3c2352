package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/acemq/acemq-gen/gen/model"
)

// consumers prints what a flow consumes: first the consumers of one type, then the dispatchers, each in the order of
// their declarations.
func consumers(s *source) []jen.Code {
	var code []jen.Code
	for i := range s.flow.Consumes {
		c := &s.flow.Consumes[i]
		code = append(code, s.consume(c), s.replay(c), s.queue(c.Names().Queue, &c.Queue))
	}
	for i := range s.flow.Dispatches {
		d := &s.flow.Dispatches[i]
		code = append(code, s.handler(d), s.dispatch(d), s.replayAny(d))
		for j := range d.Cases {
			code = append(code, s.replayCase(d, j))
		}
		code = append(code, s.queue(d.Names().Queue, &d.Queue))
	}
	return code
}

// consume is
//
//	func ConsumeBilling(ctx context.Context, conn *acemq.Conn, handler acemq.Handler[OrderPlaced],
//		opts ...acemq.ConsumeOption) (*acemq.Consumer, error) {
//		return acemq.Consume(ctx, conn, billingQueue, handler, opts...)
//	}
func (s *source) consume(c *model.Consume) *jen.Statement {
	names := c.Names()
	message := s.imports.typeName(c.Message)
	paragraphs := opening(c.Name, names.Consume, c.Doc, "consumes "+message+".")
	paragraphs = append(paragraphs,
		takesWords(s.messageWords(c.Message), "One that cannot be read", &c.Queue), lifeWords)
	handler := s.imports.of(runtimePath, "Handler").Index(jen.Id(message))
	return doc(paragraphs...).Line().
		Func().Id(names.Consume).Params(s.consumeParams(handler)...).Add(s.consumeResults()).Block(
		jen.Return(s.imports.of(runtimePath, "Consume").Call(
			jen.Id("ctx"), jen.Id("conn"), jen.Id(names.Queue), jen.Id("handler"), jen.Id("opts").Op("..."),
		)),
	)
}

// consumeParams are `ctx context.Context, conn *acemq.Conn, handler …, opts ...acemq.ConsumeOption`.
func (s *source) consumeParams(handler jen.Code) []jen.Code {
	return []jen.Code{s.ctx(), s.conn(), jen.Id("handler").Add(handler), s.options("ConsumeOption")}
}

// consumeResults are `(*acemq.Consumer, error)`.
func (s *source) consumeResults() *jen.Statement {
	return jen.Params(jen.Op("*").Add(s.imports.of(runtimePath, "Consumer")), jen.Error())
}

// handler is
//
//	type AuditHandler interface {
//		// OrderPlaced takes order.placed, version 1.
//		OrderPlaced(ctx context.Context, m *acemq.Message[OrderPlaced]) acemq.Ack
//	}
func (s *source) handler(d *model.Dispatch) *jen.Statement {
	names := d.Names()
	methods := make([]jen.Code, len(d.Cases))
	for i, c := range d.Cases {
		method := jen.Null()
		if m, marked := s.flow.Message(c.Message); marked {
			method = doc(fmt.Sprintf("%s takes %s, version %d.", names.Methods[i], m.Type, m.Version)).Line()
		}
		message := s.imports.of(runtimePath, "Message").Index(jen.Id(s.imports.typeName(c.Message)))
		methods[i] = method.Id(names.Methods[i]).
			Params(s.ctx(), jen.Id("m").Op("*").Add(message)).
			Add(s.imports.of(runtimePath, "Ack"))
	}
	return doc(fmt.Sprintf("%s takes the messages of the queue %q, a method a type.", names.Handler, d.Queue.Broker)).
		Line().Type().Id(names.Handler).Interface(methods...)
}

// dispatch is
//
//	func ConsumeAudit(ctx context.Context, conn *acemq.Conn, handler AuditHandler,
//		opts ...acemq.ConsumeOption) (*acemq.Consumer, error) {
//		return acemq.Dispatch(ctx, conn, auditQueue, []acemq.Case{
//			acemq.On("order.placed", 1, handler.OrderPlaced),
//		}, opts...)
//	}
func (s *source) dispatch(d *model.Dispatch) *jen.Statement {
	names := d.Names()
	var words []string
	var cases []jen.Code
	for i, c := range d.Cases {
		words = append(words, s.messageWords(c.Message))
		if m, marked := s.flow.Message(c.Message); marked {
			cases = append(cases, s.imports.of(runtimePath, "On").Call(
				jen.Lit(m.Type), jen.Lit(m.Version), jen.Id("handler").Dot(names.Methods[i])))
		}
	}
	paragraphs := opening(d.Name, names.Consume, d.Doc, "consumes the messages that "+names.Handler+" takes.")
	paragraphs = append(paragraphs,
		takesWords(listed(words), "One of another type, and one that cannot be read,", &d.Queue), lifeWords)
	return doc(paragraphs...).Line().
		Func().Id(names.Consume).Params(s.consumeParams(jen.Id(names.Handler))...).Add(s.consumeResults()).Block(
		jen.Return(s.imports.of(runtimePath, "Dispatch").Call(
			jen.Id("ctx"), jen.Id("conn"), jen.Id(names.Queue),
			jen.Index().Add(s.imports.of(runtimePath, "Case")).Add(lines(cases...)),
			jen.Id("opts").Op("..."),
		)),
	)
}

// queue is
//
//	var billingQueue = acemq.Queue{
//		Name:     "billing.orders",
//		Retry:    acemq.Exponential(5, time.Second, time.Minute),
//		Prefetch: 50,
//	}
func (s *source) queue(name string, q *model.Queue) *jen.Statement {
	return jen.Var().Id(name).Op("=").Add(s.imports.of(runtimePath, "Queue")).Add(lines(s.queueFields(q)...))
}

// queueFields are the name of a queue and its settings.
func (s *source) queueFields(q *model.Queue) []jen.Code {
	return append([]jen.Code{field("Name", jen.Lit(q.Broker))}, s.settings(q)...)
}

// settings are the fields of an acemq.Queue that a declaration says something about, without its name.
func (s *source) settings(q *model.Queue) []jen.Code {
	var fields []jen.Code
	if q.Retry != nil {
		fields = append(fields, field("Retry", s.policy(q.Retry)))
	}
	if q.Prefetch != 0 {
		fields = append(fields, field("Prefetch", jen.Lit(q.Prefetch)))
	}
	if q.Concurrency != 0 {
		fields = append(fields, field("Concurrency", jen.Lit(q.Concurrency)))
	}
	if q.RetryDelay != 0 {
		fields = append(fields, field("RetryDelay", s.duration(q.RetryDelay)))
	}
	if q.RequeueOnFailure {
		fields = append(fields, field("RequeueOnFailure", jen.True()))
	}
	if q.Idempotent != 0 {
		fields = append(fields, field("Idempotent", s.duration(q.Idempotent)))
	}
	return fields
}
