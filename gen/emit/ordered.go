package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/acemq/acemq-gen/gen/model"
)

// ordered prints the ordered queues of a flow, in the order of its declarations.
func ordered(s *source) []jen.Code {
	var code []jen.Code
	for i := range s.flow.Ordered {
		o := &s.flow.Ordered[i]
		code = append(code, s.orderedPublisher(o), s.orderedConstructor(o), s.orderedPublish(o), s.orderedConsume(o),
			s.orderedRoute(o))
	}
	return code
}

// orderedPublisher is
//
//	type LedgerPublisher struct {
//		publisher *ordered.Publisher[LedgerEntry]
//	}
func (s *source) orderedPublisher(o *model.Ordered) *jen.Statement {
	name := o.Names().Publisher
	message := s.imports.typeName(o.Message)
	return doc(fmt.Sprintf("%s sends %s to the %s: messages of the same %s keep their order. It may be used concurrently.",
		name, s.messageWords(o.Message), partitionWords(o), s.functionName(o.Key))).Line().
		Type().Id(name).Struct(
		jen.Id("publisher").Op("*").Add(s.imports.of(orderedPath, "Publisher")).Index(jen.Id(message)),
	)
}

// orderedConstructor is
//
//	func NewLedgerPublisher(conn *acemq.Conn) *LedgerPublisher {
//		return &LedgerPublisher{ordered.NewPublisher(conn, ledgerRoute)}
//	}
func (s *source) orderedConstructor(o *model.Ordered) *jen.Statement {
	names := o.Names()
	return doc(names.Constructor + " returns a publisher on conn.").Line().
		Func().Id(names.Constructor).Params(s.conn()).Op("*").Id(names.Publisher).Block(
		jen.Return(jen.Op("&").Id(names.Publisher).Values(
			s.imports.of(orderedPath, "NewPublisher").Call(jen.Id("conn"), jen.Id(names.Route)),
		)),
	)
}

// orderedPublish is
//
//	func (p *LedgerPublisher) Publish(ctx context.Context, m LedgerEntry,
//		opts ...acemq.PublishOption) (partition int, err error) {
//		return p.publisher.Publish(ctx, m, opts...)
//	}
func (s *source) orderedPublish(o *model.Ordered) *jen.Statement {
	return doc("Publish sends m to the partition of its key, and returns that partition once the broker has confirmed m. The "+
		"next message of the key keeps the order when it is sent after that.").Line().
		Func().Params(jen.Id("p").Op("*").Id(o.Names().Publisher)).Id("Publish").
		Params(s.ctx(), jen.Id("m").Id(s.imports.typeName(o.Message)), s.options("PublishOption")).
		Params(jen.Id("partition").Int(), jen.Id("err").Error()).
		Block(jen.Return(publisherCall("Publish", "m")))
}

// orderedConsume is
//
//	func ConsumeLedger(ctx context.Context, conn *acemq.Conn, handler ordered.Handler[LedgerEntry],
//		opts ...ordered.Option) (*ordered.Consumer, error) {
//		return ordered.Consume(ctx, conn, ledgerRoute.Declaration, handler, opts...)
//	}
func (s *source) orderedConsume(o *model.Ordered) *jen.Statement {
	names := o.Names()
	message := s.imports.typeName(o.Message)
	paragraphs := opening(o.Name, names.Consume, o.Doc, "consumes "+message+" in order.")
	paragraphs = append(paragraphs,
		"It takes "+s.messageWords(o.Message)+" from the "+partitionWords(o)+", one at a time and in order from each. "+
			haltWords(o), lifeWords)
	return doc(paragraphs...).Line().
		Func().Id(names.Consume).Params(
		s.ctx(), s.conn(),
		jen.Id("handler").Add(s.imports.of(orderedPath, "Handler")).Index(jen.Id(message)),
		jen.Id("opts").Op("...").Add(s.imports.of(orderedPath, "Option")),
	).Params(jen.Op("*").Add(s.imports.of(orderedPath, "Consumer")), jen.Error()).Block(
		jen.Return(s.imports.of(orderedPath, "Consume").Call(
			jen.Id("ctx"), jen.Id("conn"), jen.Id(names.Route).Dot("Declaration"), jen.Id("handler"), jen.Id("opts").Op("..."),
		)),
	)
}

// orderedRoute is
//
//	var ledgerRoute = ordered.Route[LedgerEntry]{
//		Declaration: ordered.Declaration{Name: "ledger", Partitions: 8},
//		Key:         LedgerEntry.Account,
//		Type:        "ledger.entry",
//		Version:     1,
//	}
func (s *source) orderedRoute(o *model.Ordered) *jen.Statement {
	fields := []jen.Code{
		field("Declaration", s.orderedDeclaration(o)),
		field("Key", jen.Id(s.functionName(o.Key))),
	}
	if m, marked := s.flow.Message(o.Message); marked {
		fields = append(fields, field("Type", jen.Lit(m.Type)), field("Version", jen.Lit(m.Version)))
	}
	return jen.Var().Id(o.Names().Route).Op("=").Add(s.imports.of(orderedPath, "Route")).
		Index(jen.Id(s.imports.typeName(o.Message))).Add(lines(fields...))
}

// orderedDeclaration is
//
//	ordered.Declaration{
//		Name:       "ledger",
//		Partitions: 8,
//		OnFailure:  ordered.Skip,
//		Attempts:   3,
//		Delay:      time.Second,
//	}
func (s *source) orderedDeclaration(o *model.Ordered) *jen.Statement {
	fields := []jen.Code{field("Name", jen.Lit(o.Broker)), field("Partitions", jen.Lit(o.Partitions))}
	if o.Partitioner != nil {
		fields = append(fields, field("Partitioner", s.imports.of(wirePath, o.Partitioner.String())))
	}
	if o.Failure.Mode != "" {
		fields = append(fields,
			field("OnFailure", s.imports.of(orderedPath, o.Failure.Mode)),
			field("Attempts", jen.Lit(o.Failure.Attempts)))
	}
	if o.Failure.Delay != 0 {
		fields = append(fields, field("Delay", s.duration(o.Failure.Delay)))
	}
	if o.SingleActive {
		fields = append(fields, field("SingleActive", jen.True()))
	}
	if o.Idempotent != 0 {
		fields = append(fields, field("Idempotent", s.duration(o.Idempotent)))
	}
	return s.imports.of(orderedPath, "Declaration").Add(lines(fields...))
}

// functionName spells a function as the file has to: `LedgerEntry.Account`.
func (s *source) functionName(f model.Function) string {
	if f.Method == "" {
		return s.imports.typeName(f.Of)
	}
	return s.imports.typeName(f.Of) + "." + f.Method
}

// partitionWords names the queues of an ordered queue.
func partitionWords(o *model.Ordered) string {
	if o.Partitions == 1 {
		return fmt.Sprintf("queue %q", o.Queue(0))
	}
	return fmt.Sprintf("%d queues %q to %q", o.Partitions, o.Queue(0), o.Queue(o.Partitions-1))
}
