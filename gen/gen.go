// Package gen turns the message flows of Go packages into code and schemas: load, read, check,
// schema and emit, and a plan of what to write.
package gen

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/emit"
	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/gen/schema"
	"github.com/acemq/acemq-gen/gen/write"
)

// Result is what a run found.
type Result struct {
	Plan        write.Plan  // what is to be written; empty where there are mistakes
	Diagnostics diag.List   // the mistakes and warnings in all packages, sorted
	Evolution   []Evolution // what changed in locked messages, found where there are mistakes too
	Flows       int         // how many packages declare a flow
	Hint        string      // one sentence on why the run was slow; mostly empty
}

// Generate finds what is to be written for the packages that cfg names. It writes nothing: [write.Plan.Commit] does.
// An error means that the run itself failed; mistakes of the user's are in the Result.
func Generate(ctx context.Context, cfg load.Config) (*Result, error) {
	root, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, err
	}
	result := &Result{}
	var sources []source
	declared, err := examine(ctx, cfg, func(pkg *load.Package, flow *model.Flow) diag.List {
		s, mistakes := result.source(pkg, flow, root)
		sources = append(sources, s)
		return mistakes
	})
	if err != nil {
		return nil, err
	}
	result.Diagnostics, result.Flows, result.Hint = declared.Diagnostics, len(declared.Flows), declared.Hint
	if result.Diagnostics.Failed() {
		return result, nil
	}
	for _, s := range sources {
		plan, err := s.plan()
		if err != nil {
			return nil, fmt.Errorf("package %s: %w", s.flow.Package.Path, err)
		}
		result.Plan = append(result.Plan, plan...)
	}
	return result, nil
}

// source is what the output of one package is made of.
type source struct {
	flow      *model.Flow
	documents []schema.Document
}

// source makes the documents of a flow and compares them with the locked ones.
func (r *Result) source(pkg *load.Package, flow *model.Flow, root string) (source, diag.List) {
	if flow.Empty() || flow.Package.NoSchemas {
		return source{flow: flow}, nil
	}
	documents, mistakes := schema.Documents(pkg, flow)
	changes, refused := locks{dir: pkg.Dir, root: root}.compare(documents)
	r.Evolution = append(r.Evolution, changes...)
	return source{flow, documents}, slices.Concat(mistakes, clashes(documents), refused)
}

// plan compares the code, the schemas and the samples of a flow with what is on disk.
func (s source) plan() (write.Plan, error) {
	files, err := emit.Files(s.flow)
	if err != nil {
		return nil, err
	}
	plan, err := write.Compare(s.flow.Package.Dir, files)
	if err != nil {
		return nil, err
	}
	documents, err := documentsPlan(s.flow.Package.Dir, s.documents)
	return append(plan, documents...), err
}
