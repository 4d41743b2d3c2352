package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/acemq/acemq-gen/gen/model"
)

// publishers prints what a flow publishes, in the order of its declarations.
func publishers(s *source) []jen.Code {
	var code []jen.Code
	for i := range s.flow.Publishes {
		p := &s.flow.Publishes[i]
		code = append(code, s.publisherType(p), s.publisherConstructor(p),
			s.publish(p), s.publishAll(p), s.publishAsync(p))
		if p.Schedulable {
			code = append(code, s.publishAfter(p), s.publishAt(p))
		}
		if p.Outbox {
			code = append(code, s.record(p))
		}
		code = append(code, s.route(p))
	}
	return code
}

// publisherType is
//
//	type PlacedPublisher struct {
//		publisher *acemq.Publisher[OrderPlaced]
//	}
func (s *source) publisherType(p *model.Publish) *jen.Statement {
	name := p.Names().Publisher
	message := s.imports.typeName(p.Message)
	paragraphs := opening(p.Name, name, p.Doc, "publishes "+message+".")
	paragraphs = append(paragraphs, s.destination(p)+" It may be used concurrently.")
	return doc(paragraphs...).Line().
		Type().Id(name).Struct(
		jen.Id("publisher").Op("*").Add(s.imports.of(runtimePath, "Publisher")).Index(jen.Id(message)),
	)
}

// publisherConstructor is
//
//	func NewPlacedPublisher(conn *acemq.Conn) *PlacedPublisher {
//		return &PlacedPublisher{acemq.NewPublisher(conn, placedRoute)}
//	}
func (s *source) publisherConstructor(p *model.Publish) *jen.Statement {
	names := p.Names()
	return doc(names.Constructor + " returns a publisher on conn.").Line().
		Func().Id(names.Constructor).Params(s.conn()).Op("*").Id(names.Publisher).Block(
		jen.Return(jen.Op("&").Id(names.Publisher).Values(
			s.imports.of(runtimePath, "NewPublisher").Call(jen.Id("conn"), jen.Id(names.Route)),
		)),
	)
}

// publish is
//
//	func (p *PlacedPublisher) Publish(ctx context.Context, m OrderPlaced, opts ...acemq.PublishOption) error {
//		return p.publisher.Publish(ctx, m, opts...)
//	}
func (s *source) publish(p *model.Publish) *jen.Statement {
	outcome := " and routed it to a queue."
	if p.Optional {
		outcome = ", whether a queue takes it or not."
	}
	return doc("Publish sends m and returns once the broker has confirmed it"+outcome).Line().
		Func().Add(receiver(p)).Id("Publish").
		Params(s.ctx(), s.payload(p), s.options("PublishOption")).Error().
		Block(jen.Return(publisherCall("Publish", "m")))
}

// publishAll is
//
//	func (p *PlacedPublisher) PublishAll(ctx context.Context, ms []OrderPlaced, opts ...acemq.PublishOption) error {
//		return p.publisher.PublishAll(ctx, ms, opts...)
//	}
func (s *source) publishAll(p *model.Publish) *jen.Statement {
	return doc("PublishAll sends ms and returns once the broker has answered for each of them. An *"+
		s.imports.name(runtimePath)+".BatchError says which failed.").Line().
		Func().Add(receiver(p)).Id("PublishAll").
		Params(s.ctx(), jen.Id("ms").Index().Id(s.imports.typeName(p.Message)), s.options("PublishOption")).Error().
		Block(jen.Return(publisherCall("PublishAll", "ms")))
}

// publishAsync is
//
//	func (p *PlacedPublisher) PublishAsync(ctx context.Context, m OrderPlaced,
//		opts ...acemq.PublishOption) (*acemq.Confirmation, error) {
//		return p.publisher.PublishAsync(ctx, m, opts...)
//	}
func (s *source) publishAsync(p *model.Publish) *jen.Statement {
	return doc("PublishAsync sends m and returns without waiting for the broker's answer, which is the confirmation's.").Line().
		Func().Add(receiver(p)).Id("PublishAsync").
		Params(s.ctx(), s.payload(p), s.options("PublishOption")).
		Params(jen.Op("*").Add(s.imports.of(runtimePath, "Confirmation")), jen.Error()).
		Block(jen.Return(publisherCall("PublishAsync", "m")))
}

// publishAfter is
//
//	func (p *DuePublisher) PublishAfter(ctx context.Context, d time.Duration, m Invoice,
//		opts ...acemq.PublishOption) error {
//		return schedule.After(ctx, p.publisher, d, m, opts...)
//	}
func (s *source) publishAfter(p *model.Publish) *jen.Statement {
	return doc("PublishAfter sends m once d has passed, and returns once the broker has confirmed that it waits. Some process "+
		"has to call "+s.imports.name(schedulePath)+".Run.").Line().
		Func().Add(receiver(p)).Id("PublishAfter").
		Params(s.ctx(), jen.Id("d").Add(s.imports.of(timePath, "Duration")), s.payload(p), s.options("PublishOption")).Error().
		Block(jen.Return(s.scheduleCall("After", "d")))
}

// publishAt is
//
//	func (p *DuePublisher) PublishAt(ctx context.Context, due time.Time, m Invoice,
//		opts ...acemq.PublishOption) error {
//		return schedule.At(ctx, p.publisher, due, m, opts...)
//	}
func (s *source) publishAt(p *model.Publish) *jen.Statement {
	return doc("PublishAt is PublishAfter for a moment. One that is past sends m at once.").Line().
		Func().Add(receiver(p)).Id("PublishAt").
		Params(s.ctx(), jen.Id("due").Add(s.imports.of(timePath, "Time")), s.payload(p), s.options("PublishOption")).Error().
		Block(jen.Return(s.scheduleCall("At", "due")))
}

// scheduleCall is `schedule.After(ctx, p.publisher, d, m, opts...)`.
func (s *source) scheduleCall(function, when string) *jen.Statement {
	return s.imports.of(schedulePath, function).
		Call(jen.Id("ctx"), jen.Id("p").Dot("publisher"), jen.Id(when), jen.Id("m"), jen.Id("opts").Op("..."))
}

// record is
//
//	func PlacedRecord(m OrderPlaced, opts ...acemq.PublishOption) (outbox.Record, error) {
//		return outbox.NewRecord(placedRoute, m, opts...)
//	}
func (s *source) record(p *model.Publish) *jen.Statement {
	names := p.Names()
	return doc(names.Record+" returns the record of m for an outbox: add it in the transaction that changes the data. A relay "+
		"publishes it as "+names.Publisher+" would.").Line().
		Func().Id(names.Record).Params(s.payload(p), s.options("PublishOption")).
		Params(s.imports.of(outboxPath, "Record"), jen.Error()).
		Block(jen.Return(s.imports.of(outboxPath, "NewRecord").
			Call(jen.Id(names.Route), jen.Id("m"), jen.Id("opts").Op("..."))))
}

// payload is `m OrderPlaced`.
func (s *source) payload(p *model.Publish) *jen.Statement {
	return jen.Id("m").Id(s.imports.typeName(p.Message))
}

// receiver is `(p *PlacedPublisher)`.
func receiver(p *model.Publish) *jen.Statement {
	return jen.Params(jen.Id("p").Op("*").Id(p.Names().Publisher))
}

// publisherCall is `p.publisher.Publish(ctx, m, opts...)`.
func publisherCall(method, argument string) *jen.Statement {
	return jen.Id("p").Dot("publisher").Dot(method).
		Call(jen.Id("ctx"), jen.Id(argument), jen.Id("opts").Op("..."))
}
