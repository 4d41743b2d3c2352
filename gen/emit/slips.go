package emit

import (
	"cmp"
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/acemq/acemq-gen/gen/model"
)

// slips prints the routing slips of a flow, in the order of its declarations. What a route can do next is a type: it has
// the stops that take what the last one returned, and no others.
func slips(s *source) []jen.Code {
	var code []jen.Code
	for i := range s.flow.Slips {
		slip := &s.flow.Slips[i]
		types := slip.Types()
		for _, t := range types {
			if len(slip.Taking(t)) > 0 {
				code = append(code, s.from(slip, t))
			}
		}
		for _, t := range types {
			code = append(code, s.at(slip, t))
			for j := range slip.Stops {
				if slip.Stops[j].In.Message == t {
					code = append(code, s.then(slip, j))
				}
			}
			code = append(code, s.sendAlong(slip, t))
		}
		for j := range slip.Stops {
			code = append(code, s.handleStop(slip, j))
		}
		code = append(code, s.slipDeclaration(slip))
	}
	return code
}

// from is
//
//	func CheckoutFromOrder() CheckoutAtOrder[Order] {
//		return CheckoutAtOrder[Order]{slip.NewPlan[Order](checkoutSlip, "order", 1)}
//	}
func (s *source) from(slip *model.Slip, t model.Type) *jen.Statement {
	names, message := slip.Names(), s.imports.typeName(t)
	builder := func() *jen.Statement { return jen.Id(names.At[t]).Index(jen.Id(message)) }
	arguments := []jen.Code{jen.Id(names.Declaration)}
	if m, marked := s.flow.Message(t); marked {
		arguments = append(arguments, jen.Lit(m.Type), jen.Lit(m.Version))
	}
	return doc(fmt.Sprintf("%s begins a route of the slip %q for %s: add stops to it, then Send.",
		names.From[t], slip.Broker, s.messageWords(t))).Line().
		Func().Id(names.From[t]).Params().Add(builder()).Block(
		jen.Return(builder().Values(
			s.imports.of(slipPath, "NewPlan").Index(jen.Id(message)).Call(arguments...),
		)),
	)
}

// at is
//
//	type CheckoutAtOrder[T any] struct {
//		plan slip.Plan[T]
//	}
func (s *source) at(slip *model.Slip, t model.Type) *jen.Statement {
	name := slip.Names().At[t]
	return doc(fmt.Sprintf("%s is a route of the slip %q that takes a T to where it is %s. It is a value: a stop is added to "+
		"a copy.", name, slip.Broker, s.imports.typeName(t))).Line().
		Type().Id(name).Types(jen.Id("T").Any()).Struct(
		jen.Id("plan").Add(s.imports.of(slipPath, "Plan")).Index(jen.Id("T")),
	)
}

// then is
//
//	func (r CheckoutAtOrder[T]) Price() CheckoutAtPricedOrder[T] {
//		return CheckoutAtPricedOrder[T]{r.plan.Then("price")}
//	}
func (s *source) then(slip *model.Slip, i int) *jen.Statement {
	names, stop := slip.Names(), &slip.Stops[i]
	next := func() *jen.Statement { return jen.Id(names.At[stop.Out.Message]).Index(jen.Id("T")) }
	return doc(fmt.Sprintf("%s adds the stop %q, at the %s.", names.Methods[i], stop.Name, s.addressWords(stop))).Line().
		Func().Add(routeReceiver(slip, stop.In.Message)).Id(names.Methods[i]).Params().Add(next()).
		Block(jen.Return(next().Values(jen.Id("r").Dot("plan").Dot("Then").Call(jen.Lit(stop.Name)))))
}

// routeReceiver is `(r CheckoutAtOrder[T])`.
func routeReceiver(slip *model.Slip, t model.Type) *jen.Statement {
	return jen.Params(jen.Id("r").Id(slip.Names().At[t]).Index(jen.Id("T")))
}

