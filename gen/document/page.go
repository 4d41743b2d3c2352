// Package document writes a page about each flow, from templates that users can replace.
package document

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"
	"text/template"

	"github.com/acemq/acemq-gen/gen/graph"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/gen/outline"
)

// PageTemplate is the name of the template of a page.
const PageTemplate = "flow.md.tmpl"

// Page is what the template of a page is given.
type Page struct {
	*outline.Outline        // the flow
	Package          string // the name of its package
	Path             string // the import path of its package
	Diagram          string // the flow as Mermaid
}

// File is a page that is written.
type File struct {
	Name string // "orders.md"
	Text []byte
}

// Pages writes a page about each flow with the template [PageTemplate] of templates. An error says which template is
// wrong, and where.
func Pages(flows []*model.Flow, templates fs.FS) ([]File, error) {
	page, err := template.New(PageTemplate).Funcs(functions).Option("missingkey=error").ParseFS(templates, PageTemplate)
	if err != nil {
		return nil, fmt.Errorf("docs: %w", err)
	}
	names := fileNames(flows)
	files := make([]File, len(flows))
	for i, flow := range flows {
		data, err := pageOf(flow)
		if err != nil {
			return nil, err
		}
		var text bytes.Buffer
		if err := page.Execute(&text, data); err != nil {
			return nil, fmt.Errorf("docs: %w", err)
		}
		files[i] = File{names[i], text.Bytes()}
	}
	return files, nil
}

func pageOf(flow *model.Flow) (*Page, error) {
	o := outline.Of(flow)
	var diagram strings.Builder
	if err := graph.Of(o).WriteMermaid(&diagram); err != nil {
		return nil, err
	}
	return &Page{Outline: o, Package: flow.Package.Name, Path: flow.Package.Path, Diagram: diagram.String()}, nil
}

// fileNames names the page of each flow by its package, or by the import path where packages share a name.
func fileNames(flows []*model.Flow) []string {
	count := map[string]int{}
	for _, flow := range flows {
		count[flow.Package.Name]++
	}
	names := make([]string, len(flows))
	for i, flow := range flows {
		names[i] = flow.Package.Name + ".md"
		if count[flow.Package.Name] > 1 {
			names[i] = strings.ReplaceAll(flow.Package.Path, "/", "-") + ".md"
		}
	}
	return names
}
