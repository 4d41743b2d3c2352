package model

// Generated is a package-level name that generated code declares.
type Generated struct {
	Name string
	Pos  Pos    // of the declaration that it is generated for
	For  string // the variable of that declaration; "" for what every flow gets
}

// Generated returns every package-level name of the code generated for f, in the order of the declarations. A flow
// that declares nothing gets none.
func (f *Flow) Generated() []Generated {
	var all []Generated
	for _, d := range f.declarations() {
		for _, name := range d.names {
			all = append(all, Generated{Name: name, Pos: d.Pos, For: d.Name})
		}
	}
	if first, found := f.first(); found {
		all = append(all, Generated{Name: TopologyFunc, Pos: first}, Generated{Name: DeclareFunc, Pos: first})
	}
	return all
}

// Empty reports whether f declares nothing that code is generated for. It may have messages.
func (f *Flow) Empty() bool {
	_, found := f.first()
	return !found
}

// first returns the position of the first declaration.
func (f *Flow) first() (first Pos, found bool) {
	for _, d := range f.declarations() {
		if !found || d.Pos.Compare(first) < 0 {
			first, found = d.Pos, true
		}
	}
	return first, found
}

// named is a declaration with the package-level names of the code generated for it.
type named struct {
	Decl
	names []string
}

// declarations returns every declaration.
func (f *Flow) declarations() []named {
	var all []named
	add := func(d Decl, names ...string) { all = append(all, named{d, names}) }
	for i := range f.Exchanges {
		add(f.Exchanges[i].Decl)
	}
	for i := range f.Publishes {
		add(f.Publishes[i].Decl, f.Publishes[i].Names().all()...)
	}
	for i := range f.Consumes {
		n := f.Consumes[i].Names()
		add(f.Consumes[i].Decl, n.Consume, n.Queue, n.Replay)
	}
	for i := range f.Dispatches {
		add(f.Dispatches[i].Decl, f.Dispatches[i].Names().all()...)
	}
	for i := range f.Pipelines {
		add(f.Pipelines[i].Decl, f.Pipelines[i].Names().all()...)
	}
	for i := range f.Slips {
		add(f.Slips[i].Decl, f.Slips[i].Names().all()...)
	}
	for i := range f.Ordered {
		n := f.Ordered[i].Names()
		add(f.Ordered[i].Decl, n.Publisher, n.Constructor, n.Consume, n.Route)
	}
	for i := range f.Sagas {
		n := f.Sagas[i].Names()
		add(f.Sagas[i].Decl, n.Actions, n.Run)
	}
	for i := range f.Requests {
		n := f.Requests[i].Names()
		add(f.Requests[i].Decl, n.Client, n.Constructor, n.Serve, n.Declaration)
	}
	return all
}
