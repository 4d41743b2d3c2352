package asyncapi

import (
	"strings"

	"golang.org/x/mod/module"

	"github.com/acemq/acemq-gen/gen/model"
)

// infoOf tells what flows, one or several, are: by the names of their packages, the doc comments of these, and the
// version of the first one's module.
func infoOf(flows []*model.Flow) info {
	var names, docs, modules []string
	for _, flow := range flows {
		names = append(names, flow.Package.Name)
		docs = append(docs, flow.Package.Doc)
		modules = append(modules, flow.Package.Module)
	}
	return info{strings.Join(names, ", "), versionOf(modules[0]), paragraphs(docs...)}
}

// versionOf returns what the path of a module says of its version: "2.0.0" for "example.com/shop/v2", and "0.0.0", which
// promises nothing, where it says nothing. The source knows no more; messages have versions of their own.
func versionOf(path string) string {
	_, major, _ := module.SplitPathVersion(path)
	if major = module.PathMajorPrefix(major); major == "" {
		major = "v0"
	}
	return strings.TrimPrefix(major, "v") + ".0.0"
}
