package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// pipelines prints the pipelines of a flow, in the order of its declarations.
func pipelines(s *source) []jen.Code {
	var code []jen.Code
	for i := range s.flow.Pipelines {
		p := &s.flow.Pipelines[i]
		code = append(code, s.steps(p), s.pipelineType(p), s.pipelineConstructor(p), s.runAll(p))
		for j := range p.Steps {
			code = append(code, s.runStep(p, j))
		}
		code = append(code, s.runHandlers(p))
		for j := range p.Steps {
			code = append(code, s.queueFor(p, j), s.resumeAt(p, j))
		}
		code = append(code, s.pipelineDeclaration(p))
	}
	return code
}

// steps is
//
//	type FulfilmentSteps interface {
//		// Price takes ValidOrder from the queue "orders.price" and returns PricedOrder.
//		Price(ctx context.Context, m *acemq.Message[ValidOrder]) (PricedOrder, error)
//		// Ship takes PricedOrder from the queue "orders.ship".
//		Ship(ctx context.Context, m *acemq.Message[PricedOrder]) error
//	}
func (s *source) steps(p *model.Pipeline) *jen.Statement {
	names := p.Names()
	methods := make([]jen.Code, len(p.Steps))
	for i := range p.Steps {
		step := &p.Steps[i]
		methods[i] = doc(names.Methods[i]+" "+s.stepWords(step)).Line().
			Id(names.Methods[i]).Params(s.ctx(), s.message(step.In.Message)).Add(s.stepResults(step))
	}
	return doc(names.Steps + " are the steps of " + names.Pipeline + ", a method a step. One that returns " +
		s.imports.name(pipelinePath) + ".End ends its message there.").Line().
		Type().Id(names.Steps).Interface(methods...)
}

// message is `m *acemq.Message[Order]`.
func (s *source) message(t model.Type) *jen.Statement {
	return jen.Id("m").Op("*").Add(s.imports.of(runtimePath, "Message")).Index(jen.Id(s.imports.typeName(t)))
}

// stepResults are `(PricedOrder, error)`, and `error` for a sink.
func (s *source) stepResults(step *model.Step) *jen.Statement {
	if step.Sink {
		return jen.Error()
	}
	return jen.Params(jen.Id(s.imports.typeName(step.Out.Message)), jen.Error())
}

// pipelineType is
//
//	type FulfilmentPipeline struct {
//		*pipeline.Pipeline[Order]
//	}
func (s *source) pipelineType(p *model.Pipeline) *jen.Statement {
	name := p.Names().Pipeline
	paragraphs := opening(p.Name, name, p.Doc, fmt.Sprintf("is the pipeline %q.", p.Broker))
	paragraphs = append(paragraphs, s.pipelineWords(p)+" It may be used concurrently.")
	return doc(paragraphs...).Line().
		Type().Id(name).Struct(jen.Op("*").Add(s.imports.of(pipelinePath, "Pipeline")).Index(s.entry(p)))
}

// entry is the type of what enters a pipeline.
func (s *source) entry(p *model.Pipeline) *jen.Statement {
	return jen.Id(s.imports.typeName(p.Steps[0].In.Message))
}

// pipelineConstructor is
//
//	func NewFulfilment(conn *acemq.Conn) *FulfilmentPipeline {
//		return &FulfilmentPipeline{pipeline.New[Order](conn, fulfilmentPipeline)}
//	}
func (s *source) pipelineConstructor(p *model.Pipeline) *jen.Statement {
	names := p.Names()
	return doc(names.Constructor + " returns the pipeline for a process that sends or resumes messages and runs no step.").
		Line().
		Func().Id(names.Constructor).Params(s.conn()).Op("*").Id(names.Pipeline).Block(
		jen.Return(jen.Op("&").Id(names.Pipeline).Values(
			s.imports.of(pipelinePath, "New").Index(s.entry(p)).Call(jen.Id("conn"), jen.Id(names.Declaration)),
		)),
	)
}

