package model

import (
	"maps"
	"slices"
)

// Pipeline is a flow.Pipeline.
type Pipeline struct {
	Decl
	Broker    string // the name of the pipeline, and of its exchange
	BrokerPos Pos
	Form      string // "Declared", "Itinerary"; "" where none is declared
	Steps     []Step
	Options   []Option
}

// Slip is a flow.Slip.
type Slip struct {
	Decl
	Broker         string // the name of the slip
	BrokerPos      Pos
	Form           string // "Declared", "Itinerary"; "" where none is declared
	AnyDestination bool
	Stops          []Stop
	Options        []Option
}

// Step is a flow.Step or a flow.Sink: a part of a route with a queue of its own.
type Step struct {
	Pos   Pos
	Name  string
	In    Case
	Out   Case // of a flow.Step
	Sink  bool
	Queue Queue // {pipeline}.{step}
}

// Stop is a flow.Stop: a step with an address.
type Stop struct {
	Step
	Exchange Ref
	Key      string
	KeyPos   Pos
}

// Types returns the types that messages of the slip can have on their way, in the order in which they are first taken
// or returned. Types that could not be read are left out.
func (s *Slip) Types() []Type {
	var types []Type
	known := map[Type]bool{{}: true}
	for _, stop := range s.Stops {
		for _, t := range []Type{stop.In.Message, stop.Out.Message} {
			if !known[t] {
				known[t] = true
				types = append(types, t)
			}
		}
	}
	return types
}

// Taking returns the stops that take messages of type t, in the order of the declaration.
func (s *Slip) Taking(t Type) []*Stop {
	var stops []*Stop
	for i := range s.Stops {
		if s.Stops[i].In.Message == t {
			stops = append(stops, &s.Stops[i])
		}
	}
	return stops
}

// PipelineNames are the names generated for a Pipeline.
type PipelineNames struct {
	Steps       string   // the interface: "FulfilmentSteps"
	Methods     []string // of the interface, one a step: "Price"
	Pipeline    string   // the type: "FulfilmentPipeline"
	Constructor string   // the function: "NewFulfilment"
	Run         string   // the function for all steps: "RunFulfilment"
	RunHandlers string   // the function that the others share: "runFulfilment"
	Declaration string   // the variable: "fulfilmentPipeline"
}

// Names returns the names generated for p.
func (p *Pipeline) Names() PipelineNames {
	api := Exported(p.Name)
	names := PipelineNames{
		Steps:       api + "Steps",
		Pipeline:    api + "Pipeline",
		Constructor: "New" + api,
		Run:         "Run" + api,
		RunHandlers: "run" + api,
		Declaration: Unexported(p.Name) + "Pipeline",
	}
	for _, step := range p.Steps {
		names.Methods = append(names.Methods, Identifier(step.Name))
	}
	return names
}

// RunStep returns the name of the function that runs a step by itself: "RunFulfilmentPrice".
func (n PipelineNames) RunStep(step int) string { return n.Run + n.Methods[step] }

// all returns the names of the package.
func (n PipelineNames) all() []string {
	names := []string{n.Steps, n.Pipeline, n.Constructor, n.Run, n.RunHandlers, n.Declaration}
	for _, i := range distinct(n.Methods) {
		names = append(names, n.RunStep(i))
	}
	return names
}

// SlipNames are the names generated for a Slip.
type SlipNames struct {
	Methods     []string        // of the builders, one a stop: "Price"
	At          map[Type]string // the types of builders: "CheckoutAtOrder"
	From        map[Type]string // the functions that begin a route: "CheckoutFromOrder"
	Declaration string          // the variable: "checkoutSlip"
	api         string
}

// Names returns the names generated for s.
func (s *Slip) Names() SlipNames {
	names := SlipNames{
		At: map[Type]string{}, From: map[Type]string{}, Declaration: Unexported(s.Name) + "Slip", api: Exported(s.Name),
	}
	for _, stop := range s.Stops {
		names.Methods = append(names.Methods, Identifier(stop.Name))
	}
	types := s.Types()
	for i, name := range typeNames(types) {
		names.At[types[i]] = names.api + "At" + name
		if len(s.Taking(types[i])) > 0 {
			names.From[types[i]] = names.api + "From" + name
		}
	}
	return names
}

// Handle returns the name of the function that runs a stop: "HandleCheckoutPrice".
func (n SlipNames) Handle(stop int) string { return "Handle" + n.api + n.Methods[stop] }

// all returns the names of the package.
func (n SlipNames) all() []string {
	names := slices.Compact(slices.Sorted(maps.Values(n.From)))
	names = append(names, slices.Compact(slices.Sorted(maps.Values(n.At)))...)
	for _, i := range distinct(n.Methods) {
		names = append(names, n.Handle(i))
	}
	return append(names, n.Declaration)
}

// distinct returns the indexes of the methods that have a name, and no other of that name before them. gen/check refuses
// the others.
func distinct(methods []string) []int {
	var first []int
	for i, method := range methods {
		if method != "" && slices.Index(methods, method) == i {
			first = append(first, i)
		}
	}
	return first
}
