package emit

import (
	"testing"

	"github.com/acemq/acemq-gen/gen/model"
)

func TestTypeName(t *testing.T) {
	for _, test := range []struct {
		t    model.Type
		want string
	}{
		{of("a.b/shop", "shop", "Order"), "Order"},
		{of("a.b/ext", "ext", "Order"), "ext.Order"},
		{of("a.b/shop", "shop", "Page[Order]"), "Page[Order]"},
		{of("a.b/shop", "shop", "Page[a.b/ext.Order]"), "Page[ext.Order]"},
		{of("a.b/ext", "ext", "Pair[Order,map[string][]*time.Time]"), "ext.Pair[Order,map[string][]*time.Time]"},
		{of("a.b/ext", "ext", "Page[a.b/ext.Page[a.b/ext.Order]]"), "ext.Page[ext.Page[ext.Order]]"},
	} {
		flow := publishing([]model.Type{test.t})
		if got := newImports(flow, planAliases(flow)).typeName(test.t); got != test.want {
			t.Errorf("%+v is spelt %s, want %s", test.t, got, test.want)
		}
	}
}
