package emit

import (
	"go/types"
	"slices"
	"testing"

	"github.com/acemq/acemq-gen/gen/model"
)

// publishing returns a flow that publishes types, in a package that declares names.
func publishing(types []model.Type, names ...string) *model.Flow {
	flow := &model.Flow{Package: model.Package{Name: "shop", Path: "a.b/shop", Scope: map[string]model.Pos{}}}
	for _, name := range names {
		flow.Package.Scope[name] = model.Pos{}
	}
	for _, t := range types {
		flow.Publishes = append(flow.Publishes, model.Publish{Decl: model.Decl{Name: "P"}, Message: t})
	}
	return flow
}

// of is a type of a package.
func of(path, pkg, name string) model.Type { return model.Type{Path: path, Package: pkg, Name: name} }

func TestAliasesOfWhatGeneratedCodeCalls(t *testing.T) {
	for _, test := range []struct {
		taken []string
		path  string
		want  alias
	}{
		{nil, contextPath, alias{"context", false}},
		{nil, runtimePath, alias{"acemq", true}},
		{nil, topologyPath, alias{"topology", false}},
		{[]string{"context"}, contextPath, alias{"stdcontext", true}},
		{[]string{"context", "stdcontext"}, contextPath, alias{"stdcontext2", true}},
		{[]string{"acemq"}, runtimePath, alias{"acemqruntime", true}},
		{[]string{"topology"}, topologyPath, alias{"acemqtopology", true}},
	} {
		if got := planAliases(publishing(nil, test.taken...))[test.path]; got != test.want {
			t.Errorf("%s beside %q is imported as %+v, want %+v", test.path, test.taken, got, test.want)
		}
	}
}

func TestAliasesOfTheUsersPackages(t *testing.T) {
	one, two, three := of("a.b/c/ext", "ext", "T"), of("a.b/d/ext", "ext", "T"), of("a.b/e/d/ext", "ext", "T")
	for _, test := range []struct {
		name  string
		types []model.Type
		path  string
		want  alias
	}{
		{"its own name", []model.Type{one}, one.Path, alias{"ext", false}},
		{"a name unlike its path", []model.Type{of("a.b/x", "ext", "T")}, "a.b/x", alias{"ext", true}},
		{"a version", []model.Type{of("a.b/ext/v2", "ext", "T")}, "a.b/ext/v2", alias{"ext", false}},
		{"go- in front", []model.Type{of("a.b/go-ext", "ext", "T")}, "a.b/go-ext", alias{"ext", false}},
		{"a name of std", []model.Type{of("a.b/c/time", "time", "T")}, "a.b/c/time", alias{"ctime", true}},
		{"a generated name", []model.Type{of("a.b/c/pRoute", "pRoute", "T")}, "a.b/c/pRoute", alias{"cpRoute", true}},
		{"a parameter", []model.Type{of("a.b/c/m", "m", "T")}, "a.b/c/m", alias{"cm", true}},
		{"a predeclared name", []model.Type{of("a.b/c/any", "any", "T")}, "a.b/c/any", alias{"cany", true}},
		{"two of one name", []model.Type{one, two}, two.Path, alias{"dext", true}},
		{"three of one name", []model.Type{three, two, one}, three.Path, alias{"dext2", true}},
		{"an argument", []model.Type{of("a.b/c", "c", "P[a.b/go-ext.T]")}, "a.b/go-ext", alias{"ext", true}},
		{"an argument of std", []model.Type{of("a.b/c", "c", "P[time.Time]")}, "time", alias{"time", false}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := planAliases(publishing(test.types))[test.path]; got != test.want {
				t.Errorf("%s is imported as %+v, want %+v", test.path, got, test.want)
			}
		})
	}
}

func TestUniverseIsThatOfGo(t *testing.T) {
	for _, name := range types.Universe.Names() {
		if !slices.Contains(universe, name) {
			t.Errorf("%s is predeclared, and an import could be called like it", name)
		}
	}
}