// runAll is
//
//	func RunFulfilment(ctx context.Context, conn *acemq.Conn, steps FulfilmentSteps,
//		opts ...acemq.ConsumeOption) (*FulfilmentPipeline, error) {
//		return runFulfilment(ctx, conn, opts,
//			pipeline.On("price", steps.Price),
//			pipeline.OnSink("ship", steps.Ship),
//		)
//	}
func (s *source) runAll(p *model.Pipeline) *jen.Statement {
	names := p.Names()
	arguments := []jen.Code{jen.Id("ctx"), jen.Id("conn"), jen.Id("opts")}
	for i := range p.Steps {
		arguments = append(arguments, jen.Line().Add(s.on(&p.Steps[i], jen.Id("steps").Dot(names.Methods[i]))))
	}
	return doc(names.Run+" declares the pipeline and runs all its steps. "+stopWords).Line().
		Func().Id(names.Run).
		Params(s.ctx(), s.conn(), jen.Id("steps").Id(names.Steps), s.options("ConsumeOption")).
		Add(pipelineResults(p)).
		Block(jen.Return(jen.Id(names.RunHandlers).Call(append(arguments, jen.Line())...)))
}

// stopWords says when the steps of a pipeline end.
const stopWords = "ctx bounds the start alone: close the pipeline, or conn, to stop."

// pipelineResults are `(*FulfilmentPipeline, error)`.
func pipelineResults(p *model.Pipeline) *jen.Statement {
	return jen.Params(jen.Op("*").Id(p.Names().Pipeline), jen.Error())
}

// on is `pipeline.On("price", steps.Price)`, and `pipeline.OnSink("ship", steps.Ship)` for a sink.
func (s *source) on(step *model.Step, function jen.Code) *jen.Statement {
	name := "On"
	if step.Sink {
		name = "OnSink"
	}
	return s.imports.of(pipelinePath, name).Call(jen.Lit(step.Name), function)
}

// runStep is
//
//	func RunFulfilmentPrice(ctx context.Context, conn *acemq.Conn, step pipeline.StepFunc[ValidOrder, PricedOrder],
//		opts ...acemq.ConsumeOption) (*FulfilmentPipeline, error) {
//		return runFulfilment(ctx, conn, opts, pipeline.On("price", step))
//	}
func (s *source) runStep(p *model.Pipeline, i int) *jen.Statement {
	names, step := p.Names(), &p.Steps[i]
	function := s.imports.of(pipelinePath, "SinkFunc").Index(jen.Id(s.imports.typeName(step.In.Message)))
	if !step.Sink {
		function = s.imports.of(pipelinePath, "StepFunc").
			Index(jen.List(jen.Id(s.imports.typeName(step.In.Message)), jen.Id(s.imports.typeName(step.Out.Message))))
	}
	return doc(fmt.Sprintf("%s declares the pipeline and runs the step %q alone, with the queue %q.",
		names.RunStep(i), step.Name, step.Queue.Broker)).Line().
		Func().Id(names.RunStep(i)).
		Params(s.ctx(), s.conn(), jen.Id("step").Add(function), s.options("ConsumeOption")).
		Add(pipelineResults(p)).
		Block(jen.Return(jen.Id(names.RunHandlers).
			Call(jen.Id("ctx"), jen.Id("conn"), jen.Id("opts"), s.on(step, jen.Id("step")))))
}

// runHandlers is
//
//	func runFulfilment(ctx context.Context, conn *acemq.Conn, opts []acemq.ConsumeOption,
//		steps ...pipeline.Handler) (*FulfilmentPipeline, error) {
//		p, err := pipeline.Run[Order](ctx, conn, fulfilmentPipeline, steps, opts...)
//		if err != nil {
//			return nil, err
//		}
//		return &FulfilmentPipeline{p}, nil
//	}
func (s *source) runHandlers(p *model.Pipeline) *jen.Statement {
	names := p.Names()
	return jen.Func().Id(names.RunHandlers).Params(
		s.ctx(), s.conn(),
		jen.Id("opts").Index().Add(s.imports.of(runtimePath, "ConsumeOption")),
		jen.Id("steps").Op("...").Add(s.imports.of(pipelinePath, "Handler")),
	).Add(pipelineResults(p)).Block(
		jen.List(jen.Id("p"), jen.Err()).Op(":=").Add(s.imports.of(pipelinePath, "Run")).Index(s.entry(p)).
			Call(jen.Id("ctx"), jen.Id("conn"), jen.Id(names.Declaration), jen.Id("steps"), jen.Id("opts").Op("...")),
		jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err())),
		jen.Return(jen.Op("&").Id(names.Pipeline).Values(jen.Id("p")), jen.Nil()),
	)
}

