package model

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
