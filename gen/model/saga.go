package model

// Saga is a flow.Saga.
type Saga struct {
	Decl
	Title      string // its name in results and logs: "place-order"
	TitlePos   Pos
	Subject    Type // the zero Type where it cannot be read; it need not be a message
	SubjectPos Pos
	Actions    []Action
}

// Action is a flow.Action.
type Action struct {
	Pos     Pos
	Name    string
	NamePos Pos
	Undo    *Undo // nil where none is declared
	Options []Option
}

// Undo is a flow.Undo.
type Undo struct {
	Name    string
	NamePos Pos
}

// SagaNames are the names generated for a Saga.
type SagaNames struct {
	Actions string   // the interface: "PlaceOrderActions"
	Do      []string // its methods, one an action: "TakePayment"
	Undo    []string // its methods that undo an action, one an action: "Refund"; "" where nothing does
	Run     string   // the function: "RunPlaceOrder"
}

// Names returns the names generated for s.
func (s *Saga) Names() SagaNames {
	api := Exported(s.Name)
	names := SagaNames{Actions: api + "Actions", Run: "Run" + api}
	for _, action := range s.Actions {
		undo := ""
		if action.Undo != nil {
			undo = Identifier(action.Undo.Name)
		}
		names.Do = append(names.Do, Identifier(action.Name))
		names.Undo = append(names.Undo, undo)
	}
	return names
}
