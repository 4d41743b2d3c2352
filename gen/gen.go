// Package gen turns the message flows of Go packages into code: load, read, check, emit, and a plan of what to write.
package gen

import (
	"context"
	"fmt"

	"github.com/acemq/acemq-gen/gen/check"
	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/emit"
	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/gen/read"
	"github.com/acemq/acemq-gen/gen/write"
)

// Result is what a run found.
type Result struct {
	Plan        write.Plan // what is to be written; empty where there are mistakes
	Diagnostics diag.List  // the mistakes and warnings in all packages, sorted
	Flows       int        // how many packages declare a flow
	Hint        string     // one sentence on why the run was slow; mostly empty
}

// Generate finds what is to be written for the packages that cfg names. It writes nothing: [write.Plan.Commit] does.
// An error means that the run itself failed; mistakes of the user's are in the Result.
func Generate(ctx context.Context, cfg load.Config) (*Result, error) {
	loaded, err := load.Load(ctx, cfg)
	if err != nil {
		return nil, err
	}
	result := &Result{Diagnostics: loaded.Errors, Hint: loaded.Hint}
	flows := make([]*model.Flow, len(loaded.Packages))
	for i, pkg := range loaded.Packages {
		flow, mistakes := read.Read(pkg)
		flows[i] = flow
		result.Diagnostics = append(append(result.Diagnostics, mistakes...), check.Flow(flow)...)
		if !flow.Empty() {
			result.Flows++
		}
	}
	result.Diagnostics.Sort()
	if result.Diagnostics.Failed() {
		return result, nil
	}
	for _, flow := range flows {
		plan, err := planOf(flow)
		if err != nil {
			return nil, fmt.Errorf("package %s: %w", flow.Package.Path, err)
		}
		result.Plan = append(result.Plan, plan...)
	}
	return result, nil
}

// planOf compares the code of a flow with what is on disk.
func planOf(flow *model.Flow) (write.Plan, error) {
	files, err := emit.Files(flow)
	if err != nil {
		return nil, err
	}
	return write.Compare(flow.Package.Dir, files)
}
