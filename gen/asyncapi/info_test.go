package asyncapi_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/acemq/acemq-gen/gen/load/loadtest"
)

func TestInfo(t *testing.T) {
	const archive = `
-- go.mod --
module %s

go 1.26.0

require github.com/acemq/acemq-gen v0.0.0

replace github.com/acemq/acemq-gen => %s
-- orders/doc.go --
// Package orders sells.
//
// What it sells is no concern of this test.
package orders
-- orders/flow.go --
package orders

import "github.com/acemq/acemq-gen/runtime/flow"

//acemq:message
type Order struct{}

var Orders = flow.Consume[Order]("orders")
`
	for module, version := range map[string]string{
		"shop":                   "0.0.0",
		"example.com/shop":       "0.0.0",
		"example.com/shop/v2":    "2.0.0",
		"example.com/shop/v12":   "12.0.0",
		"example.com/v3/shop":    "0.0.0",
		"gopkg.in/shop.v1":       "1.0.0",
		"example.com/shop-v2":    "0.0.0",
		"example.com/shop/v2.go": "0.0.0",
	} {
		dir := loadtest.Module(t, fmt.Sprintf(archive, module, filepath.ToSlash(loadtest.Root(t))))
		info := part(decoded(t, documentOf(t, dir, "./...")).(object), "info")
		if info["version"] != version {
			t.Errorf("%s: the version is %v, want %s", module, info["version"], version)
		}
		const description = "Package orders sells.\n\nWhat it sells is no concern of this test."
		if info["title"] != "orders" || info["description"] != description {
			t.Errorf("%s: the title and the description are %v", module, info)
		}
	}
}
