package read

import (
	"go/types"

	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/model"
)

// Named returns the types that the flow of p can name, by what the model calls them: those that p declares, and the type
// arguments of its declarations.
func Named(p *load.Package) map[model.Type]*types.Named {
	r := &reader{pkg: p}
	found := map[model.Type]*types.Named{}
	add := func(t types.Type) {
		if named, is := types.Unalias(t).(*types.Named); is && named.Obj().Pkg() != nil {
			found[r.typeOf(named)] = named
		}
	}
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		if obj, is := scope.Lookup(name).(*types.TypeName); is {
			add(obj.Type())
		}
	}
	for id, instance := range p.Info.Instances {
		if r.flowFunction(id) == "" {
			continue
		}
		for arg := range instance.TypeArgs.Types() {
			add(arg)
		}
	}
	return found
}
