package emit

import (
	"testing"

	"github.com/acemq/acemq-gen/gen/model"
)

func TestPlanAliases(t *testing.T) {
	scope := func(names ...string) model.Package {
		p := model.Package{Name: "shop", Path: "example.com/shop", Scope: map[string]model.Pos{}}
		for _, name := range names {
			p.Scope[name] = model.Pos{}
		}
		return p
	}
	uses := func(types ...model.Type) []model.Publish {
		var publishes []model.Publish
		for _, t := range types {
			publishes = append(publishes, model.Publish{Decl: model.Decl{Name: "P"}, Message: t})
		}
		return publishes
	}
	for _, test := range []struct {
		name string
		flow model.Flow
		path string
		want alias
	}{
		{"std", model.Flow{}, contextPath, alias{"context", false}},
		{"the runtime", model.Flow{}, runtimePath, alias{"acemq", true}},
		{"topology", model.Flow{}, topologyPath, alias{"topology", false}},
		{"std, taken", model.Flow{Package: scope("context")}, contextPath, alias{"stdcontext", true}},
		{"std, taken twice", model.Flow{Package: scope("context", "stdcontext")}, contextPath, alias{"stdcontext2", true}},
		{"the runtime, taken", model.Flow{Package: scope("acemq")}, runtimePath, alias{"acemqruntime", true}},
		{"a generated name", model.Flow{Publishes: uses(model.Type{Path: "a.b/pRoute", Package: "pRoute"})}, "a.b/pRoute", alias{"abpRoute", true}},
		{"its own name", model.Flow{Publishes: uses(model.Type{Path: "a.b/ext", Package: "ext"})}, "a.b/ext", alias{"ext", false}},
		{"a name unlike its path", model.Flow{Publishes: uses(model.Type{Path: "a.b/x", Package: "ext"})}, "a.b/x", alias{"ext", true}},
		{"a version", model.Flow{Publishes: uses(model.Type{Path: "a.b/ext/v2", Package: "ext"})}, "a.b/ext/v2", alias{"ext", false}},
		{"go- in front", model.Flow{Publishes: uses(model.Type{Path: "a.b/go-ext", Package: "ext"})}, "a.b/go-ext", alias{"ext", false}},
		{"named as std", model.Flow{Publishes: uses(model.Type{Path: "a.b/c/time", Package: "time"})}, "a.b/c/time", alias{"ctime", true}},
		{"named as a parameter", model.Flow{Publishes: uses(model.Type{Path: "a.b/c/m", Package: "m"})}, "a.b/c/m", alias{"cm", true}},
		{"named as Go's own", model.Flow{Publishes: uses(model.Type{Path: "a.b/c/any", Package: "any"})}, "a.b/c/any", alias{"cany", true}},
		{
			"two of one name", model.Flow{Publishes: uses(model.Type{Path: "a.b/c/ext", Package: "ext"}, model.Type{Path: "a.b/d/ext", Package: "ext"})},
			"a.b/d/ext", alias{"dext", true},
		},
		{
			"three of one name", model.Flow{Publishes: uses(
				model.Type{Path: "a.b/c/ext", Package: "ext"}, model.Type{Path: "a.b/d/ext", Package: "ext"}, model.Type{Path: "a.b/e/d/ext", Package: "ext"},
			)}, "a.b/e/d/ext", alias{"dext2", true},
		},
		{"only in an argument", model.Flow{Publishes: uses(model.Type{Path: "a.b/c", Package: "c", Name: "P[a.b/go-ext.T]"})}, "a.b/go-ext", alias{"ext", true}},
		{"std in an argument", model.Flow{Publishes: uses(model.Type{Path: "a.b/c", Package: "c", Name: "P[time.Time]"})}, "time", alias{"time", false}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := planAliases(&test.flow)[test.path]; got != test.want {
				t.Errorf("%s is imported as %+v, want %+v", test.path, got, test.want)
			}
		})
	}
}

func TestTypeName(t *testing.T) {
	flow := &model.Flow{Package: model.Package{Path: "a.b/shop"}}
	for _, test := range []struct {
		t    model.Type
		want string
	}{
		{model.Type{Path: "a.b/shop", Package: "shop", Name: "Order"}, "Order"},
		{model.Type{Path: "a.b/ext", Package: "ext", Name: "Order"}, "ext.Order"},
		{model.Type{Path: "a.b/shop", Package: "shop", Name: "Page[Order]"}, "Page[Order]"},
		{model.Type{Path: "a.b/shop", Package: "shop", Name: "Page[a.b/ext.Order]"}, "Page[ext.Order]"},
		{model.Type{Path: "a.b/ext", Package: "ext", Name: "Pair[Order,map[string][]*time.Time]"}, "ext.Pair[Order,map[string][]*time.Time]"},
		{model.Type{Path: "a.b/ext", Package: "ext", Name: "Pair[a.b/ext.Page[a.b/ext.Order],[4]time.Time]"}, "ext.Pair[ext.Page[ext.Order],[4]time.Time]"},
	} {
		flow.Publishes = []model.Publish{{Decl: model.Decl{Name: "P"}, Message: test.t}}
		if got := newImports(flow, planAliases(flow)).typeName(test.t); got != test.want {
			t.Errorf("%+v is spelt %s, want %s", test.t, got, test.want)
		}
	}
}
