package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/acemq/acemq-gen/gen/model"
)

// handshake is the constant that ties generated code to a runtime.
const handshake = "GeneratedCodeV1"

// declared prints what a flow declares on the broker, and the handshake with the runtime.
func declared(s *source) []jen.Code {
	if s.flow.Empty() {
		return nil
	}
	return []jen.Code{s.handshake(), s.topology(), s.declare()}
}

// handshake is
//
//	const _ = acemq.GeneratedCodeV1
func (s *source) handshake() *jen.Statement {
	constant := s.imports.name(runtimePath) + "." + handshake
	return doc("This file was generated for a runtime that has " + constant + ". Where the constant is undefined, " +
		"generator and runtime do not fit: update github.com/acemq/acemq-gen in go.mod, then run go generate again.").
		Line().Const().Id("_").Op("=").Add(s.imports.of(runtimePath, handshake))
}

// topology is
//
//	func Topology() *topology.Topology {
//		return topology.New().
//			Exchange("orders-events", topology.Topic).
//			Queue("billing.orders", topology.Retry(billingQueue.Retry)).
//			Bind("billing.orders", "orders-events", "order.placed.*")
//	}
func (s *source) topology() *jen.Statement {
	chain := s.imports.of(topologyPath, "New").Call()
	for _, exchange := range s.flow.BrokerExchanges() {
		method := "Exchange"
		if exchange.External {
			method = "ExternalExchange"
		}
		kind := s.imports.of(topologyPath, model.Exported(exchange.Kind))
		chain.Op(".").Line().Id(method).Call(jen.Lit(exchange.Broker), kind)
	}
	for _, queue := range s.flow.WorkQueues() {
		method := "Queue"
		if queue.External {
			method = "ExternalQueue"
		}
		chain.Op(".").Line().Id(method).Call(append([]jen.Code{jen.Lit(queue.Broker)}, s.queueOptions(queue)...)...)
		s.bindings(chain, queue)
	}
	s.merged(chain)
	return doc(model.TopologyFunc + " returns the exchanges, queues and bindings of this flow.").Line().
		Func().Id(model.TopologyFunc).Params().Op("*").Add(s.imports.of(topologyPath, "Topology")).
		Block(jen.Return(chain))
}

// queueOptions are `topology.Classic(), topology.Retry(billingQueue.Retry)`.
func (s *source) queueOptions(q model.WorkQueue) []jen.Code {
	var options []jen.Code
	add := func(name string, arguments ...jen.Code) {
		options = append(options, s.imports.of(topologyPath, name).Call(arguments...))
	}
	if q.Classic {
		add("Classic")
	}
	if q.TTL != 0 {
		add("TTL", s.duration(q.TTL))
	}
	if q.MaxLength != 0 {
		add("MaxLength", jen.Lit(int(q.MaxLength)))
	}
	if q.SingleActive {
		add("SingleActive")
	}
	if q.Retry != nil {
		add("Retry", jen.Id(q.Settings).Dot("Retry"))
	}
	return options
}

// bindings adds to chain
//
//	.
//	Bind("billing.orders", "orders-events", "order.placed.*")
//
// for each binding of a queue. Every queue is bound to the default exchange already.
func (s *source) bindings(chain *jen.Statement, q model.WorkQueue) {
	for _, b := range q.Bindings {
		exchange, named := s.flow.Exchange(b.Exchange)
		if !named {
			continue
		}
		arguments := []jen.Code{jen.Lit(q.Broker), jen.Lit(exchange.Broker)}
		for _, key := range b.Keys {
			arguments = append(arguments, jen.Lit(key))
		}
		chain.Op(".").Line().Id("Bind").Call(arguments...)
	}
}

// merged adds to chain
//
//	.
//	Merge(fulfilmentPipeline.Topology(), ledgerRoute.Topology())
//
// with what each pipeline, each slip and each ordered queue is on the broker.
func (s *source) merged(chain *jen.Statement) {
	var variables []string
	for i := range s.flow.Pipelines {
		variables = append(variables, s.flow.Pipelines[i].Names().Declaration)
	}
	for i := range s.flow.Slips {
		variables = append(variables, s.flow.Slips[i].Names().Declaration)
	}
	for i := range s.flow.Ordered {
		variables = append(variables, s.flow.Ordered[i].Names().Route)
	}
	slices.Sort(variables)
	var parts []jen.Code
	for _, variable := range variables {
		parts = append(parts, jen.Id(variable).Dot("Topology").Call())
	}
	if len(parts) > 0 {
		chain.Op(".").Line().Id("Merge").Call(parts...)
	}
}

// declare is
//
//	func Declare(ctx context.Context, conn *acemq.Conn) error {
//		return conn.Declare(ctx, Topology())
//	}
func (s *source) declare() *jen.Statement {
	return doc(model.DeclareFunc+" declares the "+model.TopologyFunc+" on the broker of conn. It is safe to repeat, "+
		"and fails where the broker has something of the same name that is declared differently.").Line().
		Func().Id(model.DeclareFunc).Params(s.ctx(), s.conn()).Error().
		Block(jen.Return(jen.Id("conn").Dot("Declare").Call(jen.Id("ctx"), jen.Id(model.TopologyFunc).Call())))
}
