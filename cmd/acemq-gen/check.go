package main

import (
	"context"
	"flag"
	"fmt"
)

var checkCommand = command{
	name:  "check",
	args:  "[packages]",
	short: "say which generated files are out of date",
	help: `
Says which generated files are out of date, one a line, and writes nothing: "missing" and "stale" files are
to be written, an "orphan" is to be removed. Line ends do not count.

The schemas in schemas/ are a lock: below a schema that changes stands each change with the rule it falls under, and
what it does to readers: safe, safe for old readers, safe for new readers, or breaking. A breaking change is a mistake
in the flow until the message has a new version; one that is safe for one side is a warning.

Exit code: 0 all are up to date, 1 some are not, 2 the flow has mistakes, wrong use or trouble on the way.`,
	flags: func(*flag.FlagSet) action { return check },
}

func check(p process, patterns []string) int {
	result, err := plan(context.Background(), p, patterns)
	switch {
	case err != nil:
		return p.fail("%v", err)
	case result.Diagnostics.Failed():
		return exitMisuse
	}
	changes := result.Plan.Changes()
	for _, change := range changes {
		fmt.Fprintln(p.notes, change.State, relative(change.Path))
		for _, line := range result.Changed(change.Path) {
			fmt.Fprintf(p.notes, "\t%s\n", line)
		}
	}
	if len(changes) > 0 {
		fmt.Fprintln(p.stderr, "acemq-gen: generated files are out of date: run go generate")
		return exitFailed
	}
	return exitOK
}