// queueFor is
//
//	func (p *FulfilmentPipeline) QueueForPrice() string { return p.QueueFor("price") }
func (s *source) queueFor(p *model.Pipeline, i int) *jen.Statement {
	name, step := "QueueFor"+p.Names().Methods[i], &p.Steps[i]
	return doc(fmt.Sprintf("%s returns %q. What the step gave up on is in %q.", name, step.Queue.Broker,
		wire.DeadLetterQueue(step.Queue.Broker))).Line().
		Func().Add(pipelineReceiver(p)).Id(name).Params().String().
		Custom(jen.Options{Open: "{ ", Close: " }"},
			jen.Return(jen.Id("p").Dot("QueueFor").Call(jen.Lit(step.Name))))
}

// resumeAt is
//
//	func (p *FulfilmentPipeline) ResumeAtPrice(ctx context.Context, m ValidOrder, headers acemq.Headers) error {
//		return pipeline.Resume(ctx, p.Pipeline, "price", m, headers)
//	}
func (s *source) resumeAt(p *model.Pipeline, i int) *jen.Statement {
	name, step := "ResumeAt"+p.Names().Methods[i], &p.Steps[i]
	return doc(fmt.Sprintf("%s sends a message that the step %q gave up on back to it: m is what the step received, "+
		"and headers are the wire headers of the message in %q.", name, step.Name,
		wire.DeadLetterQueue(step.Queue.Broker))).Line().
		Func().Add(pipelineReceiver(p)).Id(name).
		Params(s.ctx(), jen.Id("m").Id(s.imports.typeName(step.In.Message)),
			jen.Id("headers").Add(s.imports.of(runtimePath, "Headers"))).Error().
		Block(jen.Return(s.imports.of(pipelinePath, "Resume").
			Call(jen.Id("ctx"), jen.Id("p").Dot("Pipeline"), jen.Lit(step.Name), jen.Id("m"), jen.Id("headers"))))
}

// pipelineReceiver is `(p *FulfilmentPipeline)`.
func pipelineReceiver(p *model.Pipeline) *jen.Statement {
	return jen.Params(jen.Id("p").Op("*").Id(p.Names().Pipeline))
}

// pipelineDeclaration is
//
//	var fulfilmentPipeline = &pipeline.Declaration{
//		Name:    "orders",
//		Type:    "order",
//		Version: 1,
//		Steps: []pipeline.Step{
//			{Name: "price", Queue: acemq.Queue{Prefetch: 50}},
//			{Name: "ship"},
//		},
//	}
func (s *source) pipelineDeclaration(p *model.Pipeline) *jen.Statement {
	fields := []jen.Code{field("Name", jen.Lit(p.Broker))}
	if m, marked := s.flow.Message(p.Steps[0].In.Message); marked {
		fields = append(fields, field("Type", jen.Lit(m.Type)), field("Version", jen.Lit(m.Version)))
	}
	steps := make([]jen.Code, len(p.Steps))
	for i := range p.Steps {
		steps[i] = jen.Values(append([]jen.Code{field("Name", jen.Lit(p.Steps[i].Name))}, s.ownQueue(&p.Steps[i].Queue)...)...)
	}
	fields = append(fields, field("Steps", jen.Index().Add(s.imports.of(pipelinePath, "Step")).Add(lines(steps...))))
	if p.Form != "" {
		fields = append(fields, field("WriteAs", s.form(p.Form)))
	}
	return jen.Var().Id(p.Names().Declaration).Op("=").Op("&").Add(s.imports.of(pipelinePath, "Declaration")).
		Add(lines(fields...))
}

// ownQueue is `Queue: acemq.Queue{Prefetch: 50}`, and nothing where a step says nothing of its queue.
func (s *source) ownQueue(q *model.Queue) []jen.Code {
	settings := s.settings(q)
	if len(settings) == 0 {
		return nil
	}
	return []jen.Code{field("Queue", s.imports.of(runtimePath, "Queue").Values(settings...))}
}

// form is `wire.FormItinerary`.
func (s *source) form(form string) *jen.Statement { return s.imports.of(wirePath, "Form"+form) }
