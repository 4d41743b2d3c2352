package saga

// Result says what became of a run. The zero Result is that of no run.
type Result struct {
	Saga        string       // its name
	Completed   []string     // the actions that were done, in their order; those that were undone later too
	Failed      string       // the action that failed; empty for none, and where nothing was run at all
	Err         error        // why it failed; nil for a saga that succeeded
	Compensated []string     // the actions that were undone, in the order of undoing
	Unresolved  []Unresolved // the actions that were to be undone and were not, in the order of undoing
}

// Unresolved is an action whose effect is still in the world, though it was to be undone. Nothing else knows of it, and
// no retry resolves it: tell a person.
type Unresolved struct {
	Action string
	Err    error // of its Undo
}

// String returns the name of the action and why it could not be undone.
func (u Unresolved) String() string { return u.Action + ": " + u.Err.Error() }

// Succeeded reports whether every action was done.
func (r Result) Succeeded() bool { return r.Err == nil }

// HasUnresolved reports whether something was to be undone and was not.
func (r Result) HasUnresolved() bool { return len(r.Unresolved) > 0 }
