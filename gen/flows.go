package gen

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/acemq/acemq-gen/gen/check"
	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/gen/read"
	"github.com/acemq/acemq-gen/gen/schema"
)

// Declared is what packages declare, as data.
type Declared struct {
	Flows       []*model.Flow // of the packages that declare one
	Diagnostics diag.List     // the mistakes and warnings in all packages, sorted
	Hint        string        // one sentence on why the run was slow; mostly empty

	packages []*load.Package // of each flow
}

// Flows reads and checks the flows of the packages that cfg names. An error means that the run itself failed; mistakes
// of the user's are in the result.
func Flows(ctx context.Context, cfg load.Config) (*Declared, error) {
	return examine(ctx, cfg, func(*load.Package, *model.Flow) diag.List { return nil })
}

// examine loads packages, reads the flow of each and judges it. What more there is to say about a package, judge says.
func examine(ctx context.Context, cfg load.Config, judge func(*load.Package, *model.Flow) diag.List) (*Declared, error) {
	loaded, err := load.Load(ctx, cfg)
	if err != nil {
		return nil, err
	}
	declared := &Declared{Diagnostics: loaded.Errors, Hint: loaded.Hint}
	for _, pkg := range loaded.Packages {
		flow, mistakes := read.Read(pkg)
		declared.Diagnostics = slices.Concat(declared.Diagnostics, mistakes, check.Flow(flow), judge(pkg, flow))
		if !flow.Empty() {
			declared.Flows = append(declared.Flows, flow)
			declared.packages = append(declared.packages, pkg)
		}
	}
	declared.Diagnostics.Sort()
	return declared, nil
}

// Schemas returns the schemas of the messages of the flows that keep schemas, one a message.
func (d *Declared) Schemas() ([]schema.Document, diag.List) {
	var documents []schema.Document
	var mistakes diag.List
	for i, flow := range d.Flows {
		if flow.Package.NoSchemas {
			continue
		}
		found, wrong := schema.Documents(d.packages[i], flow)
		mistakes = append(mistakes, wrong...)
		for _, document := range found {
			same := func(have schema.Document) bool { return have.Message == document.Message }
			if !slices.ContainsFunc(documents, same) { // another flow may have it, too
				documents = append(documents, document)
			}
		}
	}
	mistakes.Sort()
	return documents, mistakes
}

// SchemaFiles returns the paths of the schemas of the message type that is marked in a place, one for each flow that has
// it and keeps schemas. The files need not be there yet.
func (d *Declared) SchemaFiles(at model.Pos) []string {
	var files []string
	for _, flow := range d.Flows {
		for _, m := range flow.Messages {
			if m.Pos == at && !flow.Package.NoSchemas {
				files = append(files, filepath.Join(flow.Package.Dir, schemaDir, schema.FileName(m.Type, m.Version)))
			}
		}
	}
	return files
}
