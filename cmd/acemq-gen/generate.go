package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/acemq/acemq-gen/gen"
	"github.com/acemq/acemq-gen/gen/load"
	"github.com/acemq/acemq-gen/gen/write"
)

var generateCommand = command{
	args: "[packages]",
	help: `
Reads the message flow that each package declares in its flow.go and writes the code for it beside that
file, as acemq_*_gen.go. Packages are named as for the go command; the default is the package in the
current directory. For each message it writes a JSON Schema to schemas/, which later runs hold the message to
(see: acemq-gen check -h), and once a sample to testdata/wire/, which a generated test reads; a marker
//acemq:package schemas=off above the package clause switches both off.

A file that is up to date is not touched; generated code that nothing in the flow needs any more is
removed. Where a flow has mistakes, all of them are printed and nothing is written; a warning is printed
and changes neither that nor the exit code.

A package without a flow is passed over. Where none has one, a line says so.

Exit code: 0 done, 1 the flow has mistakes, 2 wrong use or trouble on the way.`,
	flags: func(*flag.FlagSet) action { return generate },
}

func generate(p process, patterns []string) int {
	_, code := carryOut(context.Background(), p, patterns)
	return code
}

// carryOut generates, and returns the plan that it has carried out, none where it has not.
func carryOut(ctx context.Context, p process, patterns []string) (write.Plan, int) {
	result, err := plan(ctx, p, patterns)
	switch {
	case err != nil:
		return nil, p.fail("%v", err)
	case result.Diagnostics.Failed():
		return nil, exitFailed
	}
	if err := result.Plan.Commit(); err != nil {
		return nil, p.fail("%v", err)
	}
	done := map[write.State]string{write.Missing: "wrote", write.Stale: "wrote", write.Orphan: "removed"}
	for _, change := range result.Plan.Changes() {
		fmt.Fprintln(p.notes, done[change.State], relative(change.Path))
	}
	return result.Plan, exitOK
}

// plan runs the generator and reports the mistakes and warnings it has found.
func plan(ctx context.Context, p process, patterns []string) (*gen.Result, error) {
	if err := packagesOnly(patterns); err != nil {
		return nil, err
	}
	result, err := gen.Generate(ctx, load.Config{Patterns: patterns})
	if err != nil {
		return nil, err
	}
	if result.Hint != "" {
		fmt.Fprintln(p.stderr, "acemq-gen:", result.Hint)
	}
	if !result.Diagnostics.Failed() && result.Flows == 0 {
		fmt.Fprintln(p.stderr, "acemq-gen:", noFlow(patterns))
	}
	return result, p.mistakes(result.Diagnostics)
}

// relative names a file from the working directory, with slashes on every system.
func relative(path string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil {
			path = rel
		}
	}
	return filepath.ToSlash(path)
}
