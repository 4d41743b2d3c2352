package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/acemq/acemq-gen/gen/model"
)

// publishers prints what a flow publishes, in the order of its declarations.
func publishers(s *source) []jen.Code {
	var code []jen.Code
	for i := range s.flow.Publishes {
		p := &s.flow.Publishes[i]
		code = append(code, s.publisherType(p), s.publisherConstructor(p),
			s.publish(p), s.publishAll(p), s.publishAsync(p), s.route(p))
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

// destination says what is published and where it goes.
func (s *source) destination(p *model.Publish) string {
	text := "It sends " + s.messageWords(p.Message)
	if exchange, named := s.flow.Exchange(p.Exchange); !named {
		text += fmt.Sprintf(" through the default exchange to the queue %q", p.Key)
	} else {
		text += fmt.Sprintf(" to the %s exchange %q", exchange.Kind, exchange.Broker)
		if exchange.External {
			text += ", which another service declares,"
		}
		if p.Key != "" {
			text += fmt.Sprintf(" with the key %q", p.Key)
		}
	}
	text = strings.TrimSuffix(text, ",") + "."
	if p.Transient {
		text += " The messages are transient: a broker that restarts loses them."
	}
	if p.Expires != 0 {
		text += " One that waits in a queue for " + spoken(p.Expires) + " expires."
	}
	if p.Priority != 0 {
		text += fmt.Sprintf(" They have the priority %d.", p.Priority)
	}
	return text
}

// messageWords names a message as both sides know it: "OrderPlaced (order.placed, version 1)".
func (s *source) messageWords(t model.Type) string {
	text := s.imports.typeName(t)
	if m, marked := s.flow.Message(t); marked {
		text += fmt.Sprintf(" (%s, version %d)", m.Type, m.Version)
	}
	return text
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
	return doc("PublishAsync sends m and returns at once; the broker's answer is the confirmation's.").Line().
		Func().Add(receiver(p)).Id("PublishAsync").
		Params(s.ctx(), s.payload(p), s.options("PublishOption")).
		Params(jen.Op("*").Add(s.imports.of(runtimePath, "Confirmation")), jen.Error()).
		Block(jen.Return(publisherCall("PublishAsync", "m")))
}

// route is
//
//	var placedRoute = acemq.Route[OrderPlaced]{
//		Exchange: "orders-events",
//		Key:      "order.placed.{Region}",
//		Fields:   func(m OrderPlaced) []string { return []string{m.Region} },
//		Type:     "order.placed",
//		Version:  1,
//	}
func (s *source) route(p *model.Publish) *jen.Statement {
	var fields []jen.Code
	if exchange, named := s.flow.Exchange(p.Exchange); named {
		fields = append(fields, field("Exchange", jen.Lit(exchange.Broker)))
	}
	if p.Key != "" {
		fields = append(fields, field("Key", jen.Lit(p.Key)))
	}
	if len(p.Fields) > 0 {
		fields = append(fields, field("Fields", s.keyValues(p)))
	}
	if m, marked := s.flow.Message(p.Message); marked {
		fields = append(fields, field("Type", jen.Lit(m.Type)), field("Version", jen.Lit(m.Version)))
	}
	if p.Optional {
		fields = append(fields, field("Optional", jen.True()))
	}
	if p.Transient {
		fields = append(fields, field("Transient", jen.True()))
	}
	if p.Expires != 0 {
		fields = append(fields, field("Expires", s.duration(p.Expires)))
	}
	if p.Priority != 0 {
		fields = append(fields, field("Priority", jen.Lit(p.Priority)))
	}
	return jen.Var().Id(p.Names().Route).Op("=").Add(s.imports.of(runtimePath, "Route")).
		Index(jen.Id(s.imports.typeName(p.Message))).Add(lines(fields...))
}

// keyValues is
//
//	func(m OrderPlaced) []string { return []string{m.Region, strconv.FormatInt(int64(m.Shop), 10)} }
func (s *source) keyValues(p *model.Publish) *jen.Statement {
	values := make([]jen.Code, len(p.Fields))
	for i, f := range p.Fields {
		value := jen.Id("m").Dot(f.Name)
		switch f.Kind {
		case model.NamedString:
			value = jen.String().Call(value)
		case model.SignedField:
			value = s.imports.of(strconvPath, "FormatInt").Call(jen.Int64().Call(value), jen.Lit(10))
		case model.UnsignedField:
			value = s.imports.of(strconvPath, "FormatUint").Call(jen.Uint64().Call(value), jen.Lit(10))
		case model.StringerField:
			value = value.Dot("String").Call()
		}
		values[i] = value
	}
	return jen.Func().Params(s.payload(p)).Index().String().Custom(
		jen.Options{Open: "{ ", Close: " }"}, jen.Return(jen.Index().String().Values(values...)))
}

func (s *source) ctx() *jen.Statement { return jen.Id("ctx").Add(s.imports.of(contextPath, "Context")) }

func (s *source) conn() *jen.Statement {
	return jen.Id("conn").Op("*").Add(s.imports.of(runtimePath, "Conn"))
}

func (s *source) options(name string) *jen.Statement {
	return jen.Id("opts").Op("...").Add(s.imports.of(runtimePath, name))
}

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
