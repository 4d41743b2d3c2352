package main

import (
	"context"
	"flag"
)

var diffCommand = command{
	name:  "diff",
	args:  "[packages]",
	short: "show what would change",
	help: `
Shows what acemq-gen would change, as a unified diff, and writes nothing.

Exit code: 0 nothing would change, 1 something would, 2 the flow has mistakes, wrong use or trouble on the way.`,
	flags: func(*flag.FlagSet) action { return diff },
}

func diff(p process, patterns []string) int {
	result, err := plan(context.Background(), p, patterns)
	switch {
	case err != nil:
		return p.fail("%v", err)
	case result.Diagnostics.Failed():
		return exitMisuse
	}
	changes := result.Plan.Changes()
	for _, change := range changes {
		if _, err := p.stdout.Write(change.Diff(relative(change.Path))); err != nil {
			return p.fail("%v", err)
		}
	}
	if len(changes) > 0 {
		return exitFailed
	}
	return exitOK
}
