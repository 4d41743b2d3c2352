package model

// Exchange returns the exchange that a [Ref] names. It reports false for the default exchange and for a name that
// no exchange has.
func (f *Flow) Exchange(ref Ref) (*Exchange, bool) {
	for i := range f.Exchanges {
		if ref.Name != "" && f.Exchanges[i].Name == ref.Name {
			return &f.Exchanges[i], true
		}
	}
	return nil, false
}

// Publication returns the publication that a [Ref] names.
func (f *Flow) Publication(ref Ref) (*Publish, bool) {
	for i := range f.Publishes {
		if f.Publishes[i].Name == ref.Name {
			return &f.Publishes[i], true
		}
	}
	return nil, false
}

// Message returns the message of a Go type. It reports false where the type is not marked.
func (f *Flow) Message(t Type) (*Message, bool) {
	for i := range f.Messages {
		if f.Messages[i].Go == t {
			return &f.Messages[i], true
		}
	}
	return nil, false
}
