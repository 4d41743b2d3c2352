package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // the flow has mistakes; of check and diff: the generated files differ
	exitMisuse = 2 // wrong use, or trouble on the way; of check and diff: mistakes in the flow too
)

// process is the outside of a command.
type process struct {
	stdout, stderr io.Writer
}

// fail says in one line why a command did not do its work.
func (p process) fail(format string, args ...any) int {
	fmt.Fprintf(p.stderr, "acemq-gen: "+format+"\n", args...)
	return exitMisuse
}

// run is the program. It returns the exit code.
func run(args []string, p process) int {
	all := commands()
	chosen := all[0]
	if len(args) > 0 {
		if i := slices.IndexFunc(all, func(c command) bool { return c.name == args[0] }); i > 0 {
			chosen, args = all[i], args[1:]
		} else if name, found := misspelt(args[0]); found {
			return p.fail("there is no command %s: did you mean %s? (A package is ./%[1]s.)", args[0], name)
		}
	}
	flags := flag.NewFlagSet(chosen.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	act := chosen.flags(flags)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		chosen.usage(p.stdout, flags)
		return exitOK
	case err != nil:
		return p.fail("%v; see: %s -h", err, chosen.call())
	}
	args = flags.Args()
	if i := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") }); i >= 0 {
		return p.fail("flags come first, and %s stands behind %s; see: %s -h", args[i], args[0], chosen.call())
	}
	return act(p, args)
}
