// Package gen turns the message flows of Go packages into code and schemas: load, read, check,
// schema and emit, and a plan of what to write.
package gen

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/acemq/acemq-gen/gen/check"
	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/emit"
	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/gen/read"
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
	loaded, err := load.Load(ctx, cfg)
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, err
	}
	result := &Result{Diagnostics: loaded.Errors, Hint: loaded.Hint}
	sources := make([]source, len(loaded.Packages))
	for i, pkg := range loaded.Packages {
		sources[i] = result.examine(pkg, root)
	}
	result.Diagnostics.Sort()
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

// examine reads a package and judges what it finds there.
func (r *Result) examine(pkg *load.Package, root string) source {
	flow, mistakes := read.Read(pkg)
	mistakes = append(mistakes, check.Flow(flow)...)
	s := source{flow: flow}
	if !flow.Empty() {
		r.Flows++
	}
	if !flow.Empty() && !flow.Package.NoSchemas {
		documents, more := schema.Documents(pkg, flow)
		changes, refused := locks{dir: pkg.Dir, root: root}.compare(documents)
		mistakes = append(append(append(mistakes, more...), clashes(documents)...), refused...)
		r.Evolution = append(r.Evolution, changes...)
		s.documents = documents
	}
	r.Diagnostics = append(r.Diagnostics, mistakes...)
	return s
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