// sendAlong is
//
//	func (r CheckoutAtOrder[T]) Send(ctx context.Context, conn *acemq.Conn, m T, opts ...acemq.PublishOption) error {
//		return r.plan.Send(ctx, conn, m, opts...)
//	}
func (s *source) sendAlong(slip *model.Slip, t model.Type) *jen.Statement {
	return doc("Send sends m to the first stop and returns once the broker has confirmed it and routed it to a queue.").Line().
		Func().Add(routeReceiver(slip, t)).Id("Send").
		Params(s.ctx(), s.conn(), jen.Id("m").Id("T"), s.options("PublishOption")).Error().
		Block(jen.Return(jen.Id("r").Dot("plan").Dot("Send").
			Call(jen.Id("ctx"), jen.Id("conn"), jen.Id("m"), jen.Id("opts").Op("..."))))
}

// handleStop is
//
//	func HandleCheckoutPrice(ctx context.Context, conn *acemq.Conn, stop slip.StopFunc[Order, PricedOrder],
//		opts ...acemq.ConsumeOption) (*acemq.Consumer, error) {
//		return slip.Handle(ctx, conn, checkoutSlip, "price", stop, opts...)
//	}
func (s *source) handleStop(slip *model.Slip, i int) *jen.Statement {
	names, stop := slip.Names(), &slip.Stops[i]
	function := s.imports.of(slipPath, "StopFunc").
		Index(jen.List(jen.Id(s.imports.typeName(stop.In.Message)), jen.Id(s.imports.typeName(stop.Out.Message))))
	return doc(
		fmt.Sprintf("%s runs the stop %q and sends what it returns to the next stop of the message's route.",
			names.Handle(i), stop.Name),
		"It "+s.stepWords(&stop.Step), lifeWords).Line().
		Func().Id(names.Handle(i)).
		Params(s.ctx(), s.conn(), jen.Id("stop").Add(function), s.options("ConsumeOption")).Add(s.consumeResults()).
		Block(jen.Return(s.imports.of(slipPath, "Handle").Call(
			jen.Id("ctx"), jen.Id("conn"), jen.Id(names.Declaration), jen.Lit(stop.Name), jen.Id("stop"),
			jen.Id("opts").Op("..."),
		)))
}

// slipDeclaration is
//
//	// checkoutSlip is the route of orders whose stops differ from one to the next.
//	var checkoutSlip = &slip.Declaration{
//		Name: "checkout",
//		Stops: []slip.Stop{
//			{Name: "price", Exchange: "orders-events", Key: "order.price"},
//		},
//		WriteAs: wire.FormItinerary,
//	}
func (s *source) slipDeclaration(slip *model.Slip) *jen.Statement {
	stops := make([]jen.Code, len(slip.Stops))
	for i := range slip.Stops {
		stop := &slip.Stops[i]
		fields := []jen.Code{field("Name", jen.Lit(stop.Name))}
		if exchange, named := s.flow.Exchange(stop.Exchange); named {
			fields = append(fields, field("Exchange", jen.Lit(exchange.Broker)))
		}
		fields = append(fields, field("Key", jen.Lit(stop.Key)))
		stops[i] = jen.Values(append(fields, s.ownQueue(&stop.Queue)...)...)
	}
	fields := []jen.Code{
		field("Name", jen.Lit(slip.Broker)),
		field("Stops", jen.Index().Add(s.imports.of(slipPath, "Stop")).Add(lines(stops...))),
		field("WriteAs", s.form(cmp.Or(slip.Form, "Itinerary"))),
	}
	if slip.AnyDestination {
		fields = append(fields, field("AnyDestination", jen.True()))
	}
	name := slip.Names().Declaration
	return doc(opening(slip.Name, name, slip.Doc, fmt.Sprintf("is the slip %q.", slip.Broker))...).Line().
		Var().Id(name).Op("=").Op("&").Add(s.imports.of(slipPath, "Declaration")).Add(lines(fields...))
}
